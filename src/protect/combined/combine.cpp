// SPDX-License-Identifier: Apache-2.0
// The combined method from problem to draft: model, branch and cut, exact ends.
#include <algorithm>
#include <chrono>
#include <cmath>

#include "base/owed.h"
#include "lacuna/combined.h"
#include "lacuna/interval.h"
#include "protect/combined/search.h"
#include "protect/combined/start.h"
#include "protect/combined/tuning.h"
#include "protect/interval/publish.h"

namespace lacuna {
namespace {

using combined::Prices;
using combined::SearchResult;
using interval::Ends;
using interval::Goal;
using interval::Model;

Status check_weights(const std::vector<double>& weights, const Table& table, const char* where) {
  if (!weights.empty() && weights.size() != table.cells().size())
    return Error{ErrorCode::kBadOption, "there must be one weight per cell", where};
  for (const double weight : weights) {
    if (!std::isfinite(weight) || weight < 0)
      return Error{ErrorCode::kBadOption, "weights must be finite and not negative", where};
  }
  return ok_status();
}

IntervalOptions interval_options(const CombinedOptions& options, const Table& table) {
  IntervalOptions widths;
  widths.weight_up = options.weight_up;
  widths.weight_down = options.weight_down;
  if (widths.weight_up.empty())
    widths.weight_up.assign(table.cells().size(), 1);
  if (widths.weight_down.empty())
    widths.weight_down.assign(table.cells().size(), 1);
  widths.digits = options.digits;
  widths.engine = options.engine;
  return widths;
}

// A share of the value, rounded up to units, at least one; in LP numbers, and no more than the
// prior bounds leave.
double share_of(const Model& model, std::size_t cell, double percent) {
  const double value = std::abs(static_cast<double>(model.problem->table.cells()[cell].value));
  const double units = std::max(1.0, std::ceil(value * percent / 100));
  return std::min(units / model.scale, model.most[2 * cell] + model.most[2 * cell + 1]);
}

Prices make_prices(const CombinedOptions& options, Model& model) {
  const auto& cells = model.problem->table.cells();
  Prices prices;
  prices.fixed.assign(cells.size(), 0);
  prices.choice.assign(cells.size(), false);
  prices.least_width.assign(cells.size(), 0);
  prices.conditional_goal.assign(cells.size(), -1);
  prices.most_intervals = options.most_intervals;
  for (std::size_t c = 0; c < cells.size(); ++c) {
    const bool primary = cells[c].status == CellStatus::kPrimary;
    const bool candidate = model.movable[c] && cells[c].status != CellStatus::kWithheld;
    prices.choice[c] = candidate;
    if (!candidate && !primary)
      continue;
    prices.fixed[c] = options.fixed.empty() ? cells[c].weight : options.fixed[c];
    if (!candidate) {  // an interval all the same, and one of those that are allowed
      prices.most_intervals -= options.most_intervals >= 0 ? 1 : 0;
      continue;
    }
    if (options.width_percent > 0)
      prices.least_width[c] = share_of(model, c, options.width_percent);
    if (options.conditional_percent > 0 && !primary) {
      Goal goal;
      goal.cell = static_cast<std::int32_t>(c);
      goal.sliding = share_of(model, c, options.conditional_percent);
      prices.conditional_goal[c] = static_cast<std::int32_t>(model.goals.size());
      model.goals.push_back(goal);
    }
  }
  return prices;
}

double total_cost(const Model& model, const Prices& prices, const Draft& draft) {
  double total = interval::cost_of(model, draft);
  for (const CellEntry& entry : draft.entries())
    total += prices.fixed[static_cast<std::size_t>(entry.cell.value)];
  return total;
}

// Sensitive cells that cannot move are paid for whatever is decided.
double unavoidable(const Model& model, const Prices& prices) {
  double total = 0;
  for (std::size_t c = 0; c < prices.fixed.size(); ++c) {
    const bool primary = model.problem->table.cells()[c].status == CellStatus::kPrimary;
    total += primary && !prices.choice[c] ? prices.fixed[c] : 0;
  }
  return total;
}

std::vector<std::vector<std::size_t>> open_ends(const Problem& problem, const Ends& ends) {
  std::vector<std::size_t> open;
  for (std::size_t e = 0; e < ends.room.size(); ++e) {
    if (ends.room[e] > 0)
      open.push_back(e);
  }
  return std::vector<std::vector<std::size_t>>(problem.requirements.size(), open);
}

bool has_limits(const CombinedOptions& options) {
  return options.most_intervals >= 0 || options.width_percent > 0 ||
         options.conditional_percent > 0;
}

// Branch and cut over the cells that the start has left. Costs are those of all cells.
Result<SearchResult> branch(const std::shared_ptr<const Problem>& problem,
                            const CombinedOptions& options,
                            IntervalOptions widths,
                            const combined::Started& started,
                            std::vector<interval::Cut> cuts,
                            const RunContext& run,
                            CombinedCounts& counts) {
  for (std::size_t c = 0; c < started.allowed.size(); ++c) {
    const bool primary = problem->table.cells()[c].status == CellStatus::kPrimary;
    if (started.allowed[c] || primary)
      widths.allowed.push_back(CellId{static_cast<std::int32_t>(c)});
  }
  LACUNA_TRY(Model model, interval::make_model(*problem, widths, true));
  const Prices prices = make_prices(options, model);
  LACUNA_TRY(const auto relaxation,
             combined::Relaxation::make(model, prices, options.engine, run.threads));
  combined::PatternCuts patterns(*problem, prices.fixed, started.allowed, options.engine);
  relaxation->use_patterns(&patterns);
  relaxation->add_to_pool(std::move(cuts));
  const double outside = unavoidable(model, prices);
  relaxation->set_least_fixed(started.fixed - outside);
  combined::Heuristic heuristic(model, prices, widths, run.threads);
  combined::Search search(model, prices, options.relative_gap, *relaxation, heuristic);
  SearchResult found = search.run(started.z, started.bound - outside, run);
  found.cost += outside;
  found.bound += outside;
  counts = relaxation->counts();
  counts.nodes = search.nodes();
  return found;
}

Result<SearchResult> solve(const std::shared_ptr<const Problem>& problem,
                           const CombinedOptions& options,
                           const IntervalOptions& widths,
                           const Model& model,
                           const Prices& prices,
                           const RunContext& run,
                           CombinedCounts& counts) {
  combined::Heuristic heuristic(model, prices, widths, run.threads);
  combined::Start start(
      model, prices, options.relative_gap, !has_limits(options), options.engine, heuristic);
  const combined::Started started = start.run(run);
  if (started.is_closed) {
    SearchResult found;
    const bool met = started.cost - started.bound <= combined::kTuning.rounding * started.cost;
    found.why = met ? StopReason::kOptimal : StopReason::kGapReached;
    found.found = true;
    found.best.z = started.z;
    found.cost = started.cost;
    found.bound = started.bound;
    return found;
  }
  return branch(problem, options, widths, started, heuristic.take_cuts(), run, counts);
}

}  // namespace

Status CombinedOptions::validate(const Table& table) const {
  const auto bad = [](const char* message, const char* where) {
    return Error{ErrorCode::kBadOption, message, where};
  };
  if (!(relative_gap >= 0 && relative_gap < 1))
    return bad("the gap must be at least 0 and below 1", "relative_gap");
  if (most_intervals < -1)
    return bad("the number of intervals cannot be negative", "most_intervals");
  if (!(width_percent >= 0 && std::isfinite(width_percent)))
    return bad("the least width must be finite and not negative", "width_percent");
  if (!(conditional_percent >= 0 && std::isfinite(conditional_percent)))
    return bad("the conditional level must be finite and not negative", "conditional_percent");
  LACUNA_RETURN_IF_ERROR(check_weights(fixed, table, "fixed"));
  LACUNA_RETURN_IF_ERROR(check_weights(weight_up, table, "weight_up"));
  return check_weights(weight_down, table, "weight_down");
}

Result<CombinedResult> combine(const std::shared_ptr<const Problem>& problem,
                               const CombinedOptions& options,
                               const RunContext& given) {
  const RunContext run = with_helpers(given);
  const auto begin = std::chrono::steady_clock::now();
  LACUNA_RETURN_IF_ERROR(options.validate(problem->table));
  const IntervalOptions widths = interval_options(options, problem->table);
  LACUNA_TRY(Model model, interval::make_model(*problem, widths, true));
  const Prices prices = make_prices(options, model);
  const bool limited = options.most_intervals >= 0;
  if (limited && prices.most_intervals < 0) {
    CombinedResult none;
    none.why = StopReason::kInfeasible;
    return none;
  }
  CombinedResult result;
  LACUNA_TRY(SearchResult found,
             solve(problem, options, widths, model, prices, run, result.counts));
  result.why = found.why;
  result.bound = found.bound;
  if (found.why == StopReason::kInfeasible) {
    // Without the limits of this model, is there anything at all? The error names the cell.
    RunContext quick = run;
    quick.deadline = std::chrono::steady_clock::now() + combined::kTuning.search.reason;
    LACUNA_TRY(const IntervalResult loose, publish_intervals(problem, widths, quick));
    result.counts.attacker_lps += loose.counts.attacker_lps;
    return result;
  }
  if (!found.found && limited)
    return result;
  for (std::size_t e = 0; e < found.best.z.size(); ++e)
    found.best.z[e] = std::max(found.best.z[e], model.least[e]);
  // Nothing found in time: everything that may be hidden is.
  Ends ends = round_up(model, found.found ? found.best.z : model.most);
  const RunContext owed = owed_run(run, begin);  // a safe result, even when the limit has struck
  LACUNA_TRY(result.complete,
             confirm_exactly(problem,
                             model,
                             open_ends(*problem, ends),
                             options.digits,
                             options.engine,
                             owed,
                             ends,
                             result.witnesses));
  if (!result.complete && owed.should_stop())
    result.why = StopReason::kCancelled;
  result.draft = draft_of(model, ends, options.digits);
  result.cost = total_cost(model, prices, result.draft);
  if (result.why == StopReason::kOptimal) {
    double slack = 0;  // ends are whole units, the bound is for any real ends
    for (std::size_t e = 0; e < model.num_ends(); ++e)
      slack += ends.room[e] > 0 ? model.weight[e] * model.price_unit / model.scale : 0;
    if (result.cost > (found.cost + slack) * (1 + combined::kTuning.rounding))
      result.why = StopReason::kLimit;
  }
  return result;
}

}  // namespace lacuna
