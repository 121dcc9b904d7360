// SPDX-License-Identifier: Apache-2.0
// Which tables are about the same records. Tables of one filter print the same numbers in the cells
// that they share; where they do not, they are about different records, and one may be a part of
// the other.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "app/check/cells.h"

namespace lacuna::checking {

struct TableFacts {                             // of one table
  std::vector<std::vector<std::int32_t>> keys;  // of its rows: sorted conditions
  std::vector<std::optional<Units>> numbers;
  std::vector<std::int32_t> subset;  // sorted conditions
  bool counts = true;
  bool stated = false;  // its filter is stated, by the notes or by the file
};

struct Populations {
  std::vector<std::int32_t> class_of;   // by table, within its subset: 0 is the main one
  std::vector<std::int32_t> joined_of;  // tables that are shown or stated to be of one population
  std::vector<Clash> clashes;
  // Whether class `part` of a subset may lie within class `whole`, by (subset, part, whole).
  std::map<std::vector<std::int32_t>, std::map<std::pair<std::int32_t, std::int32_t>, bool>> within;
};

Populations find_populations(const std::vector<TableFacts>& tables);

}  // namespace lacuna::checking
