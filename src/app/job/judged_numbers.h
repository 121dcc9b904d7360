// SPDX-License-Identifier: Apache-2.0
// Suppression of a table with numbers that readers have whatever is withheld: derived columns that
// are published everywhere (docs/derived.md). Such a system is no network, and a safe pattern may
// be far from those that are cheap without the numbers. So a pattern is grown from what the audit
// proves (protect/methods/grow.h), which ends soon and says so if there is none; then, in a system
// that is not too large, the search for the cheapest goes on from there.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "app/job/jobs.h"
#include "lacuna/protect.h"
#include "lacuna/result.h"
#include "lacuna/run_context.h"

namespace lacuna::job {

struct GrowFrom {  // cells that are withheld to begin with; of `problem`
  std::vector<CellId> withheld;
  double most = -1;    // nothing that costs as much is of use; -1: anything is
  bool search = true;  // for something cheaper afterwards
  // Cells that are withheld together or not at all; the rest are choices of their own.
  std::vector<std::vector<CellId>> groups{};
};

// `own_cells` of the problem are those of the table. Complete, or stopped before anything was safe.
// Errors: no pattern is safe; unusable options.
Result<ProtectResult> protect_with_numbers(const ProtectJob& job,
                                           const ProtectOptions& options,
                                           const std::shared_ptr<const Problem>& problem,
                                           const GrowFrom& from,
                                           const RunContext& run);

}  // namespace lacuna::job
