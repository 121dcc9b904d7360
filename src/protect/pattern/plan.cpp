// SPDX-License-Identifier: Apache-2.0
#include "protect/pattern/plan.h"

#include <algorithm>
#include <optional>

#include "core/base/index.h"
#include "core/draft/shown_range.h"

namespace lacuna::pattern {
namespace {

// What the published number is off by; nothing if there is no number.
std::optional<Wide> deviation_of(const Table& table, const CellEntry& entry) {
  if (entry.state() == StatementKind::kExact)
    return Wide{0};
  const std::optional<Units> number = entry.number();
  if (!number)
    return std::nullopt;
  return Wide{*number} - table.value(entry.cell);
}

// How far the completing number of a cell may be from the truth.
Bounds completion(const Table& table, const CellEntry& entry) {
  const Bounds known = intersect(entry.bounds(), table.cell(entry.cell).prior);
  const Units value = table.value(entry.cell);
  Bounds slack;
  if (known.has_lower())
    slack.lower = known.lower - value;
  if (known.has_upper())
    slack.upper = known.upper - value;
  return slack;
}

bool equation_holds(const Table& table, EquationId equation, std::span<const CellEntry> entries) {
  Wide low = 0, high = 0;  // of the sum of deviations
  bool no_low = false, no_high = false;
  for (const Term& term : table.equation(equation)) {
    const CellEntry& entry = entries[base::at(term.cell)];
    if (const auto off = deviation_of(table, entry)) {
      const Wide part = Wide{term.coefficient} * *off;
      low += part;
      high += part;
      continue;
    }
    const Bounds slack = completion(table, entry);
    const bool flip = term.coefficient < 0;
    const bool open_low = flip ? !slack.has_upper() : !slack.has_lower();
    const bool open_high = flip ? !slack.has_lower() : !slack.has_upper();
    no_low = no_low || open_low;
    no_high = no_high || open_high;
    if (!open_low)
      low += Wide{term.coefficient} * (flip ? slack.upper : slack.lower);
    if (!open_high)
      high += Wide{term.coefficient} * (flip ? slack.lower : slack.upper);
  }
  return (no_low || low <= 0) && (no_high || high >= 0);
}

}  // namespace

bool Plan::counts_changes() const {
  return max_changed >= 0 || std::any_of(cells.begin(), cells.end(), [](const CellPlan& cell) {
           return cell.kind == PlanKind::kSlide && cell.price_changed > 0;
         });
}

CellEntry entry_of(const Plan& plan, const Pattern& pattern, CellId cell) {
  const CellPlan& own = plan.cells[base::at(cell)];
  const Units value = plan.problem->table().value(cell);
  switch (own.kind) {
    case PlanKind::kChoices:
      return {cell, own.choices[static_cast<std::size_t>(pattern.choice[base::at(cell)])].says};
    case PlanKind::kSlide: {
      const Units number = value + pattern.up[base::at(cell)] - pattern.down[base::at(cell)];
      if (!own.range_known)
        return {cell, Adjusted{number}};
      const Bounds range = intersect({number - own.below, number + own.above}, own.within);
      return {
          cell,
          Altered{number, draft::without_negative_part(range, plan.problem->table().cell(cell))}};
    }
    case PlanKind::kEnds:
      if (pattern.up[base::at(cell)] == 0 && pattern.down[base::at(cell)] == 0)
        return {cell, Exact{}};
      return {
          cell,
          IntervalEnds{{value - pattern.down[base::at(cell)], value + pattern.up[base::at(cell)]}}};
  }
  return {cell, Exact{}};
}

Draft draft_of(const Plan& plan, const Pattern& pattern) {
  Draft draft;
  for (std::int32_t c = 0; c < plan.problem->table().num_cells(); ++c)
    draft.set(entry_of(plan, pattern, CellId{c}));
  draft.set_adjusted(draft.count(StatementKind::kAdjusted) > 0);
  return draft;
}

double cost_of(const Plan& plan, const Pattern& pattern) {
  double cost = 0;
  for (std::size_t c = 0; c < plan.cells.size(); ++c) {
    const CellPlan& own = plan.cells[c];
    if (own.kind == PlanKind::kChoices) {
      cost += own.choices[static_cast<std::size_t>(pattern.choice[c])].price;
      continue;
    }
    cost += own.price_down * static_cast<double>(pattern.down[c]) +
            own.price_up * static_cast<double>(pattern.up[c]);
    if (own.kind == PlanKind::kSlide && pattern.up[c] != pattern.down[c])
      cost += own.price_changed;
  }
  return cost;
}

std::int64_t changed_cells(const Plan& plan, const Pattern& pattern) {
  std::int64_t changed = 0;
  for (std::size_t c = 0; c < plan.cells.size(); ++c) {
    const CellPlan& own = plan.cells[c];
    if (own.kind == PlanKind::kChoices)
      changed += own.choices[static_cast<std::size_t>(pattern.choice[c])].changed ? 1 : 0;
    if (own.kind == PlanKind::kSlide)
      changed += pattern.up[c] != pattern.down[c] ? 1 : 0;
  }
  return changed;
}

bool adds_up(const Plan& plan, const Pattern& pattern) {
  const Table& table = plan.problem->table();
  std::vector<CellEntry> entries;
  entries.reserve(plan.cells.size());
  for (std::int32_t c = 0; c < table.num_cells(); ++c)
    entries.push_back(entry_of(plan, pattern, CellId{c}));
  for (std::int32_t e = 0; e < table.num_equations(); ++e) {
    if (!equation_holds(table, EquationId{e}, entries))
      return false;
  }
  return plan.max_changed < 0 || changed_cells(plan, pattern) <= plan.max_changed;
}

CellPlan exact_plan(const Table& table, CellId cell) {
  const Units value = table.value(cell);
  CellPlan plan;
  plan.choices.push_back({Exact{}, value, {value, value}, 0, false});
  return plan;
}

CellPlan withheld_plan(double price) {
  CellPlan plan;
  plan.choices.push_back({Withheld{}, 0, {}, price, false});
  return plan;
}

}  // namespace lacuna::pattern
