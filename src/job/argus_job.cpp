// SPDX-License-Identifier: Apache-2.0
// A batch job of tau-ARGUS from its text to what is printed of it.
#include "io/json_tree.h"
#include "job/argus_tables.h"
#include "job/jobs.h"

namespace lacuna::inline job {
namespace {

JobOutput failed(const ArgusJob& job, const Error& error) {
  if (!job.json)
    return {ExitCode::kNotProtected, "", error.text()};
  return {ExitCode::kNotProtected,
          "{\"status\":\"error\",\"verdict\":\"undecided\",\"message\":" +
              json_quoted(error.text()) + "}\n",
          ""};
}

}  // namespace

Result<JobOutput> run_job(const ArgusJob& job, const RunContext& run) {
  LACUNA_TRY(const ArgusRun done, run_argus(job, ArgusFiles::kWrite, run));
  if (done.refused)
    return failed(job, *done.refused);
  return JobOutput{done.code, job.json ? done.json : done.text};
}

}  // namespace lacuna::inline job
