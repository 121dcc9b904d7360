// SPDX-License-Identifier: Apache-2.0
// The safety rules as tau-ARGUS evaluates them, in exact numbers. With x1 >= x2 >= ... the largest
// contributions to the shadow total X: (n,k)-dominance is unsafe if 100 (x1 + ... + xn) > k X; p%
// and (p,q) if p/100 x1 + q/100 (x1 + ... + x(n+1) - X) > 0; a frequency if 0 < f < minimum.
#pragma once

#include <cstddef>
#include <optional>

#include "data/argus/table.h"

namespace lacuna::argus {

// Status and levels of every cell, by its rules or (without any) by the status that it has; prices
// by distance if the table asks for them.
void apply_rules(Table& table);

// The same for single cells.
class RuleBook {
 public:
  explicit RuleBook(const Table& table);  // which outlives it; values may not change meanwhile

  CellStatus status(std::size_t cell) const;  // what the rules say, whatever the cell has
  // Of a cell of this status, if that is unsafe: at least one unit of the last shown decimal; the
  // lower one is cut so that a tenth of that unit is left above the smallest value that a reader
  // must think possible (0, or 1.5 times the smallest of the table if that is negative).
  std::optional<ProtectionLevels> levels(std::size_t cell, CellStatus status) const;

 private:
  const Table& table_;
  mpq_class smallest_;  // value that a reader must think possible
};

// Prices by distance (cost -3): cells next to an unsafe one are the cheapest. Between two codes of
// a variable lie as many steps as between their places below the same parent; k steps cost the k-th
// number of <DISTANCE>, more than four and other parents the fifth. A cell costs 1 and the smallest
// sum over the variables to an unsafe cell.
void set_distance_costs(Table& table);

}  // namespace lacuna::argus
