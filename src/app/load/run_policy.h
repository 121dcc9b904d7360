// SPDX-License-Identifier: Apache-2.0
// The policy that a run names (--policy, or `policy` of its job), found and put into the job.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/load/assessment.h"
#include "app/load/inputs.h"
#include "data/jobfile/job_file.h"
#include "data/policies/policy.h"
#include "data/spec/job_spec.h"
#include "lacuna/result.h"
#include "lacuna/run_context.h"

namespace lacuna::load {

// The option goes before the job, whose files begin at its folder. Nothing if neither names one.
Result<std::optional<policies::Policy>> policy_of(const spec::ReadSpec& job,
                                                  const std::string& folder,
                                                  const Inputs& inputs);

// Puts it into the job; what it replaces or leaves goes to the log. Returns the line that summaries
// and reports have about it; empty: there is none. Errors: it does not apply to such a table.
Result<std::string> apply_policy(spec::ReadSpec& job,
                                 const std::string& folder,
                                 const Inputs& inputs,
                                 const CountAssessment& asked,
                                 const RunContext& run);

// [options] of the policy that a run on this path names, for whoever sets the options of runs. A
// path that is no job has a policy if the option names one.
Result<std::vector<jobfile::JobOption>> policy_settings(const std::string& path,
                                                        const Inputs& inputs);

}  // namespace lacuna::load
