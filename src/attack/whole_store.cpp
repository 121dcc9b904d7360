// SPDX-License-Identifier: Apache-2.0
#include "attack/whole_store.h"

#include <utility>

#include "attack/evidence_check.h"
#include "attack/holes.h"
#include "attack/touches.h"
#include "base/exact.h"
#include "base/index.h"
#include "base/work.h"

namespace lacuna::inline attack {
namespace {

Displacement turned(Displacement witness, int turn) {
  if (turn < 0) {
    for (Integer& move : witness.moves)
      move = -move;
  }
  return witness;
}

}  // namespace

WitnessStore::WitnessStore(const AttackView& view)
    : view_(view), best_high_(view.free_cells().size()), best_low_(view.free_cells().size()) {
  count_work(kAttackTouches.search_cell * std::ssize(view.free_cells()));
}

void WitnessStore::list(const Displacement& witness, std::int32_t index, int turn) {
  for (std::size_t i = 0; i < witness.cells.size(); ++i) {
    const std::int32_t free = view_.free_index(witness.cells[i]);
    if (free < 0)
      continue;
    const Integer move = witness.moves[i] * turn;
    Stored& best = move > 0 ? best_high_[at(free)] : best_low_[at(free)];
    if (abs(move) > best.amount)
      best = {abs(move), index, turn};
  }
}

void WitnessStore::remember(const Displacement& witness) {
  if (witness.cells.empty() || witness.denominator != 1)
    return;
  const auto holds = [&](int turn) {
    const Displacement way = turned(witness, turn);
    return check_displacement(view_.table(), view_.rooms(), way).has_value() &&
           (view_.holes() == nullptr || view_.holes()->admit(way));
  };
  if (!holds(1))
    return;
  const auto index = static_cast<std::int32_t>(witnesses_.size());
  witnesses_.push_back(witness);
  list(witness, index, 1);
  if (holds(-1))
    list(witness, index, -1);
}

std::optional<Displacement> WitnessStore::farthest(std::int32_t free, int side) const {
  const Stored& best = side > 0 ? best_high_[at(free)] : best_low_[at(free)];
  if (best.witness < 0)
    return std::nullopt;
  return turned(witnesses_[at(best.witness)], best.turn);
}

}  // namespace lacuna::inline attack
