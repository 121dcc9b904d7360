// SPDX-License-Identifier: Apache-2.0
// Weights for the loss of information (Salazar-Gonzalez 2002, section 3).
#pragma once

#include <string>

#include "lacuna/problem.h"
#include "lacuna/result.h"

namespace lacuna {

// cost: as in the input; unity: 1; value: |a|; log: log(1 + |a|); frequency: number of
// contributors; inverse: 1 / |a| (1 where a = 0). Errors: unknown name, frequencies not known.
Result<Problem> weigh(Problem problem, const std::string& name);

}  // namespace lacuna
