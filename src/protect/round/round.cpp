// SPDX-License-Identifier: Apache-2.0
#include "lacuna/round.h"

#include <algorithm>
#include <cmath>

#include "protect/pattern/search.h"
#include "protect/round/choices.h"

namespace lacuna {
namespace {

constexpr Units kLargestBase = Units{1} << 53;  // whole numbers of the master stay exact

pattern::SearchOptions search_options(const Problem& problem,
                                    const RoundOptions& options,
                                    const pattern::Plan& plan,
                                    const RunContext& run) {
  pattern::SearchOptions search;
  search.relative_gap = options.relative_gap;
  search.engine = options.engine;
  if (options.unbiased) {
    search.wishes = rounding::random_wishes(problem, plan, run.seed);
    search.wish_cost = options.unbiased_cost;
  }
  return search;
}

void fill(const pattern::Plan& plan, pattern::SearchResult found, RoundResult& result) {
  result.why = found.why;
  result.complete = found.complete;
  result.cost = found.cost;
  result.bound = found.bound;
  result.rounds += found.rounds;
  result.cuts += found.cuts;
  result.reason = found.conflict;
  if (found.complete)
    result.draft = pattern::draft_of(plan, found.pattern);
  result.witnesses = std::move(found.witnesses);
}

}  // namespace

Status RoundOptions::validate(const Table& table) const {
  const auto bad = [](const char* message, const char* where) {
    return Error{ErrorCode::kBadOption, message, where};
  };
  if (bases.empty() && !(base > 0 && base <= kLargestBase))
    return bad("the rounding base must be positive, and no more than 2^53 units", "base");
  if (!bases.empty() && bases.size() != static_cast<std::size_t>(table.num_cells()))
    return bad("there must be one base for every cell", "bases");
  if (std::any_of(bases.begin(), bases.end(), [](Units b) { return b <= 0 || b > kLargestBase; }))
    return bad("every rounding base must be positive, and no more than 2^53 units", "bases");
  if (steps < 0 || steps > 100)
    return bad("the number of steps must be from 0 to 100", "steps");
  if (!(step_price >= 0) || !std::isfinite(step_price))
    return bad("the price of a step must be a number that is not negative", "step-price");
  if (!(unbiased_cost >= 0) || !std::isfinite(unbiased_cost))
    return bad("the share that randomness may cost must not be negative", "unbiased-cost");
  if (!(relative_gap >= 0) || relative_gap >= 1)
    return bad("the relative gap must be in [0, 1)", "gap");
  return ok_status();
}

Result<RoundResult> round_table(const std::shared_ptr<const Problem>& problem,
                                const RoundOptions& options,
                                const RunContext& run) {
  LACUNA_RETURN_IF_ERROR(options.validate(problem->table));
  RoundResult result;
  for (std::int32_t steps = 0; steps <= options.steps; ++steps) {
    const pattern::Plan plan = rounding::rounding_plan(*problem, options, steps);
    if (const Status enough = rounding::check_levels(*problem, options, plan); !enough) {
      if (steps == options.steps)
        return enough.error();
      continue;
    }
    LACUNA_TRY(pattern::SearchResult found,
               pattern::search(problem, plan, search_options(*problem, options, plan, run), run));
    result.steps = steps;
    fill(plan, std::move(found), result);
    if (result.why != StopReason::kInfeasible || steps == options.steps)
      break;
    if (result.why_not_strict.empty())
      result.why_not_strict = result.reason;
  }
  return result;
}

}  // namespace lacuna
