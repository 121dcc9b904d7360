// SPDX-License-Identifier: Apache-2.0
#include "app/argus_run/convert_job.h"

#include "app/argus_run/argus_convert.h"
#include "app/job/certified.h"
#include "app/job/file_roles.h"
#include "app/load/load.h"
#include "app/load/prepare.h"
#include "core/base/spelling.h"
#include "core/base/text.h"
#include "data/jobfile/problem_file.h"
#include "data/jobfile/record_job.h"

namespace lacuna::argus_run {
namespace {

bool is_lines_name(const std::string& path) {
  return base::lower_case(path).ends_with(".txt");
}

// Lines are of a certificate with its table; nothing else needs a table beside it.
Status check_lines(const ConvertJob& job) {
  if (is_lines_name(job.output) && job.table.empty()) {
    return Error{ErrorCode::kOptionMissing,
                 "a certificate is written as lines together with its table: name it with " +
                     base::named_option("table"),
                 job.output};
  }
  const bool has_derived = jobfile::is_job_name(job.input) && job.table.empty();
  if (!is_lines_name(job.output) && !(job.table.empty() && job.pattern.empty()) && !has_derived) {
    return Error{ErrorCode::kOutputName,
                 "a certificate becomes a file whose name ends in .txt (docs/proof.md)",
                 job.output};
  }
  return ok_status();
}

}  // namespace

Result<job::JobOutput> run_job(const ConvertJob& job, const RunContext& run) {
  LACUNA_RETURN_IF_ERROR(job::check_files(job));
  LACUNA_RETURN_IF_ERROR(check_lines(job));
  if (is_lines_name(job.output)) {
    LACUNA_RETURN_IF_ERROR(job::write_certified_lines(
        {job.table, job.input, job.pattern}, job.asked, job.inputs, job.output, run));
    return job::JobOutput{};
  }
  if (is_argus_name(job.input)) {
    LACUNA_RETURN_IF_ERROR(convert_from_argus(job.input, job.output, run));
    return job::JobOutput{};
  }
  load::Assessment what = job.asked;
  what.derived = job.pattern;  // whose derived columns are part of the problem
  LACUNA_TRY(const load::PreparedProblem ready,
             load::load_prepared(job.input, run, job.inputs, what));
  if (is_argus_name(job.output)) {
    LACUNA_RETURN_IF_ERROR(convert_to_argus(ready, job.input, job.output, run));
    return job::JobOutput{};
  }
  LACUNA_RETURN_IF_ERROR(jobfile::write_problem(ready.problem, ready.tables, job.output));
  return job::JobOutput{};
}

}  // namespace lacuna::argus_run
