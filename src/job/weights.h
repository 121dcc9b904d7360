// SPDX-License-Identifier: Apache-2.0
// Weights for the loss of information, given to a problem that has been read.
#pragma once

#include <string>

#include "lacuna/problem.h"
#include "lacuna/result.h"

namespace lacuna::inline job {

// The formula is that of sensitivity/weights.h: "cost" keeps the weights of the input, and
// "0.5*value+1*unity" combines. Errors: unknown name, frequencies not known.
Result<Problem> weigh(Problem problem, const std::string& formula);

}  // namespace lacuna::inline job
