// SPDX-License-Identifier: Apache-2.0
// Controlled rounding of large tables: prices of the equations and the bound that they prove
// (prices.h), the choice of each cell that is cheapest under them, repair until every equation
// holds (repair.h): once from a few sweeps, so that there is a table early, and once from the best
// prices. The result adds up exactly; how far it is from the best possible is known on
// the whole table.
#pragma once

#include <cstdint>
#include <span>

#include "lacuna/run_context.h"
#include "protect/pattern/plan.h"

namespace lacuna::rounding {

struct LargeResult {
  bool complete = false;
  pattern::Pattern pattern;
  double cost = 0, bound = 0;
  std::int64_t flips = 0;
};

// `wishes` as in SearchOptions; a table that agrees with them may cost (1 + wish_cost) times as
// much as the best one found.
LargeResult round_large(const pattern::Plan& plan,
                        std::span<const std::int32_t> wishes,
                        double wish_cost,
                        const RunContext& run);

}  // namespace lacuna::rounding
