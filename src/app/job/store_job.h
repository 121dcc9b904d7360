// SPDX-License-Identifier: Apache-2.0
// `lacuna store FOLDER`: what a store of releases has, and whether it is as it was written.
#pragma once

#include <string>

#include "app/job/jobs.h"

namespace lacuna::job {

struct StoreJob {
  std::string folder;
  bool make = false;
  bool json = false;

  template <class Self, class Visit>
  static void fields(Self& self, Visit&& visit) {
    visit(FieldInfo{.name = "folder",
                    .help = "folder of a store ([store] in jobs)",
                    .shown_as = "FOLDER",
                    .place = FieldPlace::kArgument,
                    .in_jobs = false},
          self.folder);
    visit(FieldInfo{.name = "new",
                    .help = "make the folder, a store without releases",
                    .in_jobs = false},
          self.make);
    visit(kJsonFlag, self.json);
  }
};
Result<JobOutput> run_job(const StoreJob& job, const RunContext& run);

}  // namespace lacuna::job
