// SPDX-License-Identifier: Apache-2.0
// The sets of `lacuna bench SET`, one file each (<set>.cpp): runs of the methods on generated
// tables and on instances of a folder, beside the numbers of the literature. A new set is a
// function and one line in sets.cpp.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "bench/sets/bench_job.h"
#include "bench/sets/run.h"
#include "lacuna/result.h"
#include "lacuna/run_context.h"

namespace lacuna::bench {

struct BenchSet {
  std::string_view name;
  std::string_view about;  // one sentence for the summary and for --help
  double seconds;          // limit of a run if none is asked for
  // Makes the runs and returns the body of the summary: the papers' columns beside ours.
  Result<std::string> (*run)(BenchRecorder& recorder);
  // Of those that measure nothing and have a page of their own instead (safety.h, owner.h).
  Result<job::JobOutput> (*page)(const BenchJob& job, const RunContext& run) = nullptr;
};

// Errors: unknown name; the message lists the known ones.
Result<BenchSet> find_bench(const std::string& name);
std::span<const BenchSet> bench_sets();

Result<std::string> bench_argus(BenchRecorder& recorder);
Result<std::string> bench_castro_via(BenchRecorder& recorder);
Result<std::string> bench_cta(BenchRecorder& recorder);
Result<std::string> bench_field(BenchRecorder& recorder);
Result<std::string> bench_large(BenchRecorder& recorder);
Result<std::string> bench_linked(BenchRecorder& recorder);
Result<std::string> bench_quick(BenchRecorder& recorder);
Result<std::string> bench_scale(BenchRecorder& recorder);
Result<std::string> bench_serpell(BenchRecorder& recorder);
Result<std::string> bench_shared(BenchRecorder& recorder);
Result<std::string> bench_thesis(BenchRecorder& recorder);

}  // namespace lacuna::bench
