// SPDX-License-Identifier: Apache-2.0
// The first model of the unified framework (Salazar-Gonzalez, Figure 3): the tables that save each
// sensitive cell from each attacker are variables of one mixed-integer program. In displacements,
// with f the table that moves p up and g the one that moves it down:
//
//   minimize sum_i w_i x_i
//   M f = 0, -LB_i x_i <= f_i <= UB_i x_i,  M g = 0, -LB_i x_i <= g_i <= UB_i x_i
//   f_p >= UPL, -g_p >= LPL, f_p - g_p >= SPL       for every requirement (p, attacker)
//   f_i - g_i >= W_i x_i                            for the conditional width of a free cell
//   sum_i x_i <= q
//
// Where we differ: cells that cannot be withheld have no variables; f and g are measured in units
// of the largest level of their requirement; and a cell need not move further than `largest_ratio`
// times that level, so that bounds without end become finite. By conformal decomposition the part
// of a displacement that moves p is a sum of circuits through p, whose entries are those of p times
// a ratio that is 1 in networks; for tables with more structure the ratio is an assumption,
// generous for the small tables this model is meant for. The exact audit has the last word on the
// pattern: one that passed only by the engine's tolerance is cut off and the model solved again.
//
// A second, independent way to the optimum: what the tests of the branch and cut compare with.
#pragma once

#include <cstdint>
#include <memory>

#include "lacuna/audit.h"
#include "lacuna/problem.h"
#include "lacuna/result.h"
#include "lacuna/run_context.h"
#include "lacuna/suppress.h"

namespace lacuna::suppression {

struct CompactOptions {
  // Only the requirements that one equation exposes when the primaries alone are withheld (Serpell
  // et al.: "initially exposed"). Not sound: the pattern may be unsafe, and the verdict says so.
  bool only_exposed = false;
  double largest_ratio = 64;  // >= 1; how far a cell may move for each unit that p moves
};

struct CompactResult {
  SuppressResult found;                   // complete only if the verdict passes
  Verdict verdict = Verdict::kUndecided;  // of the audit of found.draft against every requirement
  bool has_pattern = false;
  std::int64_t requirements = 0;  // that have tables in the model
  std::int64_t variables = 0, constraints = 0;
  std::int64_t repairs = 0;  // patterns that only the tolerance let pass
  double seconds = 0;
};

// Errors: unusable options; no engine for integers. An infeasible model is found.why ==
// kInfeasible.
Result<CompactResult> suppress_by_compact_model(const std::shared_ptr<const Problem>& problem,
                                                const SuppressOptions& options,
                                                const CompactOptions& compact,
                                                const RunContext& run);

}  // namespace lacuna::suppression
