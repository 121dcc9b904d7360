// SPDX-License-Identifier: Apache-2.0
// Which tables of a plan must be protected together. Two cells are one if their tables are of one
// response and their codes other than totals are the same. A shared cell that may be withheld ties
// its tables: what one table withholds the other must not show, and what both show is added up by
// whoever has both. A shared cell that must be published ties nothing. The groups are the connected
// parts.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "app/load/load.h"
#include "app/load/prepare.h"
#include "app/plan/plan_file.h"
#include "lacuna/result.h"

namespace lacuna::plan {

// "region=North|size=3": codes other than totals, sorted by dimension. The grand total: "".
std::string cell_key(const Table& table, CellId cell);

struct Tie {
  std::size_t first = 0, second = 0;   // tables of the plan
  std::int64_t cells = 0;              // that both have and that may be withheld
  std::string example;                 // the first of them
  std::vector<std::string> untied_by;  // the cells that would have to be published, if they are few
};

struct Grouping {
  std::vector<std::vector<std::size_t>> groups;  // tables of the plan, each once
  std::vector<Tie> ties;
};

// `tables`: as they were read, in the order of the plan; null: one that could not be. Cells of the
// plan's [[publish]] are published in all of them by then.
Grouping group_tables(const ReleasePlan& plan,
                      const std::vector<const load::PreparedProblem*>& tables);

// The table with the cells that the plan says must be published. Errors: one that is sensitive.
Result<load::LoadedProblem> with_published(load::LoadedProblem loaded,
                                           const std::string& response,
                                           const std::vector<PublishedCell>& cells);

// A group as one problem, and where the cells of each table are in it. Errors: a shared cell with
// two values, or sensitive in one table and to be published in another; respondents as attackers
// of several inputs, which belong in one job with several tables.
struct MergedGroup {
  Problem problem;
  std::vector<std::vector<CellId>> places;  // by table of the group and cell
};
Result<MergedGroup> merge_group(const std::vector<const Problem*>& tables,
                                const std::vector<std::string>& names);

}  // namespace lacuna::plan
