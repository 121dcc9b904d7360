// SPDX-License-Identifier: Apache-2.0
// A table that adds up, near published numbers p that do not: whole leaves u >= 0 with
//   minimize sum_c ((X u)_c - p_c)^2,  X from the leaf form of the equations.
// The least squares over the reals by conjugate gradients (Hestenes and Stiefel 1952), rounded,
// then moves of one leaf by one unit, and of two leaves of one equation in opposite directions, as
// long as they bring the table nearer. Nothing but published numbers goes in, so that nothing new
// is told. (SSBcellKey has real numbers: least squares and proportional fitting.)
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "lacuna/table.h"
#include "lacuna/units.h"

namespace lacuna::inline cellkeys {

struct NearestTable {
  std::vector<Units> numbers;  // by cell, all equations hold
  double distance = 0;         // sum of squares
  double bound = 0;            // of the reals, zeros allowed below
};

// Nothing if the equations restrict the leaves, or have right-hand sides: no table can be made from
// leaves alone.
std::optional<NearestTable> nearest_table(const Table& table, std::span<const Units> published);

}  // namespace lacuna::inline cellkeys
