// SPDX-License-Identifier: Apache-2.0
// The numbers of the attacker's problem that were chosen and could be another: unit, why, and what
// was measured. They decide who answers and how soon a search is cut off.
#pragma once

#include <cstddef>
#include <cstdint>

namespace lacuna::attacker {

struct Tuning {
  // There are few leaves if there are more than so many independent totals per leaf: then the leaf
  // form is the smaller one. hier13x13x13a: 2,197 cells and 216 degrees of freedom.
  std::size_t totals_per_leaf = 2;
  // Leaves up to which programs over the leaves answer at once where totals are many. Not measured
  // beyond that a program takes 0.6 s in a table with few leaves and 5,000 cells.
  std::size_t most_leaves = 400;
  // Cells up to which an engine is asked what the lazy search leaves open, and beyond which that
  // is cut off sooner. Not measured.
  std::int32_t largest_lp = 10'000;
  // Cells up to which the second look at a question has all of them.
  std::int32_t whole_again = 1500;

  // Touches (core/base/work.h), fitted to what was measured: docs/results/work.md.
  std::size_t end = 2;        // of all ends, where a point is read
  std::size_t move_cell = 4;  // of a displacement that is looked at
  std::size_t moved = 30;     // of what is left of it
  std::size_t row = 50;       // touched at the start
};

inline constexpr Tuning kTuning{};

}  // namespace lacuna::attacker
