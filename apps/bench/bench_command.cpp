// SPDX-License-Identifier: Apache-2.0
#include "apps/bench/bench_command.h"

#include <cstdlib>
#include <filesystem>

#include "apps/cli/run_bench.h"
#include "bench/sets/sets.h"
#include "core/platform/system.h"

namespace lacuna {
namespace {

// A script of the tree whose build folder holds this program, or where the environment says.
std::string script_of_tree(const char* name, const char* variable) {
  if (const char* given = std::getenv(variable); given != nullptr)
    return given;
  return (platform::program_path().parent_path().parent_path() / "scripts" / name).string();
}

}  // namespace

BenchCommand::BenchCommand()
    : ExtraCommand("bench", "measure a set of runs and compare it with published numbers") {
  job_.peer_runner = script_of_tree("run_peer", "LACUNA_PEER_RUNNER");
  job_.plan_runner = script_of_tree("run_plans", "LACUNA_PLAN_RUNNER");
  job_.program = platform::program_path()
                     .replace_filename(platform::program_name("lacuna"))
                     .string();
  job_.verifier = script_of_tree("verify_certificate.py", "LACUNA_VERIFIER");
}

void BenchCommand::add_options(Command& command) {
  command.add_options_of(job_);
  std::string names;
  for (const bench::BenchSet& set : bench::bench_sets())
    names += (names.empty() ? "" : ", ") + std::string(set.name);
  command.explain("set", names);
}

Result<job::JobOutput> BenchCommand::run(const RunContext& run) {
  return bench::run_job(job_, run);
}

}  // namespace lacuna
