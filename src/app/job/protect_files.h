// SPDX-License-Identifier: Apache-2.0
// The options of protect that are files: what they hold becomes options of the library.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/job/jobs.h"
#include "app/load/assessment.h"
#include "lacuna/problem.h"
#include "lacuna/protect.h"
#include "lacuna/result.h"
#include "lacuna/run_context.h"

namespace lacuna::job {

// The keys that the method needs, which records without any get; of no other method, and none
// before there is a perturbation table.
Result<std::optional<load::KeyNeeds>> key_needs(const ProtectJob& job, const RunContext& run);

// The options of the job with what --cells, --prefer and --checkpoint say. A checkpoint that exists
// is where the run goes on, and is written from then on. Errors: files that cannot be read or do
// not fit the table.
Result<ProtectOptions> options_with_files(const ProtectJob& job,
                                          const Problem& problem,
                                          const RunContext& run);

// Empty path: nowhere.
Status write_trace(const std::vector<TracePoint>& trace, const std::string& path);

}  // namespace lacuna::job
