// SPDX-License-Identifier: Apache-2.0
// How much of the noise is left to a reader who averages: noises of different sets of units are
// independent with variance V, so that the best linear guess of the table is the projection of the
// published numbers on { y : M y = b }, and what is left of cell c has variance V P_cc, P the
// projection on the kernel of M. In leaf form y = X u, P = X (X'X)^-1 X'; its trace is the number
// of leaves. Of a full table of flat dimensions with r_k parts, P_cc = prod r_k / (r_k + 1).
#pragma once

#include "lacuna/cellkey.h"
#include "lacuna/table.h"

namespace lacuna::cellkey {

// P_cc by cell; empty if the table is neither full and flat nor has at most `most_leaves` leaves.
std::vector<double> kernel_shares(const Table& table, std::int64_t most_leaves);

// P(|e| < 1/2) of normal noise with this variance: how often rounding finds a whole number.
double share_right(double variance);

}  // namespace lacuna::cellkey
