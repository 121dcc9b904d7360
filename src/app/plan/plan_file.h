// SPDX-License-Identifier: Apache-2.0
// The plan of a release day: many tables with their inputs and options, in one TOML file
// (docs/release.md).
//
//   [plan]
//   output = "out"                  # folder of all files, from the plan's own folder
//   unit_cells = 10000              # larger groups are done in parts, small parts together
//   [options]                       # of every table, as `lacuna protect` has them
//   method = "suppress"
//   [[table]]
//   input = "turnover.toml"
//   name = "turnover"               # of its files; else that of the input
//   response = "turnover"           # tables of one response share the cells with the same codes
//   public = ["csv", "px"]          # files for everyone; else csv
//   options = { effort = "fast" }
//   [[publish]]                     # a cell that must be published ties no tables
//   response = "turnover"
//   codes = { region = "North" }    # of all other dimensions the total; none: the grand total;
//                                   # "*" is every code
#pragma once

#include <map>
#include <string>
#include <vector>

#include "data/jobfile/job_file.h"
#include "lacuna/result.h"

namespace lacuna::plan {

struct PlannedTable {
  std::string name, input, response;
  std::vector<std::string> formats{"csv"};
  std::vector<jobfile::JobOption> options;  // those of the plan, and its own over them
  std::string where;                        // in the plan, for messages
};

struct PublishedCell {
  std::string response;
  std::map<std::string, std::string> codes;  // by dimension
  std::string where;
};

struct ReleasePlan {
  std::string folder;  // of the plan
  std::string output;  // folder
  // A process per unit costs some hundredths of a second, and so many cells a second or more.
  std::int64_t unit_cells = 10'000;
  std::vector<PlannedTable> tables;
  std::vector<PublishedCell> published;
};

// Paths are from here, not from the plan. Errors: unknown keys, a name twice, no table.
Result<ReleasePlan> read_plan(const std::string& path);
Result<ReleasePlan> read_plan_text(std::string text, const std::string& path);

}  // namespace lacuna::plan
