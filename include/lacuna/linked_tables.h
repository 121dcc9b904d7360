// SPDX-License-Identifier: Apache-2.0
// From codes to equations: every relation "parent = sum of children" of a dimension, crossed with
// every combination of codes of the other dimensions, is one equation of the table.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "lacuna/export.h"
#include "lacuna/result.h"
#include "lacuna/table.h"

namespace LACUNA_API lacuna {

// One table of a linked system: the dimensions (indices into TableBuilder::dimensions()) that it
// crosses; all others stand at their total. Cells of equal codes are one cell.
struct LinkedTable {
  std::string name;
  std::vector<std::int32_t> dimensions;
  // Of linked tables: this one ends above the leaves of its dimensions, so that a sum none of whose
  // parts is there is no sum of it.
  bool stops_above_leaves = false;
};

// Whether a cell of these codes, one per dimension, is one of the table's.
bool holds(const LinkedTable& table,
           std::span<const Dimension> dimensions,
           std::span<const std::int32_t> codes);

// Adds the equations of all tables to a builder whose cells carry codes. A cell that is absent is
// a structural zero: it is left out of its equations (see LinkedTable::stops_above_leaves).
// Equations that two tables share are added once. Errors: two cells with the same codes; a cell
// that belongs to none of the tables; an equation that does not balance.
Status add_table_equations(TableBuilder& builder, std::span<const LinkedTable> tables);

}  // namespace lacuna
