// SPDX-License-Identifier: Apache-2.0
#include "job/load.h"

#include <vector>

#include "io/job_file.h"
#include "io/record_job.h"
#include "job/records.h"

namespace lacuna {
namespace {

void log_all(const std::vector<std::string>& notes, const RunContext& run) {
  for (const std::string& note : notes) {
    if (run.log)
      run.log(note);
  }
}

}  // namespace

Result<LoadedProblem> load_tables(const std::string& path, const RunContext& run) {
  if (is_job_name(path)) {
    LACUNA_TRY(const auto records, read_record_job(path));
    if (records) {
      LACUNA_TRY(SensitiveTables tables, tabulate_job(*records, run));
      return LoadedProblem{std::move(tables.problem), std::move(tables.tabulation.tables)};
    }
    LACUNA_TRY(Job job, read_job(path));
    log_all(job.notes, run);
    return LoadedProblem{std::move(job.problem), std::move(job.tables)};
  }
  std::vector<std::string> notes;
  LACUNA_TRY(Problem problem, read_problem(path, &notes));
  log_all(notes, run);
  return LoadedProblem{std::move(problem), {}};
}

Result<Problem> load_problem(const std::string& path, const RunContext& run) {
  LACUNA_TRY(LoadedProblem loaded, load_tables(path, run));
  return std::move(loaded.problem);
}

}  // namespace lacuna
