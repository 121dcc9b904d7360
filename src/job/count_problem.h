// SPDX-License-Identifier: Apache-2.0
// [counts] of a job applied to its problem, and why its cells are sensitive then.
#pragma once

#include <string>
#include <vector>

#include "io/job_file.h"
#include "lacuna/problem.h"
#include "lacuna/result.h"
#include "lacuna/sensitivity.h"

namespace lacuna::inline job {

// Adds to the reasons (one text per cell, or none at all) those of cells that the threshold made
// sensitive. Errors of the options carry the place in the job, others the label of a cell.
Result<Problem> as_counts(const Problem& problem,
                          const CountSection& section,
                          std::vector<std::string>& reasons);
Result<Problem> as_counts(const Problem& problem,
                          const CountSection& section,
                          SensitivityReport& report);

}  // namespace lacuna::inline job
