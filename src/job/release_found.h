// SPDX-License-Identifier: Apache-2.0
// The second half of `protect`: what a method has found is audited and, if it passes, written.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "job/attacker_summary.h"
#include "job/jobs.h"
#include "job/protect_outputs.h"
#include "lacuna/problem.h"
#include "lacuna/protect.h"
#include "lacuna/result.h"
#include "lacuna/run_context.h"

namespace lacuna::inline job {

struct ProtectedTable {
  std::shared_ptr<const Problem> given;  // certificate and audit are for the table as it was given
  AttackerSummary attackers;
  std::chrono::steady_clock::time_point start;  // of the run
  ProtectOutputs outputs{};                     // where everything goes
  std::vector<std::string> reasons{};           // by cell: why it is sensitive; may be empty
};

// A draft that does not fit the table or that the audit refuses is no error of the user's: exit
// code 2, nothing written, and what --json prints says why. Errors: outputs that cannot be written,
// an unknown engine.
Result<JobOutput> release_found(const ProtectJob& job,
                                const ProtectedTable& table,
                                const ProtectResult& found,
                                const RunContext& run);

}  // namespace lacuna::inline job
