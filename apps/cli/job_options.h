// SPDX-License-Identifier: Apache-2.0
// What a job file says of the run: [options] for options that the command line leaves open, and
// [output] for where results go.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "apps/cli/command.h"
#include "lacuna/result.h"

namespace lacuna {

// Nothing happens if the path is not that of a job. `all` are the commands of the program: a job
// may name options of any of them. Errors: a name that none has; a text that an option cannot be.
Status apply_job_options(std::span<const Command* const> all,
                         Command& command,
                         const std::string& path);

// The same of the policy that the option --policy or the job names, after the job. Returns where
// the command line says otherwise, a sentence each; where the job does, is told as it is read.
Result<std::vector<std::string>> apply_policy_options(std::span<const Command* const> all,
                                                      Command& command,
                                                      const std::string& path);

}  // namespace lacuna
