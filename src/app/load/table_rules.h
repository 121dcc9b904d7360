// SPDX-License-Identifier: Apache-2.0
// Rules over a ready-made table, as its job states them: what the table says of contributors
// (sensitivity/table_contributions.h), judged as if it came from records.
#pragma once

#include <string>
#include <vector>

#include "data/jobfile/job_file.h"
#include "lacuna/problem.h"
#include "lacuna/result.h"
#include "lacuna/sensitivity.h"

namespace lacuna::load {

struct RuledTable {
  Problem problem;
  SensitivityReport report;
  std::vector<std::string> notes;  // what was assumed
  SensitivityOptions options;      // as they were applied
};

// Of a job with contributions.
Result<RuledTable> apply_rules(const jobfile::Job& job);

}  // namespace lacuna::load
