// SPDX-License-Identifier: Apache-2.0
// What small-count rounding decides and pays for. Of the inner cells only those with 0 < f < b have
// a choice:
//   x_i in { 0, b }       if a reader sees x_i (it is published, or can be computed),
//   x_i in { 0, f_i, b }  else,
// without 0 or b where everyone knows that it cannot be, or where what a reader then knows of a
// sensitive cell (publish.h) falls short of its levels. Of the published sums only the part that
// has a choice counts: with T_r the sum of its f_i and rest_r that of its other inner cells,
//   cost = sum_r w_r |sum_{i in r} x_i - T_r|,   rest_r + sum_{i in r} x_i = 0 or >= b.
// Sums of the same members are one row.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "lacuna/problem.h"
#include "protect/small_counts/inner.h"

namespace lacuna::small_counts {

struct Small {              // an inner cell with a choice
  std::int32_t inner = -1;  // index into Inner
  Units value = 0;          // f_i, in 1 .. b-1
  bool may_drop = true;     // to 0
  bool may_rise = true;     // to b
  bool must = true;         // it may not stay as it is
};

struct Row {
  double weight = 0;
  Units target = 0;  // T_r
  bool guarded =
      false;  // it could end up in 1 .. b-1: no other inner cell in it, and some may stay
};

struct Program {
  Units base = 0;
  std::vector<Small> small;
  std::vector<Row> rows;
  std::vector<std::size_t> row_start{0};  // by row
  std::vector<std::int32_t> row_small;
  std::vector<std::size_t> start{0};  // by small inner cell
  std::vector<std::int32_t> small_rows;

  std::span<const std::int32_t> members(std::size_t row) const {
    return {row_small.data() + row_start[row], row_start[row + 1] - row_start[row]};
  }
  std::span<const std::int32_t> rows_of(std::size_t i) const {
    return {small_rows.data() + start[i], start[i + 1] - start[i]};
  }
  bool is_small(Units sum) const { return sum > 0 && sum < base; }
};

// `seen` by inner cell: a reader knows what x_i is.
Program make_program(const Problem& problem,
                     const Inner& inner,
                     const std::vector<bool>& seen,
                     Units base);

// sum_r w_r |sum x - T|.
double cost_of(const Program& program, std::span<const Units> x);

// No row of x lies in 1 .. b-1, and every cell has one of its choices.
bool is_feasible(const Program& program, std::span<const Units> x);

// A bound without any search: every row by itself, at its best multiple of the base.
double quick_bound(const Program& program);

// The bound with what whole weights tell: the cost is then a whole number.
double sharpened(const Program& program, double bound);

}  // namespace lacuna::small_counts
