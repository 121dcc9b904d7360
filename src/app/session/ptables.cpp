// SPDX-License-Identifier: Apache-2.0
#include "app/session/ptables.h"

#include <string>
#include <vector>

#include "core/base/json_writer.h"
#include "app/job/ptable_jobs.h"

namespace lacuna::inline session {
namespace {

template <class Job>
Result<Job> ptable_job(const GivenOptions& given) {
  Job job;
  RunOptions ignored;
  LACUNA_RETURN_IF_ERROR(set_options(job, ignored, given, {}));
  return job;
}

template <class Job>
Result<std::string> facts_of(const GivenOptions& given) {
  LACUNA_TRY(Job job, ptable_job<Job>(given));
  job.json = true;
  LACUNA_TRY(JobOutput output, run_job(job, {}));
  return std::move(output.text);
}

}  // namespace

Result<std::string> run_ptable(const std::string& call, const GivenOptions& given) {
  if (call == "make_ptable")
    return facts_of<PtableMakeJob>(given);
  if (call == "check_ptable")
    return facts_of<PtableCheckJob>(given);
  LACUNA_TRY(const PtableConvertJob job, ptable_job<PtableConvertJob>(given));
  std::vector<std::string> notes;
  RunContext run;
  run.log = [&](std::string_view note) { notes.emplace_back(note); };
  LACUNA_RETURN_IF_ERROR(run_job(job, run));
  return json_object([&](JsonWriter& json) { json.key("notes").values(notes); });
}

}  // namespace lacuna::inline session
