// SPDX-License-Identifier: Apache-2.0
// A batch job of tau-ARGUS from its text to what is printed of it.
#include "io/error_json.h"
#include "io/json_tree.h"
#include "job/argus_tables.h"
#include "job/jobs.h"

namespace lacuna::inline job {
namespace {

// A job that cannot be read or run has no verdict: nothing was examined.
JobOutput failed(const ArgusJob& job, const ArgusRun& done) {
  const std::string message = done.refused->text();
  if (!job.json)
    return {done.code, "", message};
  const std::string verdict =
      done.verdict ? json_quoted(std::string(to_string(*done.verdict))) : "null";
  return {done.code,
          "{\"status\":\"error\",\"verdict\":" + verdict +
              ",\"message\":" + json_quoted(message) + "," +
              error_json(*done.refused).substr(1) + "\n",
          ""};
}

}  // namespace

Result<JobOutput> run_job(const ArgusJob& job, const RunContext& run) {
  LACUNA_TRY(const ArgusRun done, run_argus(job, ArgusFiles::kWrite, run));
  if (done.refused)
    return failed(job, done);
  return JobOutput{done.code, job.json ? done.json : done.text};
}

}  // namespace lacuna::inline job
