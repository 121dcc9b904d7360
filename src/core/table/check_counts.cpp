// SPDX-License-Identifier: Apache-2.0
#include "core/table/check_counts.h"

#include <algorithm>
#include <string>
#include <utility>

#include "core/base/spelling.h"

namespace lacuna::table {
namespace {

Error bad_counts(std::string message) {
  return {ErrorCode::kJobValue, std::move(message), "counts"};
}

bool names_cell(const Table& table, CellId cell) {
  return cell.value >= 0 && cell.value < table.num_cells();
}

bool has_requirement(const Problem& problem, const CountQuestion& question) {
  return requirement_about(problem, question.cell, question.attacker) != nullptr;
}

// Of a release and not of a file: the withheld parts of an equation together.
Status check_implied(const Table& table, const CountQuestion& question) {
  for (const Term& term : question.form) {
    if (!names_cell(table, term.cell) || term.coefficient != 1)
      return bad_counts("an implied question has a form that is not a sum of cells");
  }
  if (question.form.empty() || question.form.front().cell != question.cell)
    return bad_counts("an implied question has a form of other cells");
  return ok_status();
}

// Of a sum of the table the form is never larger than its cells; a file can name any cells.
Status check_form(const Table& table, const LinearForm& form) {
  Wide value = 0;
  for (std::size_t i = 0; i < form.size(); ++i) {
    if (i > 0 && !(form[i - 1].cell < form[i].cell))
      return bad_counts("a question names a cell twice");
    value += Wide{form[i].coefficient} * table.value(form[i].cell);
  }
  return value <= kMaxUnits && value >= -kMaxUnits
             ? ok_status()
             : bad_counts("the counts of a question are too large when added up");
}

Status check_question(const Problem& problem, const CountQuestion& question) {
  const auto attackers = static_cast<std::int32_t>(problem.attackers().size());
  if (question.attacker < 0 || question.attacker >= attackers)
    return bad_counts("a question names an attacker that does not exist");
  if (!names_cell(problem.table(), question.cell))
    return bad_counts("a question names a cell that does not exist");
  if (question.kind == CountKind::kLevels && !has_requirement(problem, question))
    return bad_counts("a question about levels has no requirement");
  if (question.kind == CountKind::kImplied)
    return check_implied(problem.table(), question);
  if (question.kind != CountKind::kAll && question.kind != CountKind::kGroup)
    return question.form == form_of_cell(question.cell)
               ? ok_status()
               : bad_counts("a question has a form of its own");
  if (!names_cell(problem.table(), question.group))
    return bad_counts("a question names a group that does not exist");
  std::vector<CellId> parts;
  for (const Term& term : question.form) {
    if (term.coefficient < 0)
      parts.push_back(term.cell);
  }
  const bool in_parts = std::find(parts.begin(), parts.end(), question.cell) != parts.end();
  const bool one = question.kind == CountKind::kGroup || parts.size() == 1;
  if (!in_parts || !one || question.form != form_of_rest(question.group, parts))
    return bad_counts("a question has a form that is not its group without its parts");
  return ok_status();
}

}  // namespace

const Requirement* requirement_about(const Problem& problem, CellId cell, std::int32_t attacker) {
  const auto key_of = [](const Requirement& need) { return std::pair(need.cell, need.attacker); };
  const std::pair key(cell, attacker);
  const auto at = std::lower_bound(
      problem.requirements().begin(),
      problem.requirements().end(),
      key,
      [&](const Requirement& need, const auto& wanted) { return key_of(need) < wanted; });
  return at != problem.requirements().end() && key_of(*at) == key ? &*at : nullptr;
}

void drop_levels_without_requirement(const Problem& problem,
                                     std::vector<CountQuestion>& questions) {
  std::erase_if(questions, [&](const CountQuestion& question) {
    return question.kind == CountKind::kLevels && !has_requirement(problem, question);
  });
}

LinearForm form_of_cell(CellId cell) {
  return {{cell, 1}};
}

LinearForm form_of_rest(CellId group, std::vector<CellId> parts) {
  LinearForm form{{group, 1}};
  for (const CellId part : parts)
    form.push_back({part, -1});
  std::sort(form.begin(), form.end(), [](const Term& a, const Term& b) { return a.cell < b.cell; });
  return form;
}

Status check_are_counts(const Table& table) {
  if (table.decimals() > 0) {
    return Error{ErrorCode::kNotCounts,
                 "the table has decimals, and counts have none; leave out " +
                     base::named_section("[counts]") + " and " + base::named_option("counts") +
                     ", or read it with " + base::named_setting("[input]", "decimals", "0"),
                 ""};
  }
  for (std::int32_t c = 0; c < table.num_cells(); ++c) {
    if (table.value(CellId{c}) < 0) {
      return Error{ErrorCode::kNotCounts,
                   "a count is negative; leave out " + base::named_section("[counts]") + " and " +
                       base::named_option("counts"),
                   table.label(CellId{c})};
    }
  }
  return ok_status();
}

Status check_count_rules(const Problem& problem, const CountRules& rules) {
  LACUNA_RETURN_IF_ERROR(check_are_counts(problem.table()));
  const auto within = [](std::int64_t number, std::int64_t least) {
    return number >= least && number < kMaxUnits;
  };
  if (!within(rules.threshold, 1) || !within(rules.ambiguity, 1) || !within(rules.coalition, 0))
    return bad_counts(
        "threshold and ambiguity must be at least 1, and the coalition must not be negative");
  for (const CountQuestion& question : rules.questions) {
    LACUNA_RETURN_IF_ERROR(check_question(problem, question));
    LACUNA_RETURN_IF_ERROR(check_form(problem.table(), question.form));
  }
  return ok_status();
}

}  // namespace lacuna::table
