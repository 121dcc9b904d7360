// SPDX-License-Identifier: Apache-2.0
// Midpoint rounding of counts, as health data are published (OpenSAFELY): with base r a count n > 0
// becomes the middle of its class of r counts,
//
//   v = r ceil(n / r) - floor(r / 2),   so that   v - ceil(r / 2) + 1 <= n <= v + floor(r / 2),
//
// and 0 stays 0. For r = 6: 3, 9, 15, ..., and v says v - 2 .. v + 3. Every cell is rounded by
// itself: the same count is the same number in every table, and sums do not add up. What their gaps
// give away is a matter of the audit.
#pragma once

#include "lacuna/method.h"
#include "lacuna/problem.h"
#include "lacuna/result.h"

namespace lacuna::rounding {

// Errors: a base below 2; a table that is not one of counts. There is nothing to choose, so the
// bound is the cost.
Result<MethodResult> round_to_midpoints(const Problem& problem, Units base);

}  // namespace lacuna::rounding
