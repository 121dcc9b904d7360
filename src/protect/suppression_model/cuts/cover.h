// SPDX-License-Identifier: Apache-2.0
// Cover inequalities (Balas 1975; for suppression Fischetti and Salazar-Gonzalez 2001). A
// constraint sum a_j x_j >= b with a >= 0 says of what is published, y = 1 - x, that sum a_j y_j <=
// sum a_j - b. If the cells of C together have a larger sum they cannot all be published; the same
// holds of any |C| cells of the extension E = C and all cells with a_j >= max_C a:
//
//   sum_{j in E} x_j >= |E| - |C| + 1.
#pragma once

#include <optional>
#include <span>

#include "protect/suppression_model/cuts/cut.h"

namespace lacuna::suppression_model {

// A violated extended cover inequality of the constraint, found by taking the cells with small x
// first; nothing if there is none or if the constraint has negative coefficients.
std::optional<Cut> cover_cut(const Cut& constraint, std::span<const double> x);

}  // namespace lacuna::suppression_model
