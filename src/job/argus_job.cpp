// SPDX-License-Identifier: Apache-2.0
// A batch job of tau-ARGUS from its text to what is printed of it.
#include "io/json_tree.h"
#include "job/argus_tables.h"
#include "job/jobs.h"

namespace lacuna::inline job {
namespace {

// A table of which nothing is asked ends the job, unless --unasked publish lets it out.
JobOutput failed(const ArgusJob& job, const Error& error, ExitCode so_far) {
  const bool unasked = so_far == ExitCode::kUnasked && job.unasked == UnaskedRule::kRefuse;
  const ExitCode code = unasked ? ExitCode::kUnasked : ExitCode::kNotProtected;
  if (!job.json)
    return {code, "", error.text()};
  return {code,
          std::string("{\"status\":\"error\",\"verdict\":\"") +
              (unasked ? "unasked" : "undecided") + "\",\"message\":" +
              json_quoted(error.text()) + "}\n",
          ""};
}

}  // namespace

Result<JobOutput> run_job(const ArgusJob& job, const RunContext& run) {
  LACUNA_TRY(const ArgusRun done, run_argus(job, ArgusFiles::kWrite, run));
  if (done.refused)
    return failed(job, *done.refused, done.code);
  return JobOutput{done.code, job.json ? done.json : done.text};
}

}  // namespace lacuna::inline job
