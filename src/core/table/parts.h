// SPDX-License-Identifier: Apache-2.0
// Structure of the equations over a set of free cells, all others being fixed at their values.
#pragma once

#include <cstdint>
#include <vector>

#include "lacuna/table.h"

namespace lacuna::table {

struct FixedBy {
  CellId cell;
  EquationId equation;
  std::int32_t coefficient = 0;
};

// Cells of `free` that the equations determine one after the other: an equation with exactly one
// cell still free fixes that cell. In the order found; each relies only on earlier ones.
std::vector<FixedBy> determined_cells(const Table& table, const std::vector<bool>& free);

// Cells that may be withheld, are not known to everyone, and are not determined by the equations if
// all such are withheld: no other can hide anything.
std::vector<bool> movable_cells(const Table& table);

// Free cells are connected if an equation holds both. part_of is -1 for cells that are not free;
// parts are numbered by their first cell.
struct Parts {
  std::int32_t count = 0;
  std::vector<std::int32_t> part_of;
};
Parts connected_parts(const Table& table, const std::vector<bool>& free);

}  // namespace lacuna::table
