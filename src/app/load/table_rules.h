// SPDX-License-Identifier: Apache-2.0
// Rules over a ready-made table: its frequency column says how many contribute to a cell, columns
// such as MAX or TOP1, TOP2 hold the largest contributions, and from there on it is as with records
// (sensitivity/). Where fewer contributions are known than a rule looks at, the others are taken as
// large as they can be, c_i <= min(c_(i-1), value - c_1 - ... - c_(i-1)): never too little is
// protected. Contributors are followed from a cell to the sums above it by their amounts.
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
