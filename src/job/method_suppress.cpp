// SPDX-License-Identifier: Apache-2.0
// --method suppress: complete cell suppression.
#include "job/methods.h"
#include "lacuna/suppress.h"

namespace lacuna {
namespace {

Result<Effort> effort_of(const std::string& name) {
  if (name == "fast")
    return Effort::kFast;
  if (name == "default")
    return Effort::kDefault;
  if (name == "best")
    return Effort::kBest;
  return Error{ErrorCode::kBadOption,
               "there is no effort '" + name + "' (known: fast, default, best)",
               "--effort"};
}

}  // namespace

Result<MethodOutcome> protect_by_suppression(const std::shared_ptr<const Problem>& problem,
                                             const ProtectJob& job,
                                             const RunContext& run) {
  SuppressOptions options;
  LACUNA_TRY(options.effort, effort_of(job.effort));
  options.relative_gap = job.gap;
  options.engine = job.engine;
  LACUNA_TRY(SuppressResult found, suppress(problem, options, run));
  MethodOutcome outcome;
  outcome.why = found.why;
  outcome.complete = found.complete;
  outcome.draft = std::move(found.draft);
  outcome.objective = found.cost;
  outcome.bound = found.bound;
  outcome.witnesses = std::move(found.witnesses);
  outcome.details = {{"start_objective", found.start_cost},
                     {"start_seconds", found.start_seconds},
                     {"nodes", static_cast<double>(found.counts.nodes)},
                     {"cuts", static_cast<double>(found.counts.cuts)},
                     {"attacker_lps", static_cast<double>(found.counts.attacker_lps)},
                     {"master_lps", static_cast<double>(found.counts.master_lps)}};
  return outcome;
}

}  // namespace lacuna
