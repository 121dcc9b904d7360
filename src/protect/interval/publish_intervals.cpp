// SPDX-License-Identifier: Apache-2.0
// Interval publication from problem to draft: model, cutting planes, exact ends.
#include <algorithm>
#include <chrono>
#include <cmath>

#include "base/decimal.h"
#include "base/owed.h"
#include "protect/interval/cutting_planes.h"
#include "protect/interval/exact_witness.h"
#include "protect/interval/publish.h"

namespace lacuna {
namespace {

using interval::CuttingPlanes;
using interval::Ends;
using interval::LoopResult;
using interval::Model;

Error unattainable(const Problem& problem, std::int32_t requirement) {
  const Requirement& need = problem.requirements[static_cast<std::size_t>(requirement)];
  const int decimals = problem.table.decimals();
  return Error{ErrorCode::kBadInput,
               "no intervals can give the cell its protection levels (lower " +
                   format_units(need.lower, decimals) + ", upper " +
                   format_units(need.upper, decimals) + ", sliding " +
                   format_units(need.sliding, decimals) +
                   "): what is published or known anyway leaves it less room",
               problem.table.label(need.cell)};
}

// The ends that the witnesses of each requirement use.
std::vector<std::vector<std::size_t>> supports(const Model& model,
                                               const CuttingPlanes& loop,
                                               const LoopResult& found) {
  std::vector<std::vector<std::size_t>> support(model.problem->requirements.size());
  for (std::size_t d = 0; d < found.witnesses.size(); ++d) {
    const auto goal = static_cast<std::size_t>(loop.demands()[d].goal);
    auto& ends = support[static_cast<std::size_t>(model.goals[goal].requirement)];
    for (const auto& [cell, amount] : found.witnesses[d])
      ends.push_back(interval::end_of(cell, amount > 0 ? 1 : -1));
  }
  return support;
}

double exact_cost(const Model& model, const Ends& ends) {
  return cost_of(model, draft_of(model, ends, 0));
}

// Ends that hold the exact witnesses, if that costs no more than rounding may.
Ends rounded_ends(const Model& model,
                  const LoopResult& found,
                  std::span<const Displacement> witnesses) {
  Ends ends = round_up(model, found.safe.z);
  Ends wider = holding(witnesses, model, ends);
  const double most = found.cost + rounding_cost(model, ends);
  return exact_cost(model, wider) <= std::max(most, exact_cost(model, ends)) ? wider : ends;
}

}  // namespace

Result<IntervalResult> publish_intervals(const std::shared_ptr<const Problem>& problem,
                                         const IntervalOptions& options,
                                         const RunContext& given) {
  const RunContext run = with_helpers(given);
  const auto begin = std::chrono::steady_clock::now();
  LACUNA_TRY(const Model model, interval::make_model(*problem, options));
  interval::LoopOptions loop_options;
  loop_options.relative_gap = options.relative_gap;
  loop_options.start_from_pattern = true;
  LACUNA_TRY(const auto loop,
             CuttingPlanes::make(model, loop_options, options.engine, run.threads));
  const LoopResult found = loop->run(run);
  if (found.unattainable >= 0)
    return unattainable(*problem, found.unattainable);
  IntervalResult result;
  result.why = found.why;
  result.counts = loop->counts();
  const RunContext owed = owed_run(run, begin);  // a safe result, even when the limit has struck
  std::vector<Displacement>& witnesses = result.witnesses;
  witnesses = exact_witnesses(model, loop->demands(), found.witnesses, found.safe, run);
  Ends ends = rounded_ends(model, found, witnesses);
  const auto confirm = [&](const std::vector<std::vector<std::size_t>>& support) {
    return confirm_exactly(
        problem, model, support, options.digits, options.engine, owed, ends, witnesses);
  };
  LACUNA_TRY(bool sure, confirm(supports(model, *loop, found)));
  if (!sure && !owed.should_stop()) {
    ends = round_up(model, model.most);
    LACUNA_TRY(sure, confirm(std::vector<std::vector<std::size_t>>(problem->requirements.size())));
  }
  result.complete = sure;
  if (!sure && owed.should_stop())
    result.why = StopReason::kCancelled;
  result.draft = draft_of(model, ends, options.digits);
  result.cost = cost_of(model, result.draft);
  result.bound = std::min(found.bound, result.cost);  // the master's last digits are rounding
  // Ends are whole units, the bound is for any real ends: what rounding costs is no gap.
  if (result.why == StopReason::kOptimal) {
    const double slack = rounding_cost(model, ends);
    if (exact_cost(model, ends) > found.cost + slack || result.cost > exact_cost(model, ends))
      result.why = StopReason::kLimit;
  }
  return result;
}

}  // namespace lacuna
