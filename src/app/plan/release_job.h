// SPDX-License-Identifier: Apache-2.0
// `lacuna release PLAN.toml`: a release day of many tables (docs/release.md). Groups are found,
// each becomes a unit, units that are not finished are done by processes, what they return is
// proven here, and only then are the files of the tables written. Killed anywhere, it goes on where
// it was when it is called again; what goes wrong with one table is a row of the summary.
#pragma once

#include <cstdint>
#include <string>

#include "app/job/jobs.h"
#include "lacuna/fields.h"
#include "lacuna/result.h"

namespace lacuna::plan {

struct ReleaseJob {
  std::string input;
  std::string program;  // this one, set by whoever calls; empty: units are done in this process
  std::string worker;   // that does the units instead; empty: the program
  std::int32_t jobs = 0;
  std::int32_t unit = 0;
  bool list = false;
  bool prepare = false;
  bool collect = false;
  bool json = false;

  template <class Self, class Visit>
  static void fields(Self& self, Visit&& visit) {
    visit(FieldInfo{.name = "input",
                    .help = "the plan, .toml",
                    .shown_as = "PLAN",
                    .place = FieldPlace::kArgument,
                    .in_jobs = false},
          self.input);
    visit(FieldInfo{.name = "jobs",
                    .help = "number of units at the same time, with one thread each",
                    .least = 1,
                    .most = 1024,
                    .absent = "as many as there are cores",
                    .in_jobs = false},
          self.jobs);
    visit(FieldInfo{.name = "worker",
                    .help = "the program that computes the units; it is called like lacuna, and "
                            "need not be trusted",
                    .absent = "this one",
                    .shown_as = "PROGRAM",
                    .in_jobs = false},
          self.worker);
    visit(FieldInfo{.name = "list",
                    .help = "only say which tables are connected and through what",
                    .in_jobs = false},
          self.list);
    visit(
        FieldInfo{
            .name = "unit",
            .help = "compute only this unit and write no table; units are numbered from 1, the "
                    "largest first. For the tasks of a cluster: run the plan once more afterwards",
            .least = 1,
            .absent = "all",
            .in_jobs = false},
        self.unit);
    visit(
        FieldInfo{.name = "prepare",
                  .help = "make the units, compute none, and print the command of each that is not "
                          "finished. For other schedulers: --collect finishes the plan afterwards",
                  .in_jobs = false},
        self.prepare);
    visit(
        FieldInfo{.name = "collect",
                  .help = "compute no unit; check the proofs of what is there and write its tables",
                  .in_jobs = false},
        self.collect);
    visit(job::kJsonFlag, self.json);
  }
};
Result<job::JobOutput> run_job(const ReleaseJob& job, const RunContext& run);

}  // namespace lacuna::plan
