// SPDX-License-Identifier: Apache-2.0
// The sets of `lacuna bench SET`, one file each (bench_<set>.cpp): runs of the methods on generated
// tables and on instances of a folder, beside the numbers of the literature. A new set is a
// function and one line in bench.cpp.
#pragma once

#include <string>

#include "job/jobs.h"
#include "lacuna/result.h"
#include "lacuna/run_context.h"

namespace lacuna {

using Bench = Result<std::string> (*)(const BenchJob& job, const RunContext& run);

// Errors: unknown name; the message lists the known ones.
Result<Bench> find_bench(const std::string& name);

Result<std::string> bench_cta(const BenchJob& job, const RunContext& run);
Result<std::string> bench_thesis(const BenchJob& job, const RunContext& run);

}  // namespace lacuna
