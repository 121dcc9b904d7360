// SPDX-License-Identifier: Apache-2.0
// `protect --against owner`: the run whose course is public, and what it promises (docs/owner.md);
// and `protect --replay`, what is left of the ranges of any run.
#pragma once

#include <memory>

#include "app/job/audit_and_write.h"
#include "app/job/jobs.h"
#include "app/load/prepare.h"
#include "lacuna/problem.h"
#include "lacuna/protect.h"
#include "lacuna/result.h"
#include "lacuna/run_context.h"
#include "protect/owner/public_course.h"

namespace lacuna::job {

// Errors: methods and options by which the course would depend on hidden values; replays that
// cannot be.
Status check_owner_job(const ProtectJob& job,
                       const load::PreparedProblem& ready,
                       const RunContext& run);

owner::CourseOptions course_options(const ProtectJob& job);

// What the method found, with the promise as its note. Errors: a width that no pattern keeps.
Result<ProtectResult> protect_against_owner(const ProtectJob& job,
                                            const std::shared_ptr<const Problem>& problem,
                                            const RunContext& run);

// Errors: runs that cannot be repeated on another table.
Status check_replay(const load::PreparedProblem& ready, const RunContext& run);

// How much of each range the owner of the program has left, for the office: into the summary of the
// run and behind it. The release stays as it is, whatever is found.
Status add_replays(const ProtectJob& job,
                   const std::shared_ptr<const Problem>& problem,
                   const RunContext& run,
                   PassedRelease& judged);

}  // namespace lacuna::job
