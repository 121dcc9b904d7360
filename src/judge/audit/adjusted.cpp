// SPDX-License-Identifier: Apache-2.0
#include "judge/audit/adjusted.h"

#include <algorithm>

#include "core/base/rational.h"
#include "judge/audit/judge.h"

namespace lacuna::audit {
namespace {

Units published(const Table& table, const Draft& draft, CellId cell) {
  const auto entry = draft.find(cell);
  return entry == nullptr ? table.value(cell) : entry->number().value_or(table.value(cell));
}

}  // namespace

Status check_adjusted(const Table& table, const Draft& draft) {
  std::vector<Units> shown;
  shown.reserve(static_cast<std::size_t>(table.num_cells()));
  for (const Cell& cell : table.cells())
    shown.push_back(cell.value);
  for (const CellEntry& entry : draft.each()) {
    const Units number = entry.number().value_or(table.value(entry.cell));
    if (!table.cell(entry.cell).prior.contains(number)) {
      return Error{ErrorCode::kFalseRelease,
                   "the published value lies outside the bounds that everyone knows",
                   table.label(entry.cell)};
    }
    shown[static_cast<std::size_t>(entry.cell.value)] = number;
  }
  for (std::int32_t e = 0; e < table.num_equations(); ++e) {
    Wide sum = 0;
    for (const Term& term : table.equation(EquationId{e}))
      sum += Wide{term.coefficient} * shown[static_cast<std::size_t>(term.cell.value)];
    if (sum != table.rhs(EquationId{e})) {
      return Error{ErrorCode::kNotAdditive,
                   "the adjusted table does not add up",
                   table.label(EquationId{e})};
    }
  }
  return ok_status();
}

void judge_adjusted(const Problem& problem, const Draft& draft, Finding& finding) {
  const Table& table = problem.table();
  const Question& need = finding.question;
  const Units half = need.half_sliding();
  const Wide move = Wide{published(table, draft, need.cell)} - table.value(need.cell);
  finding.low = finding.high = End{};
  End& side = move < 0 ? finding.low : finding.high;
  side.reached = base::to_integer(move < 0 ? -move : move);
  const bool outside = move >= std::max(need.upper, half) || move <= -std::max(need.lower, half);
  finding.verdict = outside && move != 0 ? met(need) : Verdict::kExposed;
  finding.reason = outside && move != 0 ? ""
                   : move == 0          ? "published as it is"
                                        : "the published value lies inside the protection interval";
  finding.verdict = waived(problem, finding.verdict);
}

}  // namespace lacuna::audit
