// SPDX-License-Identifier: Apache-2.0
// --method combined: a fixed price per interval (--weights) and a price per width
// (--width-weights).
#include "lacuna/combined.h"

#include "protect/methods/methods.h"

namespace lacuna::methods {
namespace {

Result<std::vector<double>> width_weights(const Problem& problem, const std::string& formula) {
  LACUNA_TRY(const Problem weighed, weigh(problem, formula));
  std::vector<double> weights;
  for (const Cell& cell : weighed.table().cells())
    weights.push_back(cell.weight);
  return weights;
}

}  // namespace

Result<MethodOutcome> protect_combined(const std::shared_ptr<const Problem>& problem,
                                       const ProtectOptions& given,
                                       const RunContext& run) {
  CombinedOptions options{given, given.combined, {}, {}, {}};
  if (given.off_center > 0)
    options.interval_digits = 0;  // ends are rounded when they are moved
  LACUNA_TRY(options.weight_up, width_weights(*problem, given.width_weights));
  options.weight_down = options.weight_up;
  LACUNA_TRY(const CombinedResult found, publish_combined(problem, options, run));
  MethodOutcome outcome = outcome_of(found);
  outcome.width_weights = options.weight_up;
  outcome.details = {
      {"intervals", static_cast<double>(found.draft.count(StatementKind::kInterval))},
      {"nodes", static_cast<double>(found.counts.nodes)},
      {"cuts", static_cast<double>(found.counts.cuts)}};
  if (found.why == StopReason::kInfeasible)
    outcome.reason = (options.max_intervals >= 0
                          ? "no " + std::to_string(options.max_intervals) + " intervals protect"
                          : std::string("no intervals within these limits protect")) +
                     " the table; nothing is released";
  return outcome;
}

}  // namespace lacuna::methods
