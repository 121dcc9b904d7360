// SPDX-License-Identifier: Apache-2.0
// The options of `lacuna bench`. A program that was built without the sets (LACUNA_BENCH_SETS=OFF)
// does not list the command, and says so to whoever asks for it.
#pragma once

#include <CLI/CLI.hpp>

#include "job/jobs.h"
#ifdef LACUNA_BENCH_SETS
#include "bench/sets/bench_job.h"
#endif

namespace lacuna {

#ifndef LACUNA_BENCH_SETS
struct BenchJob {};
Result<JobOutput> run_job(const BenchJob& job, const RunContext& run);  // always an error
#endif

void add_bench_options(CLI::App& command, BenchJob& job);

}  // namespace lacuna
