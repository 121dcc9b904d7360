// SPDX-License-Identifier: Apache-2.0
// Models whose columns do not meet in any row: no rows at all, or no columns. Each column goes to
// its better bound; a row is then satisfied by zero or is itself the proof of infeasibility.
#pragma once

#include "lacuna/lp.h"

namespace lacuna {

// Pre: no crossed bounds, and the model has no rows or no columns.
LpSolution solve_trivial(const LpModel& model);
// All rows basic, every column at the bound its cost asks for.
LpBasis slack_basis(const LpModel& model);

}  // namespace lacuna
