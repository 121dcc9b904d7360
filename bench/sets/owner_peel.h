// SPDX-License-Identifier: Apache-2.0
// Peeling, as an experiment (docs/owner.md, section 7). Patterns P_1, P_2, ... have a public order:
// the first choices for growing reserves. Of the tables that fit P_k with the numbers that t
// publishes under it, those are left that no earlier pattern took:
//
//   R_k(t) = { y in F(P_k, t) : no R_j(y) with j < k keeps all widths },
//
// and t takes the first P_k of which R_k(t) keeps them. Then F_A = R_k(t), so that every width
// holds against the owner of the program by construction, without any reserve. It takes the list of
// all tables that fit, of each of them, and so on: exponential, and no part of the program.
#pragma once

#include "bench/sets/owner_attack.h"
#include "bench/sets/owner_table.h"
#include "lacuna/run_context.h"

namespace lacuna::bench {

OwnerRelease peel_release(const OwnerRow& row,
                          const OwnerFrame& frame,
                          const OwnerTable& table,
                          const OwnerLimits& limits,
                          const RunContext& run);

}  // namespace lacuna::bench
