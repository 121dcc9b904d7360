// SPDX-License-Identifier: Apache-2.0
// The methods of `lacuna protect`, one file each (method_<name>.cpp): options of the job in, a
// draft with its cost and its proven bound out. What comes out is audited before anything is
// written.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "job/jobs.h"
#include "lacuna/draft.h"
#include "lacuna/evidence.h"
#include "lacuna/problem.h"
#include "lacuna/result.h"
#include "lacuna/run_context.h"

namespace lacuna::inline job {

struct TracePoint {  // of the history of a run
  double seconds = 0;
  double incumbent = 0;  // infinite before the first
  double bound = 0;
};

struct MethodOutcome {
  StopReason why = StopReason::kLimit;
  bool complete = false;  // there is a draft that should pass the audit
  Draft draft;
  double objective = 0;
  double bound = 0;
  std::optional<Draft> centered;        // before its intervals were moved (interval_ends.h)
  std::vector<double> width_weights;    // by cell: of interval ends; empty: the table's weights
  std::vector<Displacement> witnesses;  // suggestions for the audit
  int decimals = -1;                    // of the draft's numbers; -1: as given
  std::vector<std::pair<std::string, double>> details;  // for --json
  std::vector<TracePoint> trace;                        // empty if the method keeps none
  std::string message;                                  // why there is no draft
  std::string note;                                     // what a reader of the result must know
};

// What every method's result says; the rest is the method's own.
template <class Found>
MethodOutcome outcome_of(const Found& found) {
  MethodOutcome outcome;
  outcome.why = found.why;
  outcome.complete = found.complete;
  outcome.draft = found.draft;
  outcome.objective = found.cost;
  outcome.bound = found.bound;
  return outcome;
}

using Method = Result<MethodOutcome> (*)(const std::shared_ptr<const Problem>& problem,
                                         const ProtectJob& job,
                                         const RunContext& run);

// Errors: unknown name; the message lists the known ones.
Result<Method> find_method(const std::string& name);

// The problem that the draft of `found` is judged against: the given one, at the decimals of the
// draft. A method says how many these are and nothing else of what it is judged by.
Result<std::shared_ptr<const Problem>> problem_to_audit(const std::shared_ptr<const Problem>& given,
                                                        const MethodOutcome& found);

// The weights of the job, or those that its method takes if it names none: adjusted tables are
// measured by relative deviations.
std::string default_weights(const ProtectJob& job);

Result<MethodOutcome> protect_by_suppression(const std::shared_ptr<const Problem>& problem,
                                             const ProtectJob& job,
                                             const RunContext& run);

Result<MethodOutcome> protect_combined(const std::shared_ptr<const Problem>& problem,
                                       const ProtectJob& job,
                                       const RunContext& run);

Result<MethodOutcome> protect_by_intervals(const std::shared_ptr<const Problem>& problem,
                                           const ProtectJob& job,
                                           const RunContext& run);

Result<MethodOutcome> protect_by_adjustment(const std::shared_ptr<const Problem>& problem,
                                            const ProtectJob& job,
                                            const RunContext& run);

Result<MethodOutcome> protect_by_perturbation(const std::shared_ptr<const Problem>& problem,
                                              const ProtectJob& job,
                                              const RunContext& run);

Result<MethodOutcome> protect_mixed(const std::shared_ptr<const Problem>& problem,
                                    const ProtectJob& job,
                                    const RunContext& run);

Result<MethodOutcome> protect_by_rounding(const std::shared_ptr<const Problem>& problem,
                                          const ProtectJob& job,
                                          const RunContext& run);

}  // namespace lacuna::inline job
