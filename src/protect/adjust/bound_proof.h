// SPDX-License-Identifier: Apache-2.0
// Writes the log of the bound of adjusted tables (lacuna/bound_log.h, judge/bound/check_tables.h): a
// tree of senses of its own, whose leaves are the multipliers of plain relaxations
// (interior_point.h), rounded. Any multipliers give a bound, so that rounding them costs next to
// nothing; what they come to says the checker, in whole numbers.
#pragma once

#include <optional>

#include "lacuna/adjust.h"
#include "lacuna/bound_log.h"
#include "lacuna/problem.h"
#include "lacuna/run_context.h"

namespace lacuna::adjustment {

// `problem` with the decimals that are published. The tree is not refined beyond a bound of
// `enough`, in the measure of the method. Nothing: no bound above zero can be shown.
std::optional<BoundLog> prove_bound(const Problem& problem,
                                    AdjustNorm norm,
                                    double enough,
                                    const RunContext& run);

}  // namespace lacuna::adjustment
