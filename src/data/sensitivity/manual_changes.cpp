// SPDX-License-Identifier: Apache-2.0
#include "data/sensitivity/manual_changes.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "core/table/check_counts.h"
#include "data/sensitivity/manual_levels.h"
#include "lacuna/count_rules.h"

namespace lacuna::sensitivity {
namespace {

CellStatus status_of(AprioriStatus status) {
  switch (status) {
    case AprioriStatus::kSafe:
      return CellStatus::kFree;
    case AprioriStatus::kUnsafe:
      return CellStatus::kPrimary;
    case AprioriStatus::kMustPublish:
      return CellStatus::kMustPublish;
    case AprioriStatus::kSecondary:
      return CellStatus::kSecondary;
  }
  return CellStatus::kFree;
}

std::vector<Requirement> as_given(std::vector<Requirement> needs) {
  for (Requirement& need : needs)
    need.sliding = need.given_sliding();
  return needs;
}

}  // namespace

ManualChanges::ManualChanges(Problem problem, const SensitivityOptions& levels)
    : problem_(std::move(problem)),
      levels_(levels),
      cells_(problem_.table().cells().begin(), problem_.table().cells().end()),
      needs_(problem_.requirements()) {}

Status ManualChanges::apply(CellId id, const AprioriEntry& entry) {
  Cell& cell = cells_[static_cast<std::size_t>(id.value)];
  if (entry.status)
    LACUNA_RETURN_IF_ERROR(set_status(id, cell, *entry.status));
  if (entry.cost)
    cell.weight = *entry.cost;
  if (entry.has_bounds())
    cell.prior = {entry.lower_bound.value_or(cell.prior.lower),
                  entry.upper_bound.value_or(cell.prior.upper)};
  return entry.has_levels() ? set_levels(id, cell, entry) : ok_status();
}

Result<Problem> ManualChanges::finished() && {
  const Table& old = problem_.table();
  TableBuilder builder(old.decimals(), old.dimensions());
  for (std::size_t c = 0; c < cells_.size(); ++c)
    LACUNA_RETURN_IF_ERROR(added(builder, CellId{static_cast<std::int32_t>(c)}));
  for (std::int32_t e = 0; e < old.num_equations(); ++e) {
    LACUNA_TRY(const EquationId same,
               builder.add_equation(old.equation(EquationId{e}), old.rhs(EquationId{e})));
    static_cast<void>(same);
  }
  LACUNA_TRY(Table table, std::move(builder).build());
  std::vector<Requirement> needs = as_given(needs_);
  for (const CellId cell : made_sensitive_) {
    const auto outside = requirement_of(cell);
    for (const Requirement& need :
         manual_levels_for_insiders(table, problem_.attackers(), *outside, levels_))
      needs.push_back(need);
  }
  LACUNA_TRY(Problem made, make_problem(std::move(table), problem_.attackers(), std::move(needs)));
  LACUNA_RETURN_IF_ERROR(made.set_keys(problem_.keys()));
  made.set_waiver(problem_.waiver());
  return asked_again(std::move(made));
}

// What is asked of counts is asked of the cells that are sensitive now, where options say it.
Result<Problem> ManualChanges::asked_again(Problem made) const {
  if (!problem_.counts())
    return made;
  CountRules rules = *problem_.counts();
  if (const auto options = changes_status_ ? count_options_of(problem_) : std::nullopt) {
    LACUNA_TRY(rules.questions, count_questions(made, *options));
  }
  table::drop_levels_without_requirement(made, rules.questions);
  LACUNA_RETURN_IF_ERROR(made.set_counts(std::move(rules)));
  return made;
}

Status ManualChanges::added(TableBuilder& builder, CellId cell) const {
  const auto done =
      builder.add_cell(cells_[static_cast<std::size_t>(cell.value)], problem_.table().codes(cell));
  if (done)
    return ok_status();
  return Error{done.error().code, done.error().message, problem_.table().label(cell)};
}

// A sensitive cell is neither shown nor taken for a mere secondary before somebody has called it
// safe in so many words.
Status ManualChanges::set_status(CellId id, Cell& cell, AprioriStatus status) {
  const bool lifts = status == AprioriStatus::kMustPublish || status == AprioriStatus::kSecondary;
  if (lifts && cell.status == CellStatus::kPrimary)
    return Error{ErrorCode::kWrongStatus,
                 "the cell is sensitive; call it safe (S) first if that is meant",
                 problem_.table().label(id)};
  if (cell.status == CellStatus::kKnown)  // what everyone knew by status alone is open again
    cell.prior = {std::min<Units>(0, cell.value), kUnboundedAbove};
  cell.status = status_of(status);
  changes_status_ = true;
  if (status == AprioriStatus::kUnsafe && has_levels(id))
    return ok_status();
  std::erase_if(needs_, [&](const Requirement& need) { return need.cell == id; });
  made_sensitive_.erase(id);
  if (status != AprioriStatus::kUnsafe)
    return ok_status();
  LACUNA_TRY(const Requirement need, manual_level(problem_.table(), cell, id, levels_));
  needs_.push_back(need);
  made_sensitive_.insert(id);
  return ok_status();
}

// Of a rule or of the table; zeros that were raised are none.
bool ManualChanges::has_levels(CellId id) const {
  return std::any_of(needs_.begin(), needs_.end(), [&](const Requirement& need) {
    return need.cell == id && need.origin != LevelOrigin::kImplied;
  });
}

// Of the outsider.
std::vector<Requirement>::iterator ManualChanges::requirement_of(CellId id) {
  return std::find_if(needs_.begin(), needs_.end(), [&](const Requirement& each) {
    return each.cell == id && each.attacker == 0;
  });
}

// Of the outsider; what others may not learn follows from the rules, or from these.
Status ManualChanges::set_levels(CellId id, const Cell& cell, const AprioriEntry& entry) {
  if (cell.status != CellStatus::kPrimary)
    return Error{ErrorCode::kWrongStatus,
                 "levels are for sensitive cells; give it the status U as well",
                 problem_.table().label(id)};
  auto need = requirement_of(id);
  if (need == needs_.end())
    need = needs_.insert(need, Requirement{.cell = id});
  need->origin = LevelOrigin::kGiven;
  need->lower = entry.lower.value_or(need->lower);
  need->upper = entry.upper.value_or(need->upper);
  need->sliding = entry.sliding.value_or(need->sliding);
  return ok_status();
}

}  // namespace lacuna::sensitivity
