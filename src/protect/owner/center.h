// SPDX-License-Identifier: Apache-2.0
// A table among those that fit a pattern, the same for all of them: of F(P, t) in (1) of
// public_course.h the one nearest to the public sizes,
//
//   minimize sum over hidden i of | y_i - size_i |   subject to   y in F(P, t).                (2)
//
// What is read of t is what P publishes.
#pragma once

#include <string>
#include <vector>

#include "lacuna/draft.h"
#include "lacuna/result.h"
#include "lacuna/run_context.h"
#include "lacuna/table.h"

namespace lacuna::owner {

// Numbers by cell, rounded to units; where sums do not hold by rounding, that is left to the caller.
Result<std::vector<Units>> center_of(const Table& table,
                                     const Draft& pattern,
                                     const std::vector<Units>& sizes,
                                     const std::string& engine,
                                     const RunContext& run);

}  // namespace lacuna::owner
