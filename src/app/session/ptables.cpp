// SPDX-License-Identifier: Apache-2.0
#include "app/session/ptables.h"

#include <string>
#include <vector>

#include "app/job/ptable_jobs.h"
#include "core/base/json_writer.h"

namespace lacuna::session {
namespace {

template <class Job>
Result<Job> ptable_job(const GivenOptions& given) {
  Job job;
  job::RunOptions ignored;
  LACUNA_RETURN_IF_ERROR(set_options(job, ignored, given, {}));
  return job;
}

template <class Job>
Result<std::string> facts_of(const GivenOptions& given) {
  LACUNA_TRY(Job job, ptable_job<Job>(given));
  job.json = true;
  LACUNA_TRY(job::JobOutput output, run_job(job, {}));
  return std::move(output.text);
}

}  // namespace

Result<std::string> run_ptable(const std::string& call, const GivenOptions& given) {
  if (call == "make_ptable")
    return facts_of<job::PtableMakeJob>(given);
  if (call == "check_ptable")
    return facts_of<job::PtableCheckJob>(given);
  LACUNA_TRY(const job::PtableConvertJob job, ptable_job<job::PtableConvertJob>(given));
  std::vector<std::string> notes;
  RunContext run;
  run.log = [&](std::string_view note) { notes.emplace_back(note); };
  LACUNA_RETURN_IF_ERROR(job::run_job(job, run));
  return base::json_object([&](base::JsonWriter& json) { json.key("notes").values(notes); });
}

}  // namespace lacuna::session
