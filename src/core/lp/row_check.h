// SPDX-License-Identifier: Apache-2.0
// The row half of LpModel::validate, for rows that will be appended to a model with num_columns.
#pragma once

#include "lacuna/lp.h"

namespace lacuna::lp {

Status validate_rows(const LpModel& model, std::int32_t num_columns);

}  // namespace lacuna::lp
