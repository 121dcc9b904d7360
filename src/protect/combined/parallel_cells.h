// SPDX-License-Identifier: Apache-2.0
// Parallel cells in the combined problem (judge/presolve/merged.h,
// protect/interval/parallel_intervals.h). The narrowest range among them is what an attacker sees
// of all, so that
//
//   z_i = z_j and x_i = x_j   for parallel cells i and j
//
// in some optimum: an interval beside a published parallel cell helps nobody and has its price. So
// a class has one x, with the sum of the fixed prices, one pair of ends, with the sum of the prices
// of their widths, and counts as many intervals as it has cells. Start, relaxation, pattern cuts
// and search see classes alone.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "lacuna/combined.h"
#include "lacuna/evidence.h"
#include "lacuna/interval.h"
#include "protect/interval/parallel_intervals.h"

namespace lacuna::combined {

class ParallelCells {
 public:
  // `widths`: the prices of widths. Nothing if there is no smaller problem, or if single cells have
  // least widths or conditional levels: a cell may then be wider than its class, and which cells
  // are sensitive matters.
  static std::optional<ParallelCells> make(const Problem& problem,
                                           const CombinedOptions& options,
                                           const IntervalOptions& widths,
                                           const RunContext& run);

  const std::shared_ptr<const Problem>& problem_ptr() const { return classes_.problem_ptr(); }
  const CombinedOptions& options() const { return options_; }
  // How many intervals a class stands for.
  const std::vector<std::int32_t>& intervals() const { return intervals_; }

  // Of a draft of the smaller problem, by end of the given one; and its evidence.
  interval::Ends expand(const Problem& given, const Draft& draft) const {
    return classes_.expand(given, draft);
  }
  std::vector<Displacement> expand(const std::vector<Displacement>& witnesses) const {
    return classes_.merged().expand(witnesses);
  }

 private:
  ParallelCells(interval::ParallelIntervals classes,
                const Problem& given,
                const CombinedOptions& options);

  interval::ParallelIntervals classes_;
  CombinedOptions options_;
  std::vector<std::int32_t> intervals_;
};

}  // namespace lacuna::combined
