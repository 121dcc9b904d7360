// SPDX-License-Identifier: Apache-2.0
// The command `lacuna bench`. A program that was built without the sets (LACUNA_BENCH_SETS=OFF)
// does not list the command, and says so to whoever asks for it.
#pragma once

#include "app/job/jobs.h"
#include "apps/cli/command.h"
#ifdef LACUNA_BENCH_SETS
#include "bench/sets/bench_job.h"
#endif

namespace lacuna {

#ifndef LACUNA_BENCH_SETS
struct BenchJob {
  template <class Self, class Visit>
  static void fields(Self&, Visit&&) {}
};
Result<JobOutput> run_job(const BenchJob& job, const RunContext& run);  // always an error
#endif

// What the fields do not say: the names of the sets, and where programs and scripts are.
void prepare_bench(Command& command, bench::BenchJob& job);

}  // namespace lacuna
