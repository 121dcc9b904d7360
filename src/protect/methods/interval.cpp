// SPDX-License-Identifier: Apache-2.0
// --method interval: interval publication (partial suppression).
#include "lacuna/interval.h"

#include "protect/methods/bound_note.h"
#include "protect/methods/methods.h"

namespace lacuna::methods {

Result<MethodOutcome> protect_by_intervals(const std::shared_ptr<const Problem>& problem,
                                           const ProtectOptions& given,
                                           const RunContext& run) {
  IntervalOptions options{given, given.interval, {}, {}, {}};
  if (given.off_center > 0)
    options.interval_digits = 0;  // ends are rounded when they are moved
  LACUNA_TRY(const IntervalResult found, publish_intervals(problem, options, run));
  MethodOutcome outcome = outcome_of(found);
  outcome.details = {
      {"intervals", static_cast<double>(found.draft.count(StatementKind::kInterval))},
      {"rounds", static_cast<double>(found.counts.rounds)},
      {"cuts", static_cast<double>(found.counts.cuts)}};
  if (options.prove_bound)
    note_bound(*problem, given, outcome);
  return outcome;
}

}  // namespace lacuna::methods
