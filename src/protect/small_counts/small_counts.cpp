// SPDX-License-Identifier: Apache-2.0
#include "lacuna/small_counts.h"

#include <algorithm>

#include "core/base/index.h"
#include "lacuna/tolerance.h"
#include "protect/round/witnesses.h"
#include "protect/small_counts/exact.h"
#include "protect/small_counts/greedy.h"
#include "protect/small_counts/inner.h"
#include "protect/small_counts/program.h"
#include "protect/small_counts/publish.h"
#include "protect/small_counts/seen.h"
#include "protect/small_counts/tuning.h"

namespace lacuna {
namespace {

constexpr Units kLargestBase = 1000000;  // sums of ranges stay far from the end of the numbers

bool asks_program(const small_counts::Program& program, Effort effort) {
  if (program.small.empty() || effort == Effort::kFast)
    return false;
  return effort == Effort::kBest || program.small.size() <= small_counts::kTuning.exact.most_small;
}

StopReason reason_of(const SmallCountResult& result, double gap, const RunContext& run) {
  const double open = result.cost - result.bound;
  if (open <= tol::kObjective * std::max(1.0, result.cost))
    return StopReason::kOptimal;
  if (open <= gap * result.cost)
    return StopReason::kGapReached;
  return ended_by(run);
}

void tell(const RunContext& run, const SmallCountResult& result) {
  if (run.on_progress)
    run.on_progress({.phase = "search", .incumbent = result.cost, .bound = result.bound});
}

// What the small inner cells become, cost and bound.
Result<std::vector<Units>> search(const small_counts::Program& program,
                                  const SmallCountOptions& options,
                                  const RunContext& run,
                                  SmallCountResult& result) {
  small_counts::Roundings found = small_counts::round_greedily(program, run);
  result.rounds = found.rounds;
  result.exchanges = found.exchanges;
  result.cost = found.cost;
  result.bound =
      std::min(found.cost, small_counts::sharpened(program, small_counts::quick_bound(program)));
  tell(run, result);
  const bool open = reason_of(result, options.gap, run) != StopReason::kOptimal;
  if (open && asks_program(program, options.effort) && !run.should_stop()) {
    result.exact = true;
    LACUNA_TRY(const small_counts::ExactAnswer answer,
               small_counts::round_exactly(program, found.x, options.gap, options.engine, run));
    if (answer.found) {
      found.x = answer.x;
      result.cost = small_counts::cost_of(program, found.x);
    }
    const double bound = std::max(result.bound, small_counts::sharpened(program, answer.bound));
    result.bound = std::min(result.cost, bound);
  }
  return std::move(found.x);
}

void count_changes(const small_counts::Program& program,
                   std::span<const Units> x,
                   SmallCountResult& result) {
  result.small = static_cast<std::int64_t>(program.small.size());
  for (std::size_t i = 0; i < program.small.size(); ++i) {
    result.raised += x[i] > program.small[i].value ? 1 : 0;
    result.dropped += x[i] < program.small[i].value ? 1 : 0;
  }
}

}  // namespace

Status SmallCountOptions::validate() const {
  if (!base)
    return Error{ErrorCode::kOptionMissing, "small-count rounding needs a base", "--base"};
  if (!base->is_integer() || *base < 2 || *base > kLargestBase)
    return Error{ErrorCode::kOptionValue, "the base must be from 2 to a million", "--base"};
  return MethodOptions::validate();
}

Result<SmallCountResult> round_small_counts(const std::shared_ptr<const Problem>& problem,
                                            const SmallCountOptions& options,
                                            const RunContext& run) {
  LACUNA_RETURN_IF_ERROR(options.validate());
  LACUNA_TRY(const small_counts::Inner inner, small_counts::inner_cells(problem->table()));
  const std::vector<bool> seen = small_counts::seen_cells(problem->table(), inner);
  const Units base = options.base->digits();
  const small_counts::Program program = small_counts::make_program(*problem, inner, seen, base);
  SmallCountResult result;
  result.inner = static_cast<std::int64_t>(inner.size());
  result.coupled = inner.coupled;
  LACUNA_TRY(const std::vector<Units> rounded, search(program, options, run, result));
  count_changes(program, rounded, result);
  std::vector<Units> x = inner.value;
  for (std::size_t i = 0; i < program.small.size(); ++i)
    x[base::at(program.small[i].inner)] = rounded[i];
  result.complete = true;
  result.draft = small_counts::published(*problem, inner, seen, x, base);
  result.witnesses = rounding::leaf_witnesses(*problem, result.draft);
  result.why = reason_of(result, options.gap, run);
  return result;
}

}  // namespace lacuna
