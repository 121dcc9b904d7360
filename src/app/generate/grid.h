// SPDX-License-Identifier: Apache-2.0
// The full cross product of some dimensions as a dense array: leaf cells are filled in, sums
// follow. A cell is present if a leaf below it is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "lacuna/dimension.h"
#include "lacuna/linked_tables.h"
#include "lacuna/result.h"
#include "lacuna/units.h"

namespace lacuna::generation {

inline constexpr std::int64_t kMaxCells = 20'000'000;

// What is drawn before anything is sensitive: cells carry one code per dimension.
struct CellList {
  std::vector<Dimension> dimensions;
  std::vector<LinkedTable> tables;
  std::vector<Units> values;
  std::vector<std::int32_t> codes;
  std::vector<std::int64_t> frequencies;  // empty if contributors are not modelled
  std::vector<std::size_t> first_cell;    // of each table; cells shared with an earlier one are its

  std::size_t size() const { return values.size(); }
  std::span<const std::int32_t> codes_of(std::size_t cell) const {
    return {codes.data() + cell * dimensions.size(), dimensions.size()};
  }
};

class Grid {
 public:
  // An error if the cross product is larger than kMaxCells.
  static Result<Grid> make(const std::vector<Dimension>& dimensions,
                           std::vector<std::int32_t> used);

  std::size_t size() const { return values_.size(); }
  const std::vector<std::int32_t>& used() const { return used_; }
  std::int32_t code(std::size_t at, std::size_t position) const {
    return static_cast<std::int32_t>(at / stride_[position] % extent_[position]);
  }
  std::size_t at(std::span<const std::int32_t> codes) const;
  bool is_leaf(const std::vector<Dimension>& dimensions, std::size_t at) const;

  Units value(std::size_t at) const { return values_[at]; }
  bool is_present(std::size_t at) const { return present_[at] != 0; }
  void put(std::size_t at, Units value) {
    values_[at] = value;
    present_[at] = 1;
  }
  void add_up(const std::vector<Dimension>& dimensions);

 private:
  std::vector<std::int32_t> used_;
  std::vector<std::size_t> extent_, stride_;
  std::vector<Units> values_;
  std::vector<std::uint8_t> present_;
};

// The relation that gives each parent its value, children before parents.
std::vector<const Relation*> bottom_up(const Dimension& dimension);

// Lists the present cells of all grids; a cell that an earlier grid has is not repeated.
CellList list_cells(std::vector<Dimension> dimensions, const std::vector<Grid>& grids);

}  // namespace lacuna::generation
