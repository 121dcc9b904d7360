// SPDX-License-Identifier: Apache-2.0
// The rows of a dual program in leaf form, one per leaf: N'd + C'g = 0, where d_i is a sum of
// columns of its own with given signs and C u = 0 are the conditions on the leaves.
#pragma once

#include <vector>

#include "lacuna/lp.h"
#include "protect/common/suppress_model.h"

namespace lacuna::inline common {

// `lp` has signs.size() columns for each cell, cell after cell. Adds a free column for each
// condition, then the rows.
void add_leaf_rows(const SuppressModel& model, const std::vector<double>& signs, LpModel& lp);

}  // namespace lacuna::inline common
