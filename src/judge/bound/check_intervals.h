// SPDX-License-Identifier: Apache-2.0
// The check of a log of the bound of intervals. Cell i is published as [a_i - z-_i, a_i + z+_i] at
// the price w_i for every unit of z; with t = s D e_p - M'g the attacker of a requirement has
//   D h <= sum_i t+_i min(z+_i, up_i) + t-_i min(z-_i, down_i)                              (28)
// where h is how far the cell can go to that side: at least the level, and both sides together at
// least the sliding level. An end pays with what is left of W w_i; what goes beyond it, the attacker's
// own limit bounds. docs/proof.md has the derivation.
#pragma once

#include <vector>

#include "lacuna/bound_log.h"
#include "lacuna/integer.h"
#include "lacuna/problem.h"
#include "lacuna/result.h"

namespace lacuna::bound {

// Cells that may be published as intervals, and those that are withheld whatever is done.
std::vector<bool> priced_cells(const Problem& problem);
std::vector<bool> withheld_cells(const Problem& problem);

// What W times the cost of the ends comes to at least, in units of the log. Errors: a step does not
// follow.
Result<Integer> sum_of_needs(const Problem& problem,
                             const std::vector<Integer>& values,  // by cell
                             const IntervalBound& log);

// The same for the log as a whole: what every release of intervals costs at least.
Result<Fraction> check_intervals(const Problem& problem, const BoundLog& log);

}  // namespace lacuna::bound
