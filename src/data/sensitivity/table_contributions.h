// SPDX-License-Identifier: Apache-2.0
// Contributors of a ready-made table: its frequency column says how many contribute to a cell,
// columns such as MAX or TOP1, TOP2 hold the largest contributions, and from there on it is as with
// records. Where fewer contributions are known than a rule looks at, the others are taken as large
// as they can be, c_i <= min(c_(i-1), value - c_1 - ... - c_(i-1)): never too little is protected.
// Contributors are followed from a cell to the sums above it by their amounts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "lacuna/result.h"
#include "lacuna/table.h"
#include "lacuna/tabulation.h"
#include "lacuna/units.h"

namespace lacuna::sensitivity {

using LargestByCell = std::vector<std::vector<Units>>;  // by cell, as many as its row gives

struct TabulatedTable {
  Tabulation tabulation;    // without the linked tables, which the caller knows
  std::size_t assumed = 0;  // contributions that were taken as large as they can be
};

// `needed`: contributions per cell that the rules look at; 0: sole contributors alone count.
TabulatedTable tabulation_of(const Table& table, const LargestByCell& largest, std::int32_t needed);

// A contribution is part of the value. Errors name a cell by its label.
Status check_contributions(const Table& table, const LargestByCell& largest);

}  // namespace lacuna::sensitivity
