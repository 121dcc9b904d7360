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

void add_bench_options(CLI::App& command, BenchJob& job) {
  std::string names;
  for (const BenchSet& set : bench_sets())
    names += (names.empty() ? "" : ", ") + std::string(set.name);
  command.add_option("SET", job.set, names)->required();
  command.add_option(
      "-o,--output", job.output, "folder for rows.csv, summary.md and plots; made if needed");
  command.add_option("--instances", job.instances, "folder of real instances");
  command
      .add_option("--tables", job.tables, "only these tables of the paper; safety: how many tables")
      ->delimiter(',');
  command.add_option("--first", job.first, "safety: number of the first table")
      ->check(CLI::NonNegativeNumber);
  command.add_flag("--json", job.json, "safety: print JSON");
  command.add_option("--time-limit,--seconds", job.seconds, "limit of each run in seconds")
      ->check(CLI::PositiveNumber);
  command.add_option("--seeds", job.seeds, "cta: generated tables per row")
      ->capture_default_str()
      ->check(CLI::Range(1, 100));
  command.add_flag(
      "--formulations", job.formulations, "cta: also MIQP+ and P/C with a MILP engine");
  command.add_flag(
      "--peers", job.peers, "also gconfid and pytauargus, where they can be installed");
  job.peer_runner = script_of_tree("run_peer", "LACUNA_PEER_RUNNER");
  job.program = this_program().string();
  job.verifier = script_of_tree("verify_certificate.py", "LACUNA_VERIFIER");
}

#else

void add_bench_options(CLI::App& command, BenchJob&) {
  command.group("");       // not in the list of commands
  command.allow_extras();  // whatever is asked for gets the same answer
  command.set_help_flag();
}

Result<JobOutput> run_job(const BenchJob&, const RunContext&) {
  return Error{ErrorCode::kBadOption,
               "this program was built without the sets of benchmarks (LACUNA_BENCH_SETS=OFF)",
               "bench"};
}

#endif

}  // namespace lacuna
