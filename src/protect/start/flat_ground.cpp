// SPDX-License-Identifier: Apache-2.0
#include "protect/start/flat_ground.h"

#include <algorithm>
#include <limits>
#include <map>
#include <unordered_map>

#include "core/base/work.h"
#include "protect/start/circuits.h"

namespace lacuna::start {

void residues::subtract_multiple(std::span<Residue> to,
                                 Residue factor,
                                 std::span<const Residue> from) {
  if (factor == 0)
    return;
  const std::uint64_t by = presolve::residue::kPrime - factor;
  Residue* a = to.data();
  const Residue* b = from.data();
  const std::size_t size = to.size();
  for (std::size_t i = 0; i < size; ++i) {
    const std::uint64_t sum = by * b[i] + a[i];  // < prime^2: one reduction leaves < 2 primes
    const auto once = static_cast<std::uint32_t>((sum & presolve::residue::kPrime) + (sum >> 31U));
    a[i] = std::min(once, once - presolve::residue::kPrime);
  }
}

void residues::invert_all(std::span<const Residue> values, std::vector<Residue>& inverses) {
  constexpr std::size_t kChains = 4;  // side by side: one chain waits for itself
  inverses.resize(values.size());
  std::array<Residue, kChains> product;
  product.fill(1);
  for (std::size_t i = 0; i < values.size(); ++i) {
    inverses[i] = product[i % kChains];
    product[i % kChains] = presolve::residue::multiply(product[i % kChains], values[i]);
  }
  for (Residue& each : product)
    each = presolve::residue::inverse(each);
  for (std::size_t i = values.size(); i-- > 0;) {
    Residue& rest = product[i % kChains];
    inverses[i] = presolve::residue::multiply(inverses[i], rest);
    rest = presolve::residue::multiply(rest, values[i]);
  }
}

Residue residues::draw(base::Random& random) {
  const auto bits = static_cast<Residue>(random.next() >> 33U);
  return bits == 0 || bits == presolve::residue::kPrime ? 1 : bits;
}

std::optional<double> residues::number(Residue value) {
  constexpr Residue kSmall = 1U << 15U;
  if (value < kSmall)
    return static_cast<double>(value);
  if (presolve::residue::kPrime - value < kSmall)
    return -static_cast<double>(presolve::residue::kPrime - value);
  const auto fraction = small_fraction(value);
  if (!fraction)
    return std::nullopt;
  return static_cast<double>(fraction->above) / static_cast<double>(fraction->below);
}

std::optional<FlatGround> FlatGround::make(const PatternState& pattern_state,
                                           const std::vector<RouteGoal>& goals,
                                           std::span<const CellId> cells,
                                           std::size_t most_entries,
                                           const RunContext& run) {
  std::vector<presolve::KernelTableau::Role> roles(
      static_cast<std::size_t>(pattern_state.table().num_cells()),
      presolve::KernelTableau::Role::kAbsent);
  for (const CellId cell : cells) {
    if (pattern_state.place(cell) != CellRole::kNever)
      roles[static_cast<std::size_t>(cell.value)] = presolve::KernelTableau::Role::kPublished;
  }
  presolve::KernelTableau tableau(std::move(roles));
  if (!tableau.build(pattern_state.table(), most_entries, run))
    return std::nullopt;
  FlatGround ground;
  if (!ground.group(pattern_state, tableau, cells))
    return std::nullopt;
  if (ground.classes_.size() * ground.generators_.size() > most_entries)
    return std::nullopt;
  ground.fill(tableau);
  if (!ground.settle(pattern_state, goals) || !ground.add_slacks(pattern_state, goals))
    return std::nullopt;
  return ground;
}

// Generators come first: each is the first member of its class.
bool FlatGround::group(const PatternState& pattern_state,
                       const presolve::KernelTableau& tableau,
                       std::span<const CellId> cells) {
  base::Random random(1);
  class_of_.assign(static_cast<std::size_t>(pattern_state.table().num_cells()), -1);
  std::vector<std::array<Residue, 2>> prints(class_of_.size(), {0, 0});
  std::unordered_map<Residue, std::int32_t> class_at;
  const auto enlist = [&](CellId cell) {
    const auto& [x, y] = prints[static_cast<std::size_t>(cell.value)];
    if (x == 0)
      return y == 0;  // cannot move; else an accident
    const auto [at, is_new] =
        class_at.try_emplace(presolve::residue::multiply(y, presolve::residue::inverse(x)),
                             static_cast<std::int32_t>(classes_.size()));
    if (is_new)
      classes_.emplace_back();
    auto& members = classes_[static_cast<std::size_t>(at->second)].members;
    Member member{cell, 1, 1};
    if (!is_new) {
      const auto& first = prints[static_cast<std::size_t>(members.front().cell.value)];
      member.residue = presolve::residue::multiply(x, presolve::residue::inverse(first[0]));
      const auto factor = residues::number(member.residue);
      if (!factor)
        return false;
      member.factor = *factor;
    }
    members.push_back(member);
    class_of_[static_cast<std::size_t>(cell.value)] = at->second;
    return true;
  };
  bool tame = true;
  for (const CellId cell : cells) {
    if (pattern_state.place(cell) == CellRole::kNever || tableau.is_basic(cell.value))
      continue;
    prints[static_cast<std::size_t>(cell.value)] = {residues::draw(random), residues::draw(random)};
    tame = tame && enlist(cell);
    generators_.push_back(class_of_[static_cast<std::size_t>(cell.value)]);
  }
  for (const CellId cell : cells) {
    if (pattern_state.place(cell) == CellRole::kNever || !tableau.is_basic(cell.value))
      continue;
    auto& own = prints[static_cast<std::size_t>(cell.value)];
    for (const presolve::KernelTableau::Entry& entry : tableau.row(cell.value)) {
      const auto& other = prints[static_cast<std::size_t>(entry.cell)];
      own[0] = presolve::residue::add(own[0], presolve::residue::multiply(entry.value, other[0]));
      own[1] = presolve::residue::add(own[1], presolve::residue::multiply(entry.value, other[1]));
    }
    tame = tame && enlist(cell);
  }
  return tame;
}

void FlatGround::fill(const presolve::KernelTableau& tableau) {
  columns_ = ResidueColumns(classes_.size(), generators_.size());
  std::vector<std::int32_t> column_of(class_of_.size(), -1);
  for (std::size_t j = 0; j < generators_.size(); ++j) {
    const auto generator = static_cast<std::size_t>(generators_[j]);
    column_of[static_cast<std::size_t>(classes_[generator].members.front().cell.value)] =
        static_cast<std::int32_t>(j);
  }
  for (std::size_t c = 0; c < classes_.size(); ++c) {
    const std::int32_t cell = classes_[c].members.front().cell.value;
    if (!tableau.is_basic(cell)) {
      columns_.column(static_cast<std::size_t>(column_of[static_cast<std::size_t>(cell)]))[c] = 1;
      continue;
    }
    for (const presolve::KernelTableau::Entry& entry : tableau.row(cell))
      columns_.column(static_cast<std::size_t>(
          column_of[static_cast<std::size_t>(entry.cell)]))[c] = entry.value;
  }
  base::count_work(classes_.size() * generators_.size());
}

bool FlatGround::settle(const PatternState& pattern_state, const std::vector<RouteGoal>& goals) {
  for (const RouteGoal& goal : goals) {
    const std::int32_t own = class_of_[static_cast<std::size_t>(goal.cell.value)];
    if (own < 0)
      return false;
    classes_[static_cast<std::size_t>(own)].needed = true;
  }
  for (Class& each : classes_) {
    for (const Member& member : each.members)
      each.cost += pattern_state.permanent(member.cell) ? 0 : pattern_state.cost(member.cell);
  }
  return true;
}

bool FlatGround::add_slacks(const PatternState& pattern_state,
                            const std::vector<RouteGoal>& goals) {
  std::map<std::int32_t, std::vector<Slacks>> by_attacker;
  for (const RouteGoal& goal : goals)
    by_attacker[goal.attacker];
  const auto real = [](Units slack) {
    return slack == kUnboundedAbove ? std::numeric_limits<double>::infinity()
                                    : static_cast<double>(slack);
  };
  for (auto& [attacker, slacks] : by_attacker) {
    for (const Class& each : classes_) {
      Slacks own{real(kUnboundedAbove), real(kUnboundedAbove), 0, 0};
      for (const Member& member : each.members) {
        const attack::Slack slack = pattern_state.slack(member.cell, attacker);
        const double size = std::abs(member.factor);
        const bool same = member.factor > 0;
        own.down = std::min(own.down, real(same ? slack.down : slack.up) / size);
        own.up = std::min(own.up, real(same ? slack.up : slack.down) / size);
      }
      slacks.push_back(own);
    }
  }
  for (const RouteGoal& goal : goals) {
    const auto own = static_cast<std::size_t>(class_of_[static_cast<std::size_t>(goal.cell.value)]);
    for (const Member& member : classes_[own].members) {
      if (member.cell != goal.cell)
        continue;
      Slacks& slacks = by_attacker[goal.attacker][own];
      const double level = static_cast<double>(goal.level) / std::abs(member.factor);
      double& asked =
          (goal.direction == Direction::kHigh) == (member.factor > 0) ? slacks.high : slacks.low;
      asked = std::max(asked, level);
    }
  }
  for (auto& [attacker, slacks] : by_attacker)
    slacks_.push_back(std::move(slacks));
  return true;
}

}  // namespace lacuna::start
