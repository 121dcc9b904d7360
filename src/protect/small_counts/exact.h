// SPDX-License-Identifier: Apache-2.0
// The integer program of small-count rounding (lacuna/small_counts.h). Columns: u_i = 1 if x_i = b;
// where x_i may stay also p_i = 1 if x_i = 0, u_i + p_i <= 1; d_r >= |sum x - T_r|; and y_r of
// guarded rows:
//   x_i = b u_i   or   f_i (1 - p_i - u_i) + b u_i,
//   b y_r <= sum_{i in r} x_i <= (sum of the largest x_i) y_r.
// A row whose members all go to 0 or b has a whole number k of them at b, and |b k - T| over whole
// k is convex with a third piece between k0 = floor(T / b) and k0 + 1, which no fraction may cut:
//   d >= (T - b k0) + (k - k0) (b (2 k0 + 1) - 2 T).
// Without it the relaxation would pay nothing for most sums.
#pragma once

#include <string>
#include <vector>

#include "lacuna/result.h"
#include "lacuna/run_context.h"
#include "protect/small_counts/program.h"

namespace lacuna::small_counts {

struct ExactAnswer {
  bool found = false;    // x is better than what it began with
  std::vector<Units> x;  // by small inner cell
  double bound = 0;      // proven: no rounding costs less
};

// `start` is a rounding, and only what costs less is looked for.
Result<ExactAnswer> round_exactly(const Program& program,
                                  const std::vector<Units>& start,
                                  double gap,
                                  const std::string& engine,
                                  const RunContext& run);

}  // namespace lacuna::small_counts
