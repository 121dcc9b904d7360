// SPDX-License-Identifier: Apache-2.0
// An adjusted table in the units of the table itself: persons stay whole. Rounding the leaves one
// by one (rounding.h) misses the levels of sums where levels are a few units; here every cell has a
// choice of numbers next to its deviation, on either side of a sensitive cell that may take both,
// at its own price, and an integer program (or, for large tables, the repair of controlled
// rounding) picks those that add up at the least cost.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "lacuna/problem.h"
#include "lacuna/run_context.h"
#include "protect/adjust/model.h"

namespace lacuna::adjustment {

struct IntegerTable {
  std::vector<Units> moves;  // by cell of the table
  double cost = 0;
  double bound = -kInfinity;  // no table in these units costs less; where that is known
};

// `z` by cell of the table, as numbers: deviations to look for a table near. Nothing if none was
// found; that is a proof of nothing.
std::optional<IntegerTable> integer_table(const Problem& problem,
                                          const Model& model,
                                          const std::vector<double>& z,
                                          double gap,
                                          const std::string& engine,
                                          const RunContext& run);

}  // namespace lacuna::adjustment
