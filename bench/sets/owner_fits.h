// SPDX-License-Identifier: Apache-2.0
// All whole tables that fit a release: what a reader can list who has nothing else. By depth-first
// search over the cells with the fewest values left, every equation narrowing the others.
#pragma once

#include <cstddef>
#include <vector>

#include "lacuna/table.h"
#include "lacuna/units.h"

namespace lacuna::bench {

struct FittingTables {
  std::vector<std::vector<Units>> tables;  // numbers by cell
  bool all = true;                         // false: there are more than were asked for
};

// `known`: finite ends by cell.
FittingTables fitting_tables(const Table& table, std::vector<Bounds> known, std::size_t most);

}  // namespace lacuna::bench
