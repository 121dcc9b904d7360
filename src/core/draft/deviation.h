// SPDX-License-Identifier: Apache-2.0
// How far published numbers are from the truth, over all cells that carry a number:
//   largest and mean |v_i - a_i|, and the Hellinger distance of the two distributions over the
//   cells that are not negative,  H^2 = 1/2 sum_i (sqrt(v_i / sum v) - sqrt(a_i / sum a))^2.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "lacuna/draft.h"
#include "lacuna/table.h"

namespace lacuna::draft {

struct Deviation {
  double largest = 0, mean = 0;  // in the unit of the table's numbers
  double hellinger = 0;          // in [0, 1]
  std::int64_t numbers = 0;      // cells that carry a number
  std::int64_t changed = 0;      // ... that is not the truth
};

Deviation deviation(const Table& table, const Draft& draft);

// Names and numbers for reports.
std::vector<std::pair<std::string, double>> deviation_details(const Deviation& deviation);

}  // namespace lacuna::draft
