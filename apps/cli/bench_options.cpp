// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/bench_options.h"

#ifdef LACUNA_BENCH_SETS
#include <cstdlib>
#include <filesystem>

#include "bench/sets/sets.h"
#endif

namespace lacuna {

#ifdef LACUNA_BENCH_SETS

namespace {

std::filesystem::path this_program() {
  std::error_code trouble;
  return std::filesystem::read_symlink("/proc/self/exe", trouble);
}

// Beside the program of a build tree (build/lacuna and scripts/run_peer), or where the environment
// says.
std::string script_of_tree(const char* name, const char* variable) {
  if (const char* given = std::getenv(variable); given != nullptr)
    return given;
  return (this_program().parent_path().parent_path() / "scripts" / name).string();
}

}  // namespace

void prepare_bench(Command& command, bench::BenchJob& job) {
  std::string names;
  for (const bench::BenchSet& set : bench::bench_sets())
    names += (names.empty() ? "" : ", ") + std::string(set.name);
  command.explain("set", names);
  job.peer_runner = script_of_tree("run_peer", "LACUNA_PEER_RUNNER");
  job.plan_runner = script_of_tree("run_plans", "LACUNA_PLAN_RUNNER");
  job.program = this_program().string();
  job.verifier = script_of_tree("verify_certificate.py", "LACUNA_VERIFIER");
}

#else

void prepare_bench(Command& command, BenchJob&) {
  command.hide();  // whatever is asked for gets the same answer
}

Result<JobOutput> run_job(const BenchJob&, const RunContext&) {
  return Error{ErrorCode::kUnsupported,
               "this program was built without the sets of benchmarks (LACUNA_BENCH_SETS=OFF)",
               "bench"};
}

#endif

}  // namespace lacuna
