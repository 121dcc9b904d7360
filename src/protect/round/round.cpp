// SPDX-License-Identifier: Apache-2.0
#include "lacuna/round.h"

#include <algorithm>
#include <cmath>

#include "core/table/number_option.h"
#include "lacuna/audit.h"
#include "lacuna/lp.h"
#include "lacuna/tolerance.h"
#include "protect/pattern/search.h"
#include "protect/round/choices.h"
#include "protect/round/large.h"
#include "protect/round/midpoint.h"
#include "protect/round/tuning.h"
#include "protect/round/witnesses.h"

namespace lacuna {
namespace {

constexpr Units kLargestBase = Units{1} << 53;  // whole numbers of the master stay exact

pattern::SearchOptions search_options(const Problem& problem,
                                      const RoundOptions& options,
                                      const pattern::Plan& plan,
                                      const RunContext& run) {
  pattern::SearchOptions search;
  search.gap = options.gap;
  search.engine = options.engine;
  if (options.unbiased) {
    search.wishes = rounding::random_wishes(problem, plan, run.seed);
    search.wish_cost = options.unbiased_cost;
  }
  return search;
}

enum class Way : std::uint8_t { kExact, kBoth, kLarge };

// A limit of changed cells is for the integer program alone.
Way way_of(const pattern::Plan& plan, const RoundOptions& options) {
  if (options.max_changed >= 0)
    return Way::kExact;
  if (options.effort == Effort::kFast)
    return Way::kLarge;
  if (options.effort == Effort::kBest || plan.cells.size() <= rounding::kTuning.way.most_exact)
    return plan.cells.size() <= rounding::kTuning.way.tiny ? Way::kExact : Way::kBoth;
  return Way::kLarge;
}

StopReason reason_of(double cost, double bound, double gap, const RunContext& run) {
  const double open = cost - bound;
  if (open <= tol::kObjective * std::max(1.0, cost))
    return StopReason::kOptimal;
  if (open <= gap * cost)
    return StopReason::kGapReached;
  return ended_by(run);
}

void fill_large(const Problem& problem,
                const pattern::Plan& plan,
                const pattern::SearchOptions& how,
                const RunContext& run,
                RoundResult& result) {
  const rounding::LargeResult found = rounding::round_large(plan, how.wishes, how.wish_cost, run);
  result.large = true;
  result.flips += found.flips;
  result.bound = found.bound;
  result.complete = found.complete;
  result.why = ended_by(run);
  if (!found.complete) {
    result.reason = "the search found no numbers that add up";
    return;
  }
  result.reason.clear();
  result.cost = found.cost;
  result.draft = pattern::draft_of(plan, found.pattern);
  result.witnesses = rounding::leaf_witnesses(problem, result.draft);
  result.why = reason_of(result.cost, result.bound, how.gap, run);
}

// By an audit that is owed whatever work is left; after a brake it is that of the release.
Result<bool> stands(const std::shared_ptr<const Problem>& problem,
                    const RoundResult& quick,
                    const RunContext& run) {
  if (run.braked())
    return true;
  AuditOptions verdicts;
  verdicts.intervals = false;
  verdicts.hints = quick.witnesses;
  RunContext graced = run;
  graced.work_end = kNoWorkLimit;
  LACUNA_TRY(const AuditReport report, Auditor(problem).audit(quick.draft, verdicts, graced));
  return passes(report.verdict) || (run.braked() && report.verdict == Verdict::kUndecided);
}

// The method for large tables first: should the integer program run out of work, its table stands
// if it is safe, with the better of the two bounds.
Status fill_both(const std::shared_ptr<const Problem>& problem,
                 const pattern::Plan& plan,
                 const pattern::SearchOptions& how,
                 const RunContext& run,
                 RoundResult& result) {
  RoundResult quick = result;
  fill_large(*problem, plan, how, run, quick);
  LACUNA_TRY(pattern::SearchResult found, pattern::search(problem, plan, how, run));
  pattern::take_over(plan, std::move(found), result);
  const bool decided = result.why == StopReason::kOptimal ||
                       result.why == StopReason::kGapReached ||
                       result.why == StopReason::kInfeasible;
  const bool better = result.complete && result.cost <= quick.cost && !run.braked();
  if (decided || better || !quick.complete)
    return ok_status();
  LACUNA_TRY(const bool safe, stands(problem, quick, run));
  if (!safe)
    return ok_status();
  quick.bound = std::min(quick.cost, std::max(quick.bound, result.bound));
  quick.why = reason_of(quick.cost, quick.bound, how.gap, run);
  quick.rounds = result.rounds;
  quick.cuts = result.cuts;
  result = std::move(quick);
  return ok_status();
}

Result<RoundResult> midpoints(const Problem& problem, const RoundOptions& options) {
  if (!options.base || !options.bases.empty())
    return Error{ErrorCode::kOptionMissing, "midpoints need one base for all cells", "--base"};
  if (options.unbiased || options.steps > 0 || options.max_changed >= 0 ||
      options.no_small_counts || options.exact_multiples)
    return Error{ErrorCode::kOptionConflict,
                 "the base alone determines midpoints; leave out the other options of rounding",
                 "--midpoint"};
  LACUNA_TRY(const Units base, table::units_of(*options.base, problem.table(), "--base"));
  RoundResult result;
  LACUNA_TRY(static_cast<MethodResult&>(result), rounding::round_to_midpoints(problem, base));
  return result;
}

}  // namespace

Status RoundOptions::validate(const Table& table) const {
  const auto bad = [](const char* message, const char* where) {
    return Error{ErrorCode::kOptionValue, message, where};
  };
  LACUNA_RETURN_IF_ERROR(MethodOptions::validate());
  LACUNA_RETURN_IF_ERROR(check_ranges(static_cast<const RoundSettings&>(*this)));
  if (!base && bases.empty())
    return Error{ErrorCode::kOptionMissing, "rounding needs a base", "--base"};
  if (base) {
    LACUNA_TRY(const Units units, table::units_of(*base, table, "--base"));
    if (units > kLargestBase)
      return bad("the rounding base must be no more than 2^53 units", "--base");
  }
  if (!bases.empty() && bases.size() != static_cast<std::size_t>(table.num_cells()))
    return bad("there must be one base for every cell", "bases");
  if (std::any_of(bases.begin(), bases.end(), [](Units b) { return b <= 0 || b > kLargestBase; }))
    return bad("every rounding base must be positive, and no more than 2^53 units", "bases");
  return ok_status();
}

Result<RoundResult> round_table(const std::shared_ptr<const Problem>& problem,
                                const RoundOptions& options,
                                const RunContext& run) {
  if (options.midpoint)
    return midpoints(*problem, options);
  LACUNA_RETURN_IF_ERROR(options.validate(problem->table()));
  RoundResult result;
  for (std::int32_t steps = 0; steps <= options.steps; ++steps) {
    const pattern::Plan plan = rounding::rounding_plan(*problem, options, steps);
    if (const Status enough = rounding::check_levels(*problem, options, plan); !enough) {
      if (steps == options.steps)
        return enough.error();
      continue;
    }
    const pattern::SearchOptions how = search_options(*problem, options, plan, run);
    result.steps = steps;
    const Way way = way_of(plan, options);
    if (way == Way::kLarge) {
      fill_large(*problem, plan, how, run, result);
    } else if (way == Way::kBoth) {
      LACUNA_RETURN_IF_ERROR(fill_both(problem, plan, how, run, result));
    } else {
      LACUNA_TRY(pattern::SearchResult found, pattern::search(problem, plan, how, run));
      pattern::take_over(plan, std::move(found), result);
    }
    if (result.complete || steps == options.steps || run.should_stop())
      break;
    if (result.why_not_strict.empty())
      result.why_not_strict = result.reason;
  }
  return result;
}

}  // namespace lacuna
