// SPDX-License-Identifier: Apache-2.0
// Second half of a tabulation: leaves to cells. A leaf is a combination of leaf codes; it is part
// of every cell whose codes are above its own.
#pragma once

#include <bitset>
#include <cstdint>
#include <span>
#include <vector>

#include "data/tabulate/numbered_keys.h"
#include "lacuna/dimension.h"
#include "lacuna/linked_tables.h"
#include "lacuna/result.h"

namespace lacuna::tabulation {

// Every dimension has at least one of the 128 bits of a key.
using DimensionSet = std::bitset<128>;

struct CellIndex {
  std::vector<std::int32_t> codes;  // one per dimension and cell, cells by rising codes
  std::size_t num_cells = 0;
  std::vector<std::size_t> start;    // of a leaf's cells, one more than leaves
  std::vector<std::uint32_t> cells;  // of all leaves, one after the other

  // By which the cell of some codes is found: its key is the sum of stride[d] * code of d.
  std::vector<std::int32_t> leaf_codes;                       // one per dimension and leaf
  std::vector<std::vector<std::vector<std::int32_t>>> above;  // per dimension and code; with itself
  std::vector<std::int32_t> totals;                           // per dimension
  std::vector<KeyTable::Key> stride;                          // likewise
  std::vector<DimensionSet> uses;                             // per table
  NumberedKeys numbers;                                       // of cells, by key

  std::size_t num_leaves() const { return start.size() - 1; }
  std::span<const std::uint32_t> of_leaf(std::size_t leaf) const {
    return {cells.data() + start[leaf], start[leaf + 1] - start[leaf]};
  }
};

// How many combinations of codes there are, as long as each has a key of its own.
inline constexpr KeyTable::Key kTooManyTuples = KeyTable::Key{1} << 125U;
KeyTable::Key num_tuples(const std::vector<Dimension>& dimensions);

// For every code itself and all codes above it, each once.
Result<std::vector<std::vector<std::int32_t>>> codes_above(const Dimension& dimension);

// `leaf_codes`: one per dimension and leaf. With `all` the cells without a leaf are listed too.
Result<CellIndex> index_cells(const std::vector<Dimension>& dimensions,
                              const std::vector<LinkedTable>& tables,
                              std::vector<std::int32_t> leaf_codes,
                              bool all);

}  // namespace lacuna::tabulation
