// SPDX-License-Identifier: Apache-2.0
// `protect --against owner`: the run whose course is public, and what it promises (docs/owner.md).
#pragma once

#include <memory>

#include "app/job/jobs.h"
#include "app/load/prepare.h"
#include "lacuna/problem.h"
#include "lacuna/protect.h"
#include "lacuna/result.h"
#include "lacuna/run_context.h"
#include "protect/owner/public_course.h"

namespace lacuna::job {

// Errors: methods and options by which the course would depend on hidden values.
Status check_owner_job(const ProtectJob& job,
                       const load::PreparedProblem& ready,
                       const RunContext& run);

owner::CourseOptions course_options(const ProtectJob& job);

// What the method found, with the promise as its note. Errors: a width that no pattern keeps.
Result<ProtectResult> protect_against_owner(const ProtectJob& job,
                                            const std::shared_ptr<const Problem>& problem,
                                            const RunContext& run);

}  // namespace lacuna::job
