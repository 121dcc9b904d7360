// SPDX-License-Identifier: Apache-2.0
// The table nearest to published numbers p that do not add up: whole v >= 0 with M v = b and
//   minimize sum_c (v_c - p_c)^2,   v_c = p_c where a cell keeps its number.
// A start by least squares over the leaves u, v = X u (conjugate gradients, Hestenes and Stiefel
// 1952), rounded and improved by single moves and exchanges; then the engine's branch and bound on
//   v_c = p_c + sum_k (s_ck - t_ck),  0 <= s_ck, t_ck <= 1,  cost 2 k - 1 for the k-th of them,
// which is the square at whole numbers; the last of them has no end and too small a cost, so that
// the bound holds, and if a solution goes beyond it there are twice as many of them in the next
// attempt. Nothing but published numbers goes in, so that nothing new is told. (SSBcellKey has real
// numbers: least squares and proportional fitting.)
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "lacuna/run_context.h"
#include "lacuna/table.h"
#include "lacuna/units.h"

namespace lacuna::cellkey {

struct NearestTable {
  std::vector<Units> numbers;  // by cell, all equations hold
  double distance = 0;         // sum of squares
  double bound = 0;            // proven: no whole table is nearer
  bool optimal() const { return distance <= bound; }
};

struct NearestQuestion {
  const Table& table;
  std::span<const Units> published;
  std::vector<bool> keeps{};  // cells that keep their number; empty: none
};

// At any time the best that is known, if the run is limited; nothing if that is none.
std::optional<NearestTable> nearest_table(const NearestQuestion& question, const RunContext& run);

}  // namespace lacuna::cellkey
