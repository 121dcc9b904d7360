// SPDX-License-Identifier: Apache-2.0
// Which protection levels a run has to meet.
#pragma once

#include <string>

#include "lacuna/problem.h"
#include "lacuna/result.h"

namespace lacuna::inline job {

// "file" (or empty): as given. "minimal" (or "none"): the least that protection can mean, that no
// attacker can tell the value of a sensitive cell exactly: a sliding level of one unit instead of
// all levels. Errors: any other word.
Result<Problem> with_levels(Problem problem, const std::string& levels);

}  // namespace lacuna::inline job
