// SPDX-License-Identifier: Apache-2.0
// The numbers of cuts, separation and master that were chosen and could be another: unit, why, and
// what was measured. They decide how fast a bound rises, never whether a cut is valid.
#pragma once

#include <cstddef>
#include <cstdint>

namespace lacuna::suppression_model {

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
  std::size_t shared_witnesses = 24;  // where many attackers share them; not measured
  // Constraints of other attackers taken per cell, direction and visit, and attackers up to which
  // all are looked at when a question to several of them at once has failed. Not measured.
  std::size_t cuts_of_others = 3;
  std::size_t few_others = 16;
  // Rounds that a question that gave nothing is passed over, at most. Not measured singly.
  int longest_pause = 3;
  // Least x of a column that is asked for bridges: below, nothing much can be violated. Not
  // measured.
  double worth_a_bridge = 0.05;
};

struct Tuning {
  CutPoolTuning cut_pool;
  MasterTuning master;
  SeparatorTuning separator;
};

inline constexpr Tuning kTuning{};

}  // namespace lacuna::suppression_model
