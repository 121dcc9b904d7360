// SPDX-License-Identifier: Apache-2.0
// lacuna bench safety: random tables through every method and option of `lacuna protect`, some of
// them killed and resumed, everything that is written judged three times (safety_judge.h). Nothing
// unsafe gets out, or one command repeats how it did.
#pragma once

#include <string>

#include "bench/sets/bench_job.h"
#include "bench/sets/safety_table.h"
#include "lacuna/result.h"
#include "lacuna/run_context.h"

namespace lacuna::bench {

inline constexpr std::int64_t kSafetyTables = 100;  // if no number is asked for

// Errors: several numbers of tables, no program or verifier.
Result<job::JobOutput> bench_safety(const BenchJob& job, const RunContext& run);

// One line of counts, and one command for every table that failed.
std::string safety_text(const SafetyOutcome& outcome, std::uint64_t seed);
std::string safety_json(const SafetyOutcome& outcome, std::uint64_t seed);
std::string safety_page(const SafetyOutcome& outcome, const BenchJob& job, std::uint64_t seed);
// 0: all is well; 2: something was let out or judged wrongly; 4: something crashed.
job::ExitCode safety_code(const SafetyOutcome& outcome);

}  // namespace lacuna::bench
