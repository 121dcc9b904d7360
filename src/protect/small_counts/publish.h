// SPDX-License-Identifier: Apache-2.0
// What is published, and what a reader who knows the method and the base can say of it. Of an inner
// cell that is seen (seen.h):
//   x = 0: 0 <= f <= b-1,    x = b: 1 <= f <= b,    x > b: f = x, for large counts stay.
// Of a sum, the ranges of its seen inner cells added up; and of the rest, U = X - (what is seen),
// spread over at most n inner cells that nobody sees: each of them at b may have been 1, and each
// at 0 may have been b-1,
//   U - (b-1) floor(U / b) <= F - (what is seen) <= U + (b-1) n.
// The release states these ranges (Altered), and a number whose range is a point is exact. The
// audit then judges what a reader makes of all of them together; that the numbers add up tells
// nothing more, because every choice of the inner cells within their ranges could have led there.
#pragma once

#include <vector>

#include "lacuna/draft.h"
#include "lacuna/problem.h"
#include "protect/small_counts/inner.h"

namespace lacuna::small_counts {

// `x` by inner cell. Cells that were withheld before stay so.
Draft published(const Problem& problem,
                const Inner& inner,
                const std::vector<bool>& seen,
                const std::vector<Units>& x,
                Units base);

}  // namespace lacuna::small_counts
