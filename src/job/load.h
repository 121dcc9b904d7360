// SPDX-License-Identifier: Apache-2.0
// Reading a problem for a job: what was read differently from what the file says goes to the log.
#pragma once

#include <string>

#include "lacuna/problem.h"
#include "lacuna/result.h"
#include "lacuna/run_context.h"

namespace lacuna {

Result<Problem> load_problem(const std::string& path, const RunContext& run);

}  // namespace lacuna
