// SPDX-License-Identifier: Apache-2.0
// The formulations of Castro, Frangioni and Gentile for comparison, with a MILP engine: the squares
// are replaced by tangents, added where the last solution violates them, until the gap is closed.
//   (13)    z = z+ - z-,  u y <= z+ <= hi y,  l (1 - y) <= z- <= -lo (1 - y),  y in {0, 1}
//   MIQP+   t >= w (z+ + z-)^2:      t >= w (2 s (z+ + z-) - s^2)                       for points
//   s P/C     t+ >= w (z+)^2 / y:      t+ >= w (2 s z+ - s^2 y), t- the same with 1 - y   for
//   points s
// Not for use: our own search is far faster. It redraws the paper's comparison on one machine.
#pragma once

#include <string>

#include "lacuna/adjust.h"
#include "lacuna/problem.h"
#include "lacuna/result.h"
#include "lacuna/run_context.h"

namespace lacuna::models {

enum class CtaFormulation : std::uint8_t { kMiqpPlus, kPerspectiveCuts };

struct CtaFormulationResult {
  double cost = 0, bound = 0;  // cost infinite: no table found
  std::int64_t rounds = 0, cuts = 0;
  double seconds = 0;
};

// L2 with free senses. Errors: no engine that takes integers; a cell that cannot be protected.
Result<CtaFormulationResult> adjust_by_formulation(const Problem& problem,
                                                   CtaFormulation formulation,
                                                   double gap,
                                                   const RunContext& run);

}  // namespace lacuna::models
