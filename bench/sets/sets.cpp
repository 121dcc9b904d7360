// SPDX-License-Identifier: Apache-2.0
#include "bench/sets/sets.h"

#include "bench/sets/output.h"
#include "bench/sets/owner.h"
#include "bench/sets/safety.h"
#include "lacuna/protect.h"

namespace lacuna::bench {
namespace {

constexpr BenchSet kSets[] = {
    {"argus", "Jobs of tau-ARGUS as they are, beside what it was recorded with.", 120, bench_argus},
    {"castro-via",
     "Intervals on tables of the sizes of Table 1 of Castro and Via, beside their Benders "
     "decomposition and their monolithic model.",
     60,
     bench_castro_via},
    {"cta",
     "Controlled tabular adjustment: Tables 4 to 13 of Castro, Frangioni and Gentile with our "
     "columns.",
     60,
     bench_cta},
    {"field",
     "All tools that can be run here on the tables of a folder, judged by one audit.",
     60,
     bench_field},
    {"large",
     "Complete suppression, effort fast, on large tables; how time grows with size.",
     600,
     bench_large},
    {"linked",
     "Complete suppression of linked tables and of many dimensions, each as one system.",
     60,
     bench_linked},
    {"owner",
     "Small random tables: what a reader gains who runs the program on every table that fits.",
     0,
     nullptr,
     bench_owner},
    {"quick", "Small generated tables of several shapes, by every method.", 5, bench_quick},
    {"serpell",
     "Tables 3 to 5 of Serpell, Clark, Smith and Staggemeier: the classical model, the reduced "
     "one, and our branch and cut.",
     60,
     bench_serpell},
    {"safety",
     "Random tables through every method and option, every output judged three times.",
     0,
     nullptr,
     bench_safety},
    {"scale",
     "Records by the million: the own reader and DuckDB's library beside a plain GROUP BY; a plan "
     "of hundreds of tables.",
     3600,
     bench_scale},
    {"shared",
     "Complete suppression on the instances of a folder, beside what its best_known.csv lists.",
     60,
     bench_shared},
    {"thesis",
     "Tables B.1 to B.5 of the thesis: complete, partial and combined suppression.",
     60,
     bench_thesis},
};

}  // namespace

std::span<const BenchSet> bench_sets() {
  return kSets;
}

Result<BenchSet> find_bench(const std::string& name) {
  std::string known;
  for (const BenchSet& each : kSets) {
    if (each.name == name)
      return each;
    known += (known.empty() ? "" : ", ") + std::string(each.name);
  }
  return Error{
      ErrorCode::kOptionValue, "there is no set '" + name + "' (known: " + known + ")", "SET"};
}

Result<job::JobOutput> run_job(const BenchJob& given, const RunContext& run) {
  LACUNA_TRY(const BenchSet set, find_bench(given.set));
  if (set.page != nullptr)
    return set.page(given, run);
  if (given.json || given.first != 0)
    return Error{ErrorCode::kOptionConflict,
                 "only the sets 'safety' and 'owner' have numbered tables and JSON",
                 given.json ? "--json" : "--first"};
  BenchJob job = given;
  if (job.seconds <= 0)
    job.seconds = set.seconds;
  BenchRecorder recorder(job, run);
  LACUNA_TRY(std::string body, set.run(recorder));
  const std::string summary = bench_summary(recorder, std::string(set.about), body);
  if (!job.output.empty())
    LACUNA_RETURN_IF_ERROR(write_bench(job.output, summary, recorder.rows()));
  bool exposed = false;  // a method of ours; peers and models of papers may be
  for (const BenchRow& row : recorder.rows())
    exposed = exposed || (row.has_result() && row.verdict != "protected" &&
                          find_method(row.method).has_value());
  return job::JobOutput{exposed ? job::ExitCode::kNotProtected : job::ExitCode::kDone, summary};
}

}  // namespace lacuna::bench
