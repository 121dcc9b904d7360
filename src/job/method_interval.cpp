// SPDX-License-Identifier: Apache-2.0
// --method interval: interval publication (partial suppression).
#include "job/methods.h"
#include "lacuna/interval.h"

namespace lacuna::inline job {

Result<MethodOutcome> protect_by_intervals(const std::shared_ptr<const Problem>& problem,
                                           const ProtectJob& job,
                                           const RunContext& run) {
  IntervalOptions options;
  options.engine = job.engine;
  options.relative_gap = job.gap;
  options.digits = job.off_center > 0 ? 0 : job.interval_digits;  // else when they are moved
  LACUNA_TRY(const IntervalResult found, publish_intervals(problem, options, run));
  MethodOutcome outcome = outcome_of(found);
  outcome.witnesses = found.witnesses;
  outcome.details = {{"intervals", static_cast<double>(found.draft.count(CellState::kInterval))},
                     {"rounds", static_cast<double>(found.counts.rounds)},
                     {"cuts", static_cast<double>(found.counts.cuts)}};
  return outcome;
}

}  // namespace lacuna::inline job
