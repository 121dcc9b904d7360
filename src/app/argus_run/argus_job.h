// SPDX-License-Identifier: Apache-2.0
// A batch job of tau-ARGUS from its text to what is printed of it.
#pragma once

#include <string>

#include "app/job/jobs.h"
#include "lacuna/result.h"
#include "lacuna/run_context.h"

namespace lacuna::argus_run {

// A batch job of tau-ARGUS, as it is. Whatever is wrong with it ends with code 2, as there.
struct ArgusJob {
  std::string input;
  std::string log;   // if the job names none
  std::string data;  // a folder where files are looked for, too
  bool check = false;
  job::UnaskedRule unasked = job::UnaskedRule::kRefuse;
  bool json = false;

  template <class Self, class Visit>
  static void fields(Self& self, Visit&& visit) {
    visit(FieldInfo{.name = "input",
                    .help = "batch job of tau-ARGUS, .arb",
                    .shown_as = "JOB",
                    .place = FieldPlace::kArgument,
                    .in_jobs = false},
          self.input);
    visit(FieldInfo{.name = "log",
                    .help = "append the log to this file, unless the job names one (<LOGBOOK>)",
                    .absent = "no log",
                    .shown_as = "OUT"},
          self.log);
    visit(FieldInfo{.name = "data",
                    .help = "look for the files of the job in this folder as well",
                    .shown_as = "FOLDER"},
          self.data);
    visit(
        FieldInfo{
            .name = "check",
            .help = "read everything and say what would be done, but protect and write nothing"},
        self.check);
    visit(job::kUnaskedField, self.unasked);
    visit(job::kJsonFlag, self.json);
  }
};
Result<job::JobOutput> run_job(const ArgusJob& job, const RunContext& run);

}  // namespace lacuna::argus_run
