// SPDX-License-Identifier: Apache-2.0
// Parallel cells: all that can only move together. With z = B y, B a basis of the displacements
// M z = 0 over the cells that may move, two cells whose rows of B are equal up to sign have
// z_i = +-z_j whatever y is, and a cell whose row is zero cannot move (parallel elements and loops
// of a matroid; Oxley 2011, chapter 1). One equation seldom says so, several together do: in a
// deep table with absent cells a quantity comes back in many totals.
//
// B comes from an elimination modulo a prime (kernel_tableau.h), part by part, and is lifted to
// fractions of small numbers that are put into every equation in whole numbers. If all hold, the
// columns of B are displacements, and as rank M is at least the rank modulo the prime there are no
// others: what is found is proven. Where that fails or takes too long, cells stay as they are.
#pragma once

#include <vector>

#include "judge/presolve/ties.h"
#include "lacuna/run_context.h"

namespace lacuna::presolve {

// Ties all parallel classes, and fixes those that cannot move.
void tie_parallel(Ties& ties, const RunContext& run);

}  // namespace lacuna::presolve
