// SPDX-License-Identifier: Apache-2.0
// A batch job of tau-ARGUS from its text to what is printed of it.
#include "app/argus_run/argus_job.h"

#include "app/argus_run/argus_tables.h"
#include "app/job/jobs.h"
#include "core/base/json_writer.h"
#include "data/files/error_json.h"

namespace lacuna::argus_run {
namespace {

// A job that cannot be read or run has no verdict: nothing was examined.
job::JobOutput failed(const ArgusJob& job, const ArgusRun& done) {
  const std::string message = done.refused->text();
  if (!job.json)
    return {done.code, "", message};
  const auto write = [&](base::JsonWriter& json) {
    json.member("status", "error").key("verdict");
    done.verdict ? json.value(to_string(*done.verdict)) : json.null();
    json.member("message", message).members(files::error_json(*done.refused));
  };
  return {done.code, base::json_object(write) + "\n", ""};
}

}  // namespace

Result<job::JobOutput> run_job(const ArgusJob& job, const RunContext& run) {
  LACUNA_TRY(const ArgusRun done, run_argus(job, ArgusFiles::kWrite, run));
  if (done.refused)
    return failed(job, done);
  return job::JobOutput{done.code, job.json ? done.json : done.text};
}

}  // namespace lacuna::argus_run
