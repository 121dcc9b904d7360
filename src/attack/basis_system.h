// SPDX-License-Identifier: Apache-2.0
// The square system of a basis of an LP in which cell c is x_{2c} - x_{2c+1}: rows whose logical is
// not basic, columns that are. Solved exactly it gives the vertex and its duals.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/exact_linear.h"
#include "lacuna/lp.h"

namespace lacuna::inline attack {

struct BasisSystem {
  std::vector<std::size_t> rows, columns;
  std::vector<std::int32_t> place;  // of a column among `columns`, -1 if not basic
  SparseRows matrix;
};

// Nothing if there is no basis or it is not square. `each_term(row, add)` calls add(c, coefficient)
// for every cell of a row.
template <class EachTerm>
std::optional<BasisSystem> basis_system(const LpBasis& basis, EachTerm&& each_term) {
  if (basis.empty())
    return std::nullopt;
  BasisSystem system;
  system.place.assign(basis.columns.size(), -1);
  for (std::size_t column = 0; column < basis.columns.size(); ++column) {
    if (basis.columns[column] != BasisStatus::kBasic)
      continue;
    system.place[column] = static_cast<std::int32_t>(system.columns.size());
    system.columns.push_back(column);
  }
  for (std::size_t r = 0; r < basis.rows.size(); ++r) {
    if (basis.rows[r] != BasisStatus::kBasic)
      system.rows.push_back(r);
  }
  if (system.rows.size() != system.columns.size())
    return std::nullopt;
  system.matrix.resize(system.rows.size());
  for (std::size_t i = 0; i < system.rows.size(); ++i) {
    each_term(system.rows[i], [&](std::size_t cell, std::int32_t coefficient) {
      if (const std::int32_t up = system.place[2 * cell]; up >= 0)
        system.matrix[i].push_back({up, coefficient});
      if (const std::int32_t down = system.place[2 * cell + 1]; down >= 0)
        system.matrix[i].push_back({down, -coefficient});
    });
  }
  return system;
}

}  // namespace lacuna::inline attack
