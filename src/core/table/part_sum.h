// SPDX-License-Identifier: Apache-2.0
// Equations that say "the whole is the sum of its parts", as those of a hierarchy do.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "lacuna/table.h"

namespace lacuna::table {

struct PartSum {
  CellId total;
  std::vector<CellId> parts;    // at least two
  std::int32_t dimension = -1;  // in which the parts have other codes than the total; -1: not one
};

// Nothing if the equation is not of this form, or has a single part.
std::optional<PartSum> part_sum(const Table& table, EquationId equation);

}  // namespace lacuna::table
