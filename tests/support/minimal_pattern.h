// SPDX-License-Identifier: Apache-2.0
// Patterns in which every secondary is needed, found with the auditor itself: cells are withheld in
// random order until all is protected, then given back one by one where that still holds. Because
// withholding more never narrows an interval, one pass leaves nothing superfluous.
#pragma once

#include <optional>
#include <vector>

#include "core/base/random.h"
#include "support/tables.h"

namespace lacuna::testing {

inline bool is_protected(const std::shared_ptr<const Problem>& problem, const Draft& draft) {
  AuditOptions verdicts;
  verdicts.intervals = false;
  return audit(problem, draft, verdicts).verdict == Verdict::kProtected;
}

inline std::vector<CellId> candidates(const Problem& problem, base::Random& random) {
  std::vector<CellId> cells;
  for (std::int32_t c = 0; c < problem.table().num_cells(); ++c) {
    if (problem.table().cell(CellId{c}).status == CellStatus::kFree)
      cells.push_back(CellId{c});
  }
  for (std::size_t i = cells.size(); i > 1; --i) {
    const auto other = random.between(0, static_cast<std::int64_t>(i) - 1);
    std::swap(cells[i - 1], cells[static_cast<std::size_t>(other)]);
  }
  return cells;
}

// Nothing if even withholding every candidate does not protect.
inline std::optional<Draft> minimal_pattern(const std::shared_ptr<const Problem>& problem,
                                            base::Random& random) {
  Draft draft = Draft::withholding_primaries(problem->table());
  std::vector<CellId> added;
  for (const CellId cell : candidates(*problem, random)) {
    if (is_protected(problem, draft))
      break;
    draft.withhold(cell);
    added.push_back(cell);
  }
  if (!is_protected(problem, draft))
    return std::nullopt;
  for (const CellId cell : added) {
    draft.publish_exact(cell);
    if (!is_protected(problem, draft))
      draft.withhold(cell);
  }
  return draft;
}

}  // namespace lacuna::testing
