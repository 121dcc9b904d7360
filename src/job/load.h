// SPDX-License-Identifier: Apache-2.0
// Reading a problem for a job: what was read differently from what the file says goes to the log.
#pragma once

#include <string>
#include <vector>

#include "lacuna/problem.h"
#include "lacuna/result.h"
#include "lacuna/run_context.h"
#include "table/cross.h"

namespace lacuna {

struct LoadedProblem {
  Problem problem;
  std::vector<CrossTable> tables;  // of a job with several, else empty
};

// Any format that holds a problem, and jobs over records, which are tabulated first.
Result<LoadedProblem> load_tables(const std::string& path, const RunContext& run);
Result<Problem> load_problem(const std::string& path, const RunContext& run);

}  // namespace lacuna
