// SPDX-License-Identifier: Apache-2.0
// Small-count rounding (Langsrud and Heldal 2018, "Preserving additivity by rounding only small
// counts"): counts 1 .. b-1 of inner cells become 0 or b, all other inner cells stay, and what is
// published are sums of inner cells, so that everything adds up and no 1 .. b-1 is left:
//
//   minimize  sum_c w_c |X_c - F_c|,   X_c = sum_{i in c} x_i,   F_c = sum_{i in c} f_i,
//   x_i = f_i  if f_i = 0 or f_i >= b,   x_i in { 0, f_i, b }  else,
//   X_c = 0 or X_c >= b  for every published cell c.
//
// The greedy method is theirs; the integer program, and with it a bound, are ours. docs/counts.md
// has both, and what a reader who knows the method can say of a cell.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "lacuna/draft.h"
#include "lacuna/export.h"
#include "lacuna/method.h"
#include "lacuna/problem.h"
#include "lacuna/result.h"
#include "lacuna/run_context.h"

namespace LACUNA_API lacuna {

struct SmallCountOptions {
  Units base = 3;           // >= 2: no count below it is published, but for 0
  double relative_gap = 0;  // in [0, 1): stop once (cost - bound) / cost is at most this
  Effort effort = Effort::kDefault;
  std::string engine;  // empty: the preferred one

  Status validate() const;
};

struct SmallCountResult : MethodResult {
  std::int64_t inner = 0;      // inner cells
  std::int64_t small = 0;      // ... with a count in 1 .. b-1
  std::int64_t raised = 0;     // ... that became b,
  std::int64_t dropped = 0;    // ... or 0
  std::int64_t rounds = 0;     // of the greedy method: again for sums that have become small
  std::int64_t exchanges = 0;  // flips and exchanges that made it better
  bool exact = false;          // the integer program was asked
  bool coupled = false;        // inner cells of linked tables were made from what the tables say
};

// Errors: unusable options; a table that is not one of counts (decimals, negative numbers,
// equations that are no sums); linked tables whose links run in a circle.
Result<SmallCountResult> round_small_counts(const std::shared_ptr<const Problem>& problem,
                                            const SmallCountOptions& options,
                                            const RunContext& run);

}  // namespace lacuna
