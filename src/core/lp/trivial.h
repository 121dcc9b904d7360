// SPDX-License-Identifier: Apache-2.0
// Models whose columns do not meet in any row: no rows, no columns, or nothing but zeros between
// them. Each column goes to its better bound; a row allows zero or is the proof of infeasibility.
#pragma once

#include "lacuna/lp.h"

namespace lacuna::lp {

bool is_trivial(const LpModel& model);
// Pre: is_trivial(model), no crossed bounds.
LpSolution solve_trivial(const LpModel& model);
// All rows basic, every column at the bound its cost asks for.
LpBasis slack_basis(const LpModel& model);

}  // namespace lacuna::lp
