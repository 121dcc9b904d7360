// SPDX-License-Identifier: Apache-2.0
// What sums one after the other do not tell: cells that are unknown in several links at once. The
// links of a component become a table; any one that fits takes the place of the truth, and the
// audit is asked for the interval of every cell that is small in it. A cell that is not small there
// need not be small, so nobody is sure that it is.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/check/derive.h"
#include "app/check/judge.h"

namespace lacuna::checking {

struct BoundedCell {
  std::int32_t cell = -1;
  bool decided = true;
  Units low = 0, high = 0;
  std::vector<EvidenceSum> sums;  // places are not chosen yet
  std::vector<std::int32_t> links;
};

struct AuditedCells {
  std::vector<BoundedCell> small;                         // that are surely small, or not decided
  std::vector<std::vector<std::int32_t>> contradictions;  // cells whose numbers do not fit
};

Result<AuditedCells> audit_cells(const CheckSystem& system,
                                 const Derivation& known,
                                 const std::vector<bool>& uses,
                                 const std::vector<bool>& skipped,
                                 const JudgeOptions& options,
                                 const RunContext& run);

}  // namespace lacuna::checking
