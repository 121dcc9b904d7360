// SPDX-License-Identifier: Apache-2.0
#include "judge/attack/witness_store.h"

#include <algorithm>
#include <cmath>

#include "core/base/index.h"
#include "core/base/rational.h"
#include "core/base/work.h"
#include "judge/attack/touches.h"
#include "lacuna/tolerance.h"

namespace lacuna::attack {
namespace {

constexpr double kNearlyAll = 1 - tol::kDecision;

Displacement turned_round(Displacement witness) {
  for (Integer& move : witness.moves)
    move = -move;
  return witness;
}

// f'z in parts of the witness's denominator.
Integer along(const Displacement& witness, std::span<const Term> form) {
  Integer sum = 0;
  for (const Term& term : form) {
    const auto at = std::lower_bound(witness.cells.begin(), witness.cells.end(), term.cell);
    if (at != witness.cells.end() && *at == term.cell)
      sum += term.coefficient * witness.moves[static_cast<std::size_t>(at - witness.cells.begin())];
  }
  return sum;
}

}  // namespace

WitnessStore::WitnessStore(const AttackView& view)
    : view_(view), best_high_(view.free_cells().size()), best_low_(view.free_cells().size()) {
  base::count_work(kAttackTouches.search_cell * std::ssize(view.free_cells()));
}

// Multiples may fall into holes that the witness itself does not.
WitnessStore::Multiples WitnessStore::multiples(const Displacement& witness) const {
  if (!view_.holes().empty())
    return {1.0, view_.admits(turned_round(witness)) ? 1.0 : 0.0};
  Multiples result{static_cast<double>(kMaxUnits), static_cast<double>(kMaxUnits)};
  const double denominator = witness.denominator.to_double();
  for (std::size_t i = 0; i < witness.cells.size(); ++i) {
    const Slack& slack = view_.slack(witness.cells[i]);
    const double move = std::abs(witness.moves[i].to_double()) / denominator;
    const Units ahead = witness.moves[i] > 0 ? slack.up : slack.down;
    const Units behind = witness.moves[i] > 0 ? slack.down : slack.up;
    if (ahead != kUnboundedAbove)
      result.forward = std::min(result.forward, std::floor(static_cast<double>(ahead) / move));
    if (behind != kUnboundedAbove)
      result.backward = std::min(result.backward, std::floor(static_cast<double>(behind) / move));
  }
  return result;
}

void WitnessStore::remember(const Displacement& witness) {
  const auto [forward, backward] = multiples(witness);
  const double denominator = witness.denominator.to_double();
  const auto id = static_cast<std::int32_t>(witnesses_.size());
  bool useful = false;
  const auto offer = [&](Stored& stored, double amount) {
    if (amount <= stored.amount)
      return;
    stored = {amount, id};
    useful = true;
  };
  for (std::size_t i = 0; i < witness.cells.size(); ++i) {
    const std::int32_t free = view_.free_index(witness.cells[i]);
    if (free < 0)
      continue;
    const double move = std::abs(witness.moves[i].to_double()) / denominator;
    const bool up = witness.moves[i] > 0;
    offer(up ? best_high_[base::at(free)] : best_low_[base::at(free)], move * forward);
    offer(up ? best_low_[base::at(free)] : best_high_[base::at(free)], move * backward);
  }
  if (useful)
    witnesses_.push_back(witness);
}

std::optional<Displacement> WitnessStore::reaching(std::span<const Term> form,
                                                   Direction direction,
                                                   Units level) const {
  for (const Term& term : form) {
    const bool up = (term.coefficient > 0) == (direction == Direction::kHigh);
    const auto free = base::at(view_.free_index(term.cell));
    const Stored& stored = up ? best_high_[free] : best_low_[free];
    if (stored.witness < 0)
      continue;
    const double most = stored.amount * std::abs(static_cast<double>(term.coefficient));
    if (form.size() == 1 && most < static_cast<double>(level) * kNearlyAll)
      continue;
    const Displacement& witness = witnesses_[base::at(stored.witness)];
    const bool mirror = (along(witness, {&term, 1}) < 0) == (direction == Direction::kHigh);
    auto found = stretched(view_, mirror ? turned_round(witness) : witness, form, direction, level);
    if (found)
      return found;
  }
  return std::nullopt;
}

std::optional<Displacement> stretched(const AttackView& view,
                                      Displacement witness,
                                      std::span<const Term> form,
                                      Direction direction,
                                      Units level) {
  const Integer once = along(witness, form) * sign(direction);
  if (once <= 0)
    return std::nullopt;
  // In whole numbers by multiples of the moves themselves.
  if (view.domain() == Domain::kInteger)
    witness.denominator = 1;
  const Integer factor = (base::to_integer(level) * witness.denominator + once - 1) / once;
  for (Integer& move : witness.moves)
    move *= factor;
  if (!view.admits(witness))
    return std::nullopt;
  return witness;
}

}  // namespace lacuna::attack
