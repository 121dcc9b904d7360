// SPDX-License-Identifier: Apache-2.0
// The numbers of small-count rounding that were chosen and could be another. Whatever they are, the
// table adds up, no small count is left and the bound holds (docs/results/counts.md).
#pragma once

#include <cstddef>
#include <cstdint>

namespace lacuna::small_counts {

// What the counted loops take (core/base/work.h), in nanoseconds.
struct TouchTuning {
  std::size_t inner_entry = 12;  // an inner cell of a sum, when the sums are written down
  std::size_t weighed_row = 3;   // a sum in which a change is weighed
  std::size_t eliminated = 2;    // an entry of the elimination
};

struct GreedyTuning {
  // Candidates up to which the best one is looked for before each rise; above, as many rises as
  // this many rounds need are made between two looks at all of them, each checked on its own.
  std::size_t most_single = 3000;
  std::size_t looks = 64;
  // Exchanges: the sums of fewest members in which a partner is looked for, partners in each, and
  // passes over all cells. A hundred thousand inner cells stop improving after about ten.
  std::size_t rows = 4;
  std::size_t partners = 12;
  int passes = 40;
};

struct ExactTuning {
  // Small inner cells up to which the integer program is asked without --effort best.
  std::size_t most_small = 4000;
  // Unpublished inner cells up to which it is computed which of them readers can compute; above,
  // all of them are rounded, which is safe and costs more.
  std::size_t most_unseen = 800;
};

struct Tuning {
  TouchTuning touches;
  GreedyTuning greedy;
  ExactTuning exact;
};

inline constexpr Tuning kTuning{};

}  // namespace lacuna::small_counts
