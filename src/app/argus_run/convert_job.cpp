// SPDX-License-Identifier: Apache-2.0
#include "app/argus_run/convert_job.h"

#include "app/argus_run/argus_convert.h"
#include "app/job/file_roles.h"
#include "app/load/load.h"
#include "app/load/prepare.h"
#include "data/jobfile/problem_file.h"

namespace lacuna::argus_run {

Result<job::JobOutput> run_job(const ConvertJob& job, const RunContext& run) {
  LACUNA_RETURN_IF_ERROR(job::check_files(job));
  if (is_argus_name(job.input)) {
    LACUNA_RETURN_IF_ERROR(convert_from_argus(job.input, job.output, run));
    return job::JobOutput{};
  }
  LACUNA_TRY(const load::PreparedProblem ready,
             load::load_prepared(job.input, run, job.inputs, job.asked));
  if (is_argus_name(job.output)) {
    LACUNA_RETURN_IF_ERROR(convert_to_argus(ready, job.input, job.output, run));
    return job::JobOutput{};
  }
  LACUNA_RETURN_IF_ERROR(jobfile::write_problem(ready.problem, ready.tables, job.output));
  return job::JobOutput{};
}

}  // namespace lacuna::argus_run
