// SPDX-License-Identifier: Apache-2.0
#include "data/sensitivity/manual_levels.h"

#include <algorithm>

#include "data/sensitivity/options.h"
#include "data/sensitivity/rule_check.h"

namespace lacuna::sensitivity {
namespace {

Units slack(Units from, Units to) {
  return static_cast<Units>(std::min(Wide{to} - from, Wide{kMaxUnits}));
}
Units slack_below(Bounds known, Units value) {
  return known.has_lower() ? slack(known.lower, value) : kMaxUnits;
}
Units slack_above(Bounds known, Units value) {
  return known.has_upper() ? slack(value, known.upper) : kMaxUnits;
}

// No release can leave open more than what is known leaves open.
void fit(Requirement& need, Bounds known, Units value) {
  const Units below = slack_below(known, value), above = slack_above(known, value);
  need.lower = std::min(need.lower, below);
  need.upper = std::min(need.upper, above);
  need.sliding = static_cast<Units>(std::min(Wide{need.sliding}, Wide{below} + above));
}

Units share_of(Units level, Units part, Units whole) {
  return static_cast<Units>((Wide{level} * part + whole - 1) / whole);
}

// The parts of the sum that the cell is in this equation; nothing if it is none, or if a part may
// be negative.
std::vector<CellId> parts_in(const Table& table, EquationId equation, CellId cell) {
  std::vector<CellId> parts;
  if (table.rhs(equation) != 0)
    return parts;
  for (const Term& term : table.equation(equation)) {
    const bool is_sum = term.cell == cell && term.coefficient == -1;
    const bool is_part = term.cell != cell && term.coefficient == 1;
    if (!is_sum && (!is_part || table.cell(term.cell).prior.lower < 0))
      return {};
    if (is_part)
      parts.push_back(term.cell);
  }
  return parts;
}

// The cells at the bottom of one way to split the cell, whose amounts add up to it. An attacker's
// own share of a sum is kept as its shares of these (data/sensitivity/attackers.h).
std::vector<bool> bottom_of(const Table& table, CellId cell) {
  std::vector<bool> bottom(static_cast<std::size_t>(table.num_cells()), false), seen = bottom;
  std::vector<CellId> open{cell};
  while (!open.empty()) {
    const CellId at = open.back();
    open.pop_back();
    if (seen[static_cast<std::size_t>(at.value)])
      continue;
    seen[static_cast<std::size_t>(at.value)] = true;
    std::vector<CellId> parts;
    for (const Incidence& incidence : table.equations_of(at)) {
      parts = parts_in(table, incidence.equation, at);
      if (!parts.empty())
        break;
    }
    bottom[static_cast<std::size_t>(at.value)] = parts.empty();
    open.insert(open.end(), parts.begin(), parts.end());
  }
  return bottom;
}

// Where a cell stands among what attackers know.
class Surroundings {
 public:
  Surroundings(const Table& table, CellId cell)
      : table_(table),
        cell_(cell),
        bottom_(bottom_of(table, cell)),
        near_(static_cast<std::size_t>(table.num_cells()), false) {
    for (const Incidence& incidence : table.equations_of(cell)) {
      for (const Term& term : table.equation(incidence.equation))
        near_[static_cast<std::size_t>(term.cell.value)] = true;
    }
  }

  // What the attacker knows to be in the cell, by its parts or by itself, and others do not.
  Units own_part(const Attacker& attacker, Bounds known) const {
    Wide own = 0;
    for (const Knowledge& one : attacker.known) {
      if (bottom_[static_cast<std::size_t>(one.cell.value)] && one.bounds.has_lower())
        own += std::max<Wide>(one.bounds.lower, 0);
    }
    const Bounds prior = table_.cell(cell_).prior;
    if (known.has_lower() && known.lower > prior.lower)
      own = std::max(own, Wide{known.lower});
    return static_cast<Units>(own);
  }

  bool touches(const Attacker& attacker) const {
    return std::any_of(attacker.known.begin(), attacker.known.end(), [&](const Knowledge& one) {
      return near_[static_cast<std::size_t>(one.cell.value)];
    });
  }

 private:
  const Table& table_;
  CellId cell_;
  std::vector<bool> bottom_, near_;
};

}  // namespace

Result<Requirement> manual_level(const Table& table,
                                 const Cell& cell,
                                 CellId id,
                                 const SensitivityOptions& options) {
  LACUNA_TRY(const SensitivityRules rules, read_options(options));
  CellFacts facts;
  facts.value = cell.value;
  facts.absolute = cell.value < 0 ? -cell.value : cell.value;
  const auto levels =
      levels_of(facts, {manual_hit(facts, rules, "")}, rules, slack_below(cell.prior, cell.value));
  if (!levels)
    return Error{levels.error().code, levels.error().message, table.label(id)};
  Requirement need{
      .cell = id, .lower = levels->lower, .upper = levels->upper, .sliding = levels->sliding};
  fit(need, cell.prior, cell.value);
  return need;
}

std::vector<Requirement> manual_levels_for_insiders(const Table& table,
                                                    const std::vector<Attacker>& attackers,
                                                    const Requirement& outside,
                                                    const SensitivityOptions& options) {
  std::vector<Requirement> needs;
  if (attackers.size() < 2)
    return needs;
  const Units value = table.value(outside.cell);
  const Surroundings around(table, outside.cell);
  for (std::size_t a = 1; a < attackers.size(); ++a) {
    const Bounds known = known_bounds(table, attackers[a], outside.cell);
    const Units own = around.own_part(attackers[a], known);
    const bool reaches =
        options.attacker_reach == AttackerReach::kTable || own > 0 || around.touches(attackers[a]);
    if (known.is_point() || !reaches)
      continue;
    Requirement need = outside;
    need.attacker = static_cast<std::int32_t>(a);
    if (value > 0 && own > 0) {
      for (Units* level : {&need.lower, &need.upper, &need.sliding})
        *level = share_of(*level, value - own, value);
    }
    fit(need, {own > 0 ? own : known.lower, known.upper}, value);
    if (!need.asks_nothing())
      needs.push_back(need);
  }
  return needs;
}

}  // namespace lacuna::sensitivity
