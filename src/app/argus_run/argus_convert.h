// SPDX-License-Identifier: Apache-2.0
// From a job of tau-ARGUS to one of ours that gives the same release, and back: the table with its
// statuses, levels, costs and attackers, and the options that the old commands stand for.
#pragma once

#include <string>
#include <vector>

#include "app/argus_run/argus_protect.h"
#include "app/job/jobs.h"
#include "app/load/load.h"
#include "app/load/prepare.h"
#include "lacuna/result.h"
#include "lacuna/run_context.h"

namespace lacuna::argus_run {

bool is_argus_name(const std::string& path);  // .arb, in any case

// What the one <SUPPRESS> of a job is for us. Errors: those of the job; one that protects several
// tables by turns, which is no single release.
struct ArgusPlan {
  ArgusProblem problem;
  job::ProtectJob options;
  double seconds = 0;  // limit; 0: none
  std::string about;   // as `lacuna argus --check` says it
  std::vector<std::string> inputs;
  bool protects = false;  // false: there is no <SUPPRESS>, and the options are those of OPT
};
Result<ArgusPlan> plan_of(const std::string& path, const RunContext& run);

// `output`: .toml, with the table as .csv beside it. Errors: those of plan_of().
Status convert_from_argus(const std::string& path,
                          const std::string& output,
                          const RunContext& run);

// `input`: where the problem comes from. `output`: .arb, with .tab, .rda and .hrc beside it. What
// tau-ARGUS cannot hold and is left out goes to the log. Errors: sliding levels, several
// hierarchies in one dimension, no dimensions.
Status convert_to_argus(const load::PreparedProblem& ready,
                        const std::string& input,
                        const std::string& output,
                        const RunContext& run);

}  // namespace lacuna::argus_run
