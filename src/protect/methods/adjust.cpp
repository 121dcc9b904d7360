// SPDX-License-Identifier: Apache-2.0
// --method adjust: controlled tabular adjustment.
#include "lacuna/adjust.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <memory>
#include <utility>

#include "protect/adjust/bound_proof.h"
#include "protect/adjust/tuning.h"
#include "protect/methods/bound_note.h"
#include "protect/methods/methods.h"

namespace lacuna::methods {
namespace {

void report(const AdjustResult& found, const Problem& problem, MethodOutcome& outcome) {
  const AdjustUtility utility = adjustment_utility(problem, found.draft);
  const AdjustRisk risk = adjustment_risk(problem, found.draft);
  const auto add = [&](const char* name, double value) {
    outcome.details.emplace_back(name, value);
  };
  add("decimals", found.decimals);
  add("parts", static_cast<double>(found.counts.parts));
  add("nodes", static_cast<double>(found.counts.nodes));
  add("relaxations", static_cast<double>(found.counts.relaxations));
  add("changed", static_cast<double>(utility.changed));
  add("changed_not_sensitive", static_cast<double>(utility.changed_not_sensitive));
  add("mean_percent", utility.mean_percent);
  add("max_percent", utility.max_percent);
  add("large", static_cast<double>(utility.large));
  add("chi_square", utility.chi_square);
  add("risk_mean_percent", risk.mean_percent);
  add("risk_min_percent", risk.min_percent);
  add("risk_hit", static_cast<double>(risk.hit));
  add("risk_hit_one", static_cast<double>(risk.hit_one));
}

// The log of the bound, once the search is over: it may take as much work as that did. Tables of whole
// numbers may have a better bound, of which there is none.
void prove_bound(const Problem& finer,
                 const ProtectOptions& given,
                 std::int64_t work_before,
                 std::chrono::steady_clock::time_point begin,
                 const RunContext& run,
                 MethodOutcome& outcome) {
  RunContext own = run;
  const auto now = std::chrono::steady_clock::now();
  const auto share = std::chrono::duration_cast<std::chrono::steady_clock::duration>(
      (now - begin) * adjustment::kTuning.proof.share_of_time);
  if (own.deadline - now < share)
    own.deadline = now + share;
  own.work_end = kNoWorkLimit;
  own = with_work(own,
                  std::max(adjustment::kTuning.proof.least_work, work_done() - work_before));
  auto log = adjustment::prove_bound(finer, given.adjust.norm, outcome.cost * (1 - given.gap), own);
  if (log)
    outcome.bound_log = std::make_shared<const BoundLog>(*std::move(log));
  note_bound(finer, given, outcome);
}

}  // namespace

Result<MethodOutcome> protect_by_adjustment(const std::shared_ptr<const Problem>& problem,
                                            const ProtectOptions& given,
                                            const RunContext& run) {
  const std::int64_t work_before = work_done();
  const auto begin = std::chrono::steady_clock::now();
  LACUNA_TRY(const AdjustResult found,
             adjust(problem, AdjustOptions{given, given.adjust, -1}, run));
  MethodOutcome outcome = outcome_of(found);
  outcome.trace = found.trace;
  outcome.reason = found.reason;
  if (!found.complete)
    return outcome;
  outcome.decimals = found.decimals;
  LACUNA_TRY(const auto finer, problem_to_audit(problem, outcome));
  report(found, *finer, outcome);
  if (given.adjust.prove_bound)
    prove_bound(*finer, given, work_before, begin, run, outcome);
  return outcome;
}

}  // namespace lacuna::methods
