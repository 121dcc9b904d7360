// SPDX-License-Identifier: Apache-2.0
// The greedy method of Langsrud and Heldal (2018). Candidates are the small inner cells that are
// seen or feed a small published sum. All of them drop to 0; then as many rise to b as bring the
// number of persons back, (sum of what was lost) / b, each time the one of the largest coefficient
//   sum_{r with i} w_r (T_r - X_r),
// which lowers the squared deviations most; equal ones in seeded order. Sums that have become small
// bring new candidates, until there are none. Then exchanges: a cell goes the other way, or two
// change places, wherever the weighted deviations become less and no sum becomes small.
// Where we differ: for large tables many rise between two looks at all coefficients (each is looked
// at anew before it rises), and exchanges go by the absolute deviations that are asked for.
#pragma once

#include <cstdint>
#include <vector>

#include "lacuna/run_context.h"
#include "protect/small_counts/program.h"

namespace lacuna::small_counts {

struct Roundings {  // what every small inner cell becomes
  std::vector<Units> x;
  double cost = 0;
  std::int64_t rounds = 0;
  std::int64_t exchanges = 0;
};

// Complete whatever the limits are: they end the exchanges, not the rounding itself.
Roundings round_greedily(const Program& program, const RunContext& run);

}  // namespace lacuna::small_counts
