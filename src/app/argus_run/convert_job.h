// SPDX-License-Identifier: Apache-2.0
// One file format into another, a job of tau-ARGUS into one of ours, and back.
#pragma once

#include <string>

#include "app/job/jobs.h"
#include "lacuna/result.h"
#include "lacuna/run_context.h"

namespace lacuna::argus_run {

struct ConvertJob {
  std::string input;
  std::string output;  // the ending tells the format
  load::Assessment asked;
  load::Inputs inputs;

  template <class Self, class Visit>
  static void fields(Self& self, Visit&& visit) {
    visit(job::kTableArgument, self.input);
    visit(job::kProblemFile, self.output);
    load::Assessment::fields(self.asked, visit);
    visit(load::kPolicyField, self.inputs.choices.policy);
  }
};
Result<job::JobOutput> run_job(const ConvertJob& job, const RunContext& run);

}  // namespace lacuna::argus_run
