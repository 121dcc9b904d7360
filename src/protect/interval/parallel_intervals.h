// SPDX-License-Identifier: Apache-2.0
// Parallel cells (judge/presolve/merged.h) publish intervals of one range: whoever has less slack
// tells the others. So a class has one pair of ends, whose price is the sum of its cells' prices,
// with sides swapped where a cell moves against the class.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "judge/presolve/merged.h"
#include "lacuna/draft.h"
#include "lacuna/interval.h"
#include "protect/interval/publish.h"

namespace lacuna::interval {

class ParallelIntervals {
 public:
  // Nothing if there is no smaller problem, or if no level is asked of a sensitive cell: its
  // interval is for the whole problem to decide.
  static std::optional<ParallelIntervals> make(const Problem& problem,
                                               const IntervalOptions& options,
                                               const RunContext& run);

  const std::shared_ptr<const Problem>& problem_ptr() const { return merged_.problem_ptr(); }
  const IntervalOptions& options() const { return options_; }

  // Of a draft of the smaller problem, by end of the given one.
  Ends expand(const Problem& given, const Draft& draft) const;
  const presolve::MergedProblem& merged() const { return merged_; }

 private:
  ParallelIntervals(presolve::MergedProblem merged,
                    const Problem& given,
                    const IntervalOptions& options);

  presolve::MergedProblem merged_;
  IntervalOptions options_;
};

}  // namespace lacuna::interval
