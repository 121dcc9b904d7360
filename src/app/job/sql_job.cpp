// SPDX-License-Identifier: Apache-2.0
// Sql: the text that makes the sums of a job where its records are.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "app/job/file_roles.h"
#include "app/job/jobs.h"
#include "app/load/engine.h"
#include "app/load/load.h"
#include "app/load/records.h"
#include "core/base/nearest.h"
#include "data/files/file.h"
#include "data/tabulate/aggregate_sql.h"

namespace lacuna::job {
namespace {

Result<jobfile::Engine> dialect_of(const SqlJob& job, const jobfile::RecordJob& records) {
  if (job.dialect.empty()) {
    if (records.engine.engine != jobfile::Engine::kLacuna)
      return records.engine.engine;
    return Error{ErrorCode::kOptionMissing,
                 "say for which engine: duckdb, postgresql or spark",
                 "--dialect"};
  }
  const auto& names = jobfile::engine_names();
  const auto at = std::find(names.begin() + 1, names.end(), job.dialect);
  if (at == names.end())
    return Error{ErrorCode::kOptionValue,
                 "'" + job.dialect + "' is not one of duckdb, postgresql and spark",
                 "--dialect"};
  return static_cast<jobfile::Engine>(at - names.begin());
}

// For programs that run the statements: `counts` makes the table that `check` asks, one row with a
// number per trouble, each of which must be 0; `sums` makes the tables of `results`.
std::string statements_json(const tabulation::SqlText& text) {
  nlohmann::ordered_json json;
  json["counts"] = text.check;
  json["check"] = "SELECT * FROM lacuna_checked";
  json["troubles"] = nlohmann::ordered_json::array();
  for (const tabulation::SqlCheck& check : text.checks)
    json["troubles"].push_back(check.trouble);
  json["sums"] = text.sums;
  for (const std::string& name : text.results)
    json["results"][name] = "SELECT * FROM " + tabulation::sql_table_of(name);
  return json.dump(2) + "\n";
}

}  // namespace

Result<JobOutput> run_job(const SqlJob& job, const RunContext& run) {
  LACUNA_RETURN_IF_ERROR(check_files(job));
  LACUNA_TRY(auto records, load::load_record_job(job.input, run));
  if (!records)
    return Error{ErrorCode::kMissingKey,
                 "this job is over a table: only a job over records has sums to compute",
                 job.input};
  if (!job.plan.empty() && job.plan != "A" && job.plan != "B")
    return Error{ErrorCode::kOptionValue, "the plan must be A or B", "--plan"};
  if (!job.plan.empty())
    records->engine.plan_b = job.plan == "B";
  LACUNA_TRY(const jobfile::Engine engine, dialect_of(job, *records));
  LACUNA_TRY(const load::RecordAssessment asked, load::assessment_of_records(*records));
  LACUNA_TRY(const tabulation::SqlOptions options, load::sql_options(*records, engine));
  LACUNA_TRY(const tabulation::SqlText text, tabulation::aggregate_sql(asked.tabulate, options));
  std::string script =
      job.json ? statements_json(text) : tabulation::sql_script(text, asked.tabulate, options);
  if (job.output.empty())
    return JobOutput{ExitCode::kDone, std::move(script)};
  LACUNA_RETURN_IF_ERROR(files::write_file_atomically(job.output, script));
  return JobOutput{ExitCode::kDone, "", "wrote " + job.output};
}

}  // namespace lacuna::job
