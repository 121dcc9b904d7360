// SPDX-License-Identifier: Apache-2.0
// Which sums of a crossed table do not hold: for every relation "parent = sum of children" of a
// dimension and every combination of codes of the others, v_parent - sum v_children. Cells that are
// absent count as zero.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "lacuna/dimension.h"
#include "lacuna/linked_tables.h"
#include "lacuna/units.h"

namespace lacuna::table {

struct BrokenSum {
  std::size_t cell = 0;       // the sum, or its first part if the sum is absent
  std::size_t dimension = 0;  // over whose codes the sum goes
  bool absent = false;        // there is no cell for the sum
  Wide off = 0;               // the sum less its parts
};

struct CrossedValues {
  std::span<const Dimension> dimensions;
  std::span<const LinkedTable> tables;
  std::span<const std::int32_t> codes;  // one per dimension and cell
  std::span<const Units> values;        // one per cell
};

// In the order of the cells. A sum that two tables share is listed once.
std::vector<BrokenSum> find_broken_sums(const CrossedValues& table);

}  // namespace lacuna::table
