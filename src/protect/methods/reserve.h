// SPDX-License-Identifier: Apache-2.0
// What comes after a method and is owed to what it has found: intervals moved off centre, the
// audit, the files. A time limit is for all of it, so the method has to end earlier, by what the
// rest will take as far as sizes tell (docs/work.md).
#pragma once

#include <cstdint>

#include "lacuna/problem.h"
#include "lacuna/run_context.h"

namespace lacuna::methods {

// In units of work, which are about microseconds.
std::int64_t work_after(const Problem& problem);

// The run of the method itself: its deadline is early enough for the rest, but leaves it two
// thirds of the time that is left.
RunContext run_of_method(const RunContext& run, const Problem& problem);

// A share of what is left, by work and by the clock.
RunContext share_of_rest(const RunContext& run, double share);

}  // namespace lacuna::methods
