// SPDX-License-Identifier: Apache-2.0
#include "job/bench.h"

#include <string_view>

namespace lacuna {
namespace {

struct Named {
  std::string_view name;
  Bench bench;
};

constexpr Named kSets[] = {
    {"cta", bench_cta},
    {"thesis", bench_thesis},
};

}  // namespace

Result<Bench> find_bench(const std::string& name) {
  std::string known;
  for (const Named& each : kSets) {
    if (each.name == name)
      return each.bench;
    known += (known.empty() ? "" : ", ") + std::string(each.name);
  }
  return Error{
      ErrorCode::kBadOption, "there is no set '" + name + "' (known: " + known + ")", "SET"};
}

Result<JobOutput> run_job(const BenchJob& job, const RunContext& run) {
  LACUNA_TRY(const Bench bench, find_bench(job.set));
  LACUNA_TRY(std::string text, bench(job, run));
  return JobOutput{ExitCode::kDone, std::move(text)};
}

}  // namespace lacuna
