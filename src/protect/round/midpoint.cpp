// SPDX-License-Identifier: Apache-2.0
#include "protect/round/midpoint.h"

#include <cmath>

#include "core/table/check_counts.h"

namespace lacuna::rounding {

Result<MethodResult> round_to_midpoints(const Problem& problem, Units base) {
  if (base < 2)
    return Error{ErrorCode::kOptionValue, "midpoints need a base of at least 2", "--base"};
  const Table& table = problem.table();
  LACUNA_RETURN_IF_ERROR(table::check_are_counts(table));
  MethodResult found;
  for (std::int32_t c = 0; c < table.num_cells(); ++c) {
    const CellId id{c};
    const Cell& cell = table.cell(id);
    if (cell.status == CellStatus::kSecondary) {
      found.draft.withhold(id);
      continue;
    }
    if (!may_be_withheld(cell) || cell.value == 0)
      continue;  // no other count becomes 0, so that a zero is the truth
    const Units classes = (cell.value - 1) / base;
    if (classes >= kMaxUnits / base - 1)
      return Error{
          ErrorCode::kNumberTooLarge, "the count is too large to be rounded", table.label(id)};
    const Bounds range{classes * base + 1, (classes + 1) * base};
    const Units middle = range.upper - base / 2;
    found.draft.publish_altered(id, middle, range);
    found.cost += cell.weight * std::abs(static_cast<double>(middle - cell.value));
  }
  found.bound = found.cost;
  found.why = StopReason::kOptimal;
  found.complete = true;
  return found;
}

}  // namespace lacuna::rounding
