// SPDX-License-Identifier: Apache-2.0
// [[attacker]] of a job over a table: who knows more than the outsider, of which cells, and what
// must stay hidden from whom (docs/formats.md).
//   [[attacker]]
//   name = "firm 7"
//   known = [{ cell = ["north", "steel"], lower = 10, upper = 20 }]
//   levels = [{ cell = ["north", "Total"], lower = 5, upper = 5, sliding = 12 }]
// Without levels of its own an attacker may learn no more than the outsider, except of cells that
// it knows something about already.
#pragma once

#include <string>
#include <vector>

#include "data/jobfile/table_cells.h"
#include "data/spec/job_spec.h"
#include "lacuna/problem.h"
#include "lacuna/result.h"

namespace lacuna::jobfile {

// An entry of `known` or `levels`, before the cells are read. An infinite or absent number is
// empty.
struct CellFacts {
  std::string path;
  std::vector<std::string> codes;
  std::string lower;
  std::string upper;
  std::string sliding;
  bool exact = false;  // known, and no bounds are given
};

struct AttackerPlan {
  std::string name;
  std::vector<CellFacts> known;
  std::vector<CellFacts> levels;
  bool has_levels = false;
};

Result<std::vector<AttackerPlan>> read_attackers(const spec::ReadSpec& spec);

struct TableAttackers {
  std::vector<Attacker> attackers;  // the outsider first
  std::vector<Requirement> requirements;
};

// The attackers of the cells: the outsider with the levels of the rows, then those of the plans.
Result<TableAttackers> attackers_of(const std::vector<AttackerPlan>& plans,
                                    const TableCells& cells,
                                    const spec::SpecPlaces& places);

}  // namespace lacuna::jobfile
