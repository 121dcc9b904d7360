// SPDX-License-Identifier: Apache-2.0
// Which inner cells a reader of the published sums knows: those that are published, and those that
// can be computed, by adding and subtracting published sums. With A the 0/1 matrix of the published
// cells over the inner cells that are not empty, x_i can be computed if the unit vector e_i is in
// the row space of A, that is, if the reduced echelon form of A has the row e_i (modulo a prime;
// "leverage" of Langsrud and Heldal). Whoever computes x_i in 1 .. b-1 would know f_i: such cells
// must be rounded like published ones.
#pragma once

#include <vector>

#include "lacuna/table.h"
#include "protect/small_counts/inner.h"

namespace lacuna::small_counts {

// By inner cell. Where there are too many that are not published, all count as seen.
std::vector<bool> seen_cells(const Table& table, const Inner& inner);

}  // namespace lacuna::small_counts
