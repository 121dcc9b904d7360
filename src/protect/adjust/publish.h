// SPDX-License-Identifier: Apache-2.0
// From the best deviations of all parts to the table that is published, at as many decimals as the
// gap needs (or as asked for).
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "lacuna/adjust.h"
#include "protect/adjust/model.h"
#include "protect/adjust/rounding.h"
#include "protect/adjust/tree.h"

namespace lacuna::adjustment {

struct Published {
  int digits = 0;            // more than the table has
  std::vector<Units> moves;  // by cell of the table
  double cost = 0;
  double bound = -kInfinity;  // of all tables with these digits; where that is known
};

// Whether the table keeps its own decimals: asked for, or a whole table of which nothing is asked.
bool keeps_units(const Table& table, const AdjustOptions& options);

// The deviations of the trees' incumbents, rounded; nothing if no rounding within the digits that
// fit keeps all bounds and levels. In L1 the engine is asked for vertices first, with no more work
// than `vertex_work`. A run that has ended gives the best so far, without vertices and margins.
std::optional<Published> publish(const Problem& problem,
                                 const Model& model,
                                 const ExactRounding& rounding,
                                 const std::vector<std::unique_ptr<Tree>>& trees,
                                 const AdjustOptions& options,
                                 std::int64_t vertex_work,
                                 const RunContext& run);

}  // namespace lacuna::adjustment
