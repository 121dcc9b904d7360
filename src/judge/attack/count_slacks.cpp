// SPDX-License-Identifier: Apache-2.0
#include "judge/attack/count_slacks.h"

#include <algorithm>

#include "core/table/unpublished.h"

namespace lacuna::attack {
namespace {

bool strictly_inside(const Table& table, const CellEntry& entry) {
  const auto* rounded = std::get_if<Rounded>(&entry.says);
  if (rounded == nullptr)
    return true;
  const Wide reach = (Wide{rounded->steps} + 1) * rounded->base;
  const Wide away = Wide{table.value(entry.cell)} - rounded->value;
  return away < reach && -away < reach;
}

class CountSlackMaker {
 public:
  CountSlackMaker(const Problem& problem, const Draft& draft)
      : table_(problem.table()), rules_(*problem.counts()), draft_(draft) {
    // A release that moves multiples is made by another rule, and nobody can know the ends.
    strict_ = std::ranges::all_of(
        draft_.each(), [&](const CellEntry& entry) { return strictly_inside(table_, entry); });
  }

  Result<CountSlacks> slacks(const Attacker& attacker) const {
    CountSlacks found;
    found.slacks.resize(static_cast<std::size_t>(table_.num_cells()));
    for (const CellEntry& entry : draft_.each()) {
      const Bounds known =
          intersect(known_bounds(table_, attacker, entry.cell), {0, kUnboundedAbove});
      if (known.is_point())
        continue;
      const Bounds said = intersect(entry.bounds(), told(entry));
      const Units value = table_.value(entry.cell);
      if (!said.contains(value))
        return at_odds(entry);
      found.holes.add(entry.cell, value, entry.among());
      found.slacks[static_cast<std::size_t>(entry.cell.value)] =
          found.holes.snapped(entry.cell, slack_within(value, intersect(known, said)));
    }
    return found;
  }

 private:
  // By the rule of the release, beyond what the statement says by itself.
  Bounds told(const CellEntry& entry) const {
    if (entry.state() != StatementKind::kRounded)
      return implied_by_rule(table_, rules_, entry.cell, entry.state());
    const Bounds ends = entry.bounds();
    return strict_ ? Bounds{ends.lower + 1, ends.upper - 1} : ends;
  }

  Error at_odds(const CellEntry& entry) const {
    const auto means = static_cast<std::size_t>(rules_.withheld_means);
    const std::string word(enum_names(rules_.withheld_means)[means]);
    const bool zero = table_.value(entry.cell) == 0;
    const bool primary = table_.cell(entry.cell).status == CellStatus::kPrimary;
    const std::string what = zero      ? "a zero"
                             : primary ? "a primary that is not below the threshold"
                                       : "a secondary below the threshold";
    return {ErrorCode::kFalseRelease,
            "the release hides " + what + ", although readers are told 'withheld means " + word +
                "'; publish the cell, or state another meaning",
            table_.label(entry.cell)};
  }

  const Table& table_;
  const CountRules& rules_;
  const Draft& draft_;
  bool strict_ = true;
};

}  // namespace

Bounds implied_by_rule(const Table& table,
                       const CountRules& rules,
                       CellId cell,
                       StatementKind state) {
  if (table::is_unpublished(table.cell(cell)))
    return {};
  const bool zeros_are_shown =
      rules.withheld_means != WithheldMeans::kAny && rules.zeros != Zeros::kSensitive;
  const Units least = zeros_are_shown ? 1 : 0;
  if (state == StatementKind::kInterval)
    return {least, kUnboundedAbove};
  if (state != StatementKind::kWithheld)
    return {};
  if (rules.withheld_means != WithheldMeans::kRule)
    return {least, kUnboundedAbove};
  if (table.cell(cell).status == CellStatus::kPrimary)
    return {least, rules.threshold - 1};
  return {rules.threshold, kUnboundedAbove};
}

Result<CountSlacks> count_slacks(const Problem& problem,
                                 const Draft& draft,
                                 const Attacker& attacker) {
  return CountSlackMaker(problem, draft).slacks(attacker);
}

}  // namespace lacuna::attack
