// SPDX-License-Identifier: Apache-2.0
// Moves of an attacker in interval publication: by how much do they miss the equations?
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "lacuna/table.h"
#include "protect/interval/model.h"

namespace lacuna::interval {

// The largest amount by which the move breaks an equation.
inline double imbalance(const Table& table, const attacker::Move& move) {
  std::vector<double> sums(static_cast<std::size_t>(table.num_equations()), 0);
  double most = 0;
  for (const auto& [cell, amount] : move) {
    for (const Incidence& in : table.equations_of(CellId{cell}))
      sums[static_cast<std::size_t>(in.equation.value)] += in.coefficient * amount;
  }
  for (const double sum : sums)
    most = std::max(most, std::abs(sum));
  return most;
}

}  // namespace lacuna::interval
