// SPDX-License-Identifier: Apache-2.0
// The inner cells of a table of counts: f_i >= 0 such that every cell is a sum of some of them.
//
// Of a table with or without hierarchies these are its leaves (core/table/leaf_form.h). Linked
// tables without a common inner table have conditions on their leaves, sum of some = sum of others,
// all of them the same persons counted in two ways. Inner cells are then made: for each condition,
// the smallest first, the counts on its two sides are paired off in the order of the cells (the
// northwest corner rule), so that a pair is a number of persons in one leaf of either table. What
// comes out is a table that the published margins could have come from; the method needs no more,
// because it publishes sums of inner cells and nothing else of them. It does not exist in this form
// where links run in a circle (A by B, B by C, C by A): that is an error, and the table of all
// their variables, its cells withheld, is the way out.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "lacuna/result.h"
#include "lacuna/table.h"

namespace lacuna::small_counts {

struct Inner {
  std::vector<Units> value;            // f_i
  std::vector<CellId> cell;            // the cell of the table that it is; -1: it is a pair
  std::vector<std::size_t> start{0};   // by cell of the table
  std::vector<std::int32_t> members;   // inner cells of a cell, ascending
  bool coupled = false;                // made from linked tables
  std::vector<std::int64_t> leaves{};  // by cell: leaves of the table in it
  std::int64_t most_parts = 1;         // the most inner cells in a leaf of the table

  std::size_t size() const { return value.size(); }
  std::span<const std::int32_t> of(CellId cell_id) const {
    const auto c = static_cast<std::size_t>(cell_id.value);
    return {members.data() + start[c], start[c + 1] - start[c]};
  }
};

// Errors: decimals, negative numbers, equations that are no sums, links in a circle.
Result<Inner> inner_cells(const Table& table);

}  // namespace lacuna::small_counts
