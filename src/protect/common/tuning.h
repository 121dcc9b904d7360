// SPDX-License-Identifier: Apache-2.0
// The numbers of cuts, separation and master that were chosen and could be another: unit, why, and
// what was measured. They decide how fast a bound rises, never whether a cut is valid.
#pragma once

#include <cstddef>
#include <cstdint>

namespace lacuna::inline common {

struct CutPoolTuning {
  std::size_t size = 20'000;   // cuts; the oldest are forgotten beyond, not measured
  std::int32_t patience = 12;  // solves that a slack row stays in the master, not measured
};

struct MasterTuning {
  // Weights are scaled down to at most this, a size that suits the absolute tolerances of LP
  // engines. Not measured.
  double largest_cost = 1'000'000;
};

struct SeparatorTuning {
  std::size_t witnesses = 6;  // kept per question, newest first; not measured
  // Cells of a part up to which an engine is asked what the lazy search leaves open. Not measured.
  std::int32_t largest_lp = 10'000;
  // Cells of a part up to which the second look at a violated question has the whole part.
  std::int32_t whole_again = 1500;
  // Leaves up to which programs over the leaves answer at once where totals are many. Not measured
  // beyond that a program takes 0.6 s in a table with few leaves and 5,000 cells.
  std::size_t most_leaves = 400;
  // Rounds that a question that gave nothing is passed over, at most. Not measured singly.
  int longest_pause = 3;
  // Least x of a column that is asked for bridges: below, nothing much can be violated. Not
  // measured.
  double worth_a_bridge = 0.05;
};

struct ModelTuning {
  // A part has few leaves if it has more than so many independent totals per leaf: then the leaf
  // form is the smaller one. hier13x13x13a: 2,197 cells and 216 degrees of freedom.
  std::size_t totals_per_leaf = 2;
};

struct Tuning {
  CutPoolTuning cut_pool;
  MasterTuning master;
  SeparatorTuning separator;
  ModelTuning model;
};

inline constexpr Tuning kTuning{};

}  // namespace lacuna::inline common
