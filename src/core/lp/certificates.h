// SPDX-License-Identifier: Apache-2.0
// Auxiliary models that yield the certificates an engine failed to deliver. All three are feasible
// or bounded by construction, so they end in an optimum whatever the original does.
//
//   any point   min 0 over the model
//   direction   min c'r, A r in the recession cone of the rows, r in that of the columns, |r| <= 1;
//               r is a direction of unboundedness if the minimum is negative
//   elastic     min sum s+ + s-, row_lower <= A x + s+ - s- <= row_upper; if the minimum is
//               positive its row duals are Farkas multipliers (phase one of the simplex method)
#pragma once

#include "lacuna/lp.h"

namespace lacuna::lp {

LpModel any_point_model(const LpModel& model);
LpModel direction_model(const LpModel& model);
LpModel elastic_model(const LpModel& model);

}  // namespace lacuna::lp
