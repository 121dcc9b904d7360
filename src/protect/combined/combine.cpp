// SPDX-License-Identifier: Apache-2.0
// The combined method from problem to draft: model, branch and cut, exact ends.
#include <algorithm>
#include <chrono>
#include <cmath>

#include "core/base/grace_period.h"
#include "core/base/work.h"
#include "lacuna/combined.h"
#include "lacuna/interval.h"
#include "protect/combined/parallel_cells.h"
#include "protect/combined/search.h"
#include "protect/combined/start.h"
#include "protect/combined/tuning.h"
#include "protect/interval/find_slacks.h"
#include "protect/interval/publish.h"

namespace lacuna {
namespace {

using combined::Prices;
using combined::SearchResult;
using interval::Ends;
using interval::Model;
using interval::Need;
using interval::SafeEnds;

Status check_weights(const std::vector<double>& weights, const Table& table, const char* where) {
  if (!weights.empty() && weights.size() != table.cells().size())
    return Error{ErrorCode::kOptionValue, "there must be one weight per cell", where};
  for (const double weight : weights) {
    if (!std::isfinite(weight) || weight < 0)
      return Error{ErrorCode::kOptionValue, "weights must be finite and not negative", where};
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
  widths.interval_digits = options.interval_digits;
  widths.engine = options.engine;
  return widths;
}

// A share of the value, rounded up to units, at least one; in LP numbers, and no more than the
// prior bounds leave.
double share_of(const Model& model, std::size_t cell, double percent) {
  const double value = std::abs(static_cast<double>(model.problem->table().cells()[cell].value));
  const double units = std::max(1.0, std::ceil(value * percent / 100));
  return std::min(units / model.scale, model.most[2 * cell] + model.most[2 * cell + 1]);
}

// `intervals`: that a cell stands for; empty: one.
Prices make_prices(const CombinedOptions& options,
                   const std::vector<std::int32_t>& intervals,
                   Model& model) {
  const auto& cells = model.problem->table().cells();
  Prices prices;
  prices.fixed.assign(cells.size(), 0);
  prices.choice.assign(cells.size(), false);
  prices.least_width.assign(cells.size(), 0);
  prices.conditional_need.assign(cells.size(), -1);
  prices.intervals = intervals;
  prices.intervals.resize(cells.size(), 1);
  prices.most_intervals = options.max_intervals;
  for (std::size_t c = 0; c < cells.size(); ++c) {
    const bool primary = cells[c].status == CellStatus::kPrimary;
    const bool candidate = model.movable[c] && cells[c].status != CellStatus::kSecondary;
    prices.choice[c] = candidate;
    if (!candidate && !primary)
      continue;
    prices.fixed[c] = options.fixed.empty() ? cells[c].weight : options.fixed[c];
    if (!candidate) {  // an interval all the same, and one of those that are allowed
      prices.most_intervals -= options.max_intervals >= 0 ? prices.intervals[c] : 0;
      continue;
    }
    if (options.interval_width > 0)
      prices.least_width[c] = share_of(model, c, options.interval_width);
    if (options.interval_level > 0 && !primary) {
      Need need;
      need.cell = static_cast<std::int32_t>(c);
      need.sliding = share_of(model, c, options.interval_level);
      prices.conditional_need[c] = static_cast<std::int32_t>(model.needs.size());
      model.needs.push_back(need);
    }
  }
  return prices;
}

double total_cost(const Model& model, const Prices& prices, const Draft& draft) {
  double total = interval::cost_of(model, draft);
  for (const CellEntry& entry : draft.each())
    total += prices.fixed[static_cast<std::size_t>(entry.cell.value)];
  return total;
}

// Sensitive cells that cannot move are paid for whatever is decided.
double unavoidable(const Model& model, const Prices& prices) {
  double total = 0;
  for (std::size_t c = 0; c < prices.fixed.size(); ++c) {
    const bool primary = model.problem->table().cells()[c].status == CellStatus::kPrimary;
    total += primary && !prices.choice[c] ? prices.fixed[c] : 0;
  }
  return total;
}

std::vector<std::size_t> open_ends(const Ends& ends) {
  std::vector<std::size_t> open;
  for (std::size_t e = 0; e < ends.slack.size(); ++e) {
    if (ends.slack[e] > 0)
      open.push_back(e);
  }
  return open;
}

bool has_limits(const CombinedOptions& options) {
  return options.max_intervals >= 0 || options.interval_width > 0 || options.interval_level > 0;
}

// Branch and cut over the cells that the start has left. Costs are those of all cells.
Result<SearchResult> branch(const std::shared_ptr<const Problem>& problem,
                            const CombinedOptions& options,
                            const std::vector<std::int32_t>& intervals,
                            IntervalOptions widths,
                            const combined::Started& started,
                            std::vector<interval::Cut> cuts,
                            const RunContext& run,
                            CombinedCounts& counts) {
  for (std::size_t c = 0; c < started.allowed.size(); ++c) {
    const bool primary = problem->table().cells()[c].status == CellStatus::kPrimary;
    if (started.allowed[c] || primary)
      widths.allowed.push_back(CellId{static_cast<std::int32_t>(c)});
  }
  LACUNA_TRY(Model model, interval::make_model(*problem, widths, true));
  const Prices prices = make_prices(options, intervals, model);
  LACUNA_TRY(const auto relaxation,
             combined::Relaxation::make(model, prices, options.engine, run.threads));
  combined::PatternCuts patterns(*problem, prices.fixed, started.allowed, options.engine);
  relaxation->use_patterns(&patterns);
  relaxation->add_to_pool(std::move(cuts));
  const double outside = unavoidable(model, prices);
  relaxation->set_least_fixed(started.fixed - outside);
  combined::Heuristic heuristic(model, prices, widths, run.threads);
  combined::Search search(model, prices, options.gap, *relaxation, heuristic);
  SearchResult found = search.run(started.z, started.bound - outside, run);
  found.cost += outside;
  found.bound += outside;
  counts.cuts += relaxation->counts().cuts;
  counts.rounds += relaxation->counts().rounds;
  counts.attacker_lps += relaxation->counts().attacker_lps;
  counts.nodes += search.nodes();
  return found;
}

// From slacks in floating point to exact ends, before the search, after its start and at its end,
// so that there is something to release whenever the run is stopped.
class Combiner {
 public:
  Combiner(const std::shared_ptr<const Problem>& problem,
           const CombinedOptions& options,
           const IntervalOptions& widths,
           const Model& model,
           const Prices& prices,
           const RunContext& run)
      : problem_(problem),
        options_(options),
        widths_(widths),
        model_(model),
        prices_(prices),
        run_(run) {}

  Result<SearchResult> solve(CombinedCounts& counts);
  Status finish(const SearchResult& found, const RunContext& run);
  Result<SafeEnds> take(bool limited, const RunContext& graced, const RunContext& brief);

 private:
  std::vector<double> begin();
  Result<SearchResult> search(const std::vector<double>& slacks,
                              const RunContext& run,
                              CombinedCounts& counts);
  double cost_of(const Ends& ends) const {
    return total_cost(model_, prices_, interval::draft_of(model_, ends, 0));
  }
  bool keeps_limits(const Ends& ends) const;
  Ends with_least_widths(Ends ends) const;
  Result<bool> confirm(const RunContext& run, SafeEnds& safe) const;

  const std::shared_ptr<const Problem>& problem_;
  const CombinedOptions& options_;
  const IntervalOptions& widths_;
  const Model& model_;
  const Prices& prices_;
  const RunContext& run_;
  std::vector<Displacement> evidence_;  // of the first pattern
  SafeEnds ready_;
};

// Open cells as wide as they have to be at least, upward first.
Ends Combiner::with_least_widths(Ends ends) const {
  for (std::size_t c = 0; c < prices_.least_width.size(); ++c) {
    Units& up = ends.slack[2 * c];
    Units& down = ends.slack[2 * c + 1];
    const auto least = static_cast<Units>(std::ceil(prices_.least_width[c] * model_.scale));
    if (least == 0 || (up == 0 && down == 0) || up == kUnboundedAbove || down == kUnboundedAbove)
      continue;
    const Units most = interval::prior_slack(model_, 2 * c);
    up = std::max(up, std::min(least - std::min(least, down), most));
    down = std::max(
        down, std::min(least - std::min(least, up), interval::prior_slack(model_, 2 * c + 1)));
  }
  return ends;
}

// The number of intervals is; of levels that intervals have if they are there nothing is known.
bool Combiner::keeps_limits(const Ends& ends) const {
  std::int64_t open = 0;
  for (std::size_t c = 0; c < prices_.choice.size(); ++c)
    open += prices_.choice[c] && (ends.slack[2 * c] > 0 || ends.slack[2 * c + 1] > 0)
                ? prices_.intervals[c]
                : 0;
  return options_.interval_level == 0 &&
         (options_.max_intervals < 0 || open <= prices_.most_intervals);
}

// The first pattern: its slacks, empty if they break a limit.
std::vector<double> Combiner::begin() {
  auto first = interval::first_evidence(model_, options_.engine, run_);
  if (!first)
    return {};
  evidence_ = *std::move(first);
  const Ends ends = with_least_widths(
      interval::holding(evidence_, model_, interval::round_up(model_, model_.least)));
  if (!keeps_limits(ends))
    return {};
  ready_.ends = ends;
  ready_.witnesses = evidence_;
  ready_.cost = cost_of(ends);
  std::vector<double> slacks;
  for (const Units slack : ends.slack)
    slacks.push_back(slack == kUnboundedAbove ? kLpInfinity
                                              : static_cast<double>(slack) / model_.scale);
  return slacks;
}

// Start, branch and cut, from slacks that meet the requirements, if there are any.
Result<SearchResult> Combiner::search(const std::vector<double>& slacks,
                                      const RunContext& run,
                                      CombinedCounts& counts) {
  combined::Heuristic heuristic(model_, prices_, widths_, run.threads);
  combined::Start start(
      model_, prices_, options_.gap, !has_limits(options_), options_.engine, heuristic);
  const combined::Started started = start.run(slacks, run);
  SearchResult found;
  found.found = !has_limits(options_) && !started.z.empty();
  found.best.z = started.z;
  found.cost = started.cost;
  found.bound = started.bound;
  if (started.is_closed) {
    const bool met = started.cost - started.bound <= combined::kTuning.rounding * started.cost;
    found.why = met ? StopReason::kOptimal : StopReason::kGapReached;
    return found;
  }
  LACUNA_RETURN_IF_ERROR(finish(found, run_));
  return branch(
      problem_, options_, prices_.intervals, widths_, started, heuristic.take_cuts(), run, counts);
}

// First with as much as the least effort allows, whatever there is: more work is never worse. Then
// with all that is left, from what was found.
Result<SearchResult> Combiner::solve(CombinedCounts& counts) {
  const std::int64_t fast = effort_work(Effort::kFast, problem_->table().num_cells());
  const auto first =
      static_cast<std::int64_t>(static_cast<double>(fast) * combined::kTuning.search.first);
  std::vector<double> slacks = begin();
  SearchResult best;
  const RunContext all = base::share_of_work(run_, combined::kTuning.search.share);
  for (const std::int64_t units : {first, kNoWorkLimit}) {
    LACUNA_TRY(SearchResult found, search(slacks, with_work(all, units), counts));
    best.bound = found.bound = std::max(best.bound, found.bound);
    best.why = found.why;
    if (found.found && (!best.found || found.cost < best.cost))
      best = std::move(found);
    if (best.why != StopReason::kWork || all.should_stop())
      break;
    if (best.found)
      slacks = best.best.z;
  }
  return best;
}

Result<bool> Combiner::confirm(const RunContext& run, SafeEnds& safe) const {
  const std::vector<std::size_t> open = open_ends(safe.ends);  // the same for every requirement
  return interval::confirm_exactly(
      problem_,
      model_,
      std::vector<std::span<const std::size_t>>(problem_->requirements().size(), std::span(open)),
      options_.interval_digits,
      options_.engine,
      run,
      safe.ends,
      safe.witnesses);
}

// Exact ends of what was found, if the run allows it and they cost less than what is ready.
Status Combiner::finish(const SearchResult& found, const RunContext& run) {
  if (!found.found || run.should_stop())
    return ok_status();
  std::vector<double> z = found.best.z;
  for (std::size_t e = 0; e < z.size(); ++e)
    z[e] = std::max(z[e], model_.least[e]);
  SafeEnds other;
  other.ends = interval::round_up(model_, z);
  if (cost_of(other.ends) >= ready_.cost)
    return ok_status();
  for (std::size_t e = 0; e < z.size(); ++e)
    z[e] = other.ends.slack[e] == kUnboundedAbove
               ? kLpInfinity
               : static_cast<double>(other.ends.slack[e]) / model_.scale;
  other.witnesses = interval::evidence_within(model_, z, run);
  if (run.should_stop())
    return ok_status();
  Ends wider = interval::holding(other.witnesses, model_, other.ends);
  if (cost_of(wider) <= cost_of(other.ends) + interval::rounding_cost(model_, other.ends))
    other.ends = std::move(wider);
  LACUNA_TRY(other.is_confirmed, confirm(run, other));
  other.cost = cost_of(other.ends);
  if (other.is_confirmed && other.cost < ready_.cost)
    ready_ = std::move(other);
  return ok_status();
}

// What is ready; else, where the number of intervals is not limited, everything that may be hidden.
Result<SafeEnds> Combiner::take(bool limited, const RunContext& graced, const RunContext& brief) {
  if (std::isfinite(ready_.cost) && !ready_.is_confirmed) {
    LACUNA_TRY(ready_.is_confirmed, confirm(graced, ready_));
  }
  if (!ready_.is_confirmed && !limited && !brief.should_stop()) {
    ready_.ends = interval::round_up(model_, model_.most);
    ready_.witnesses = evidence_;
    LACUNA_TRY(ready_.is_confirmed, confirm(brief, ready_));
  }
  return std::move(ready_);
}

// Without the limits of this model, is there anything at all? The error names the cell.
Status reason_of(const std::shared_ptr<const Problem>& problem,
                 const IntervalOptions& widths,
                 const RunContext& run,
                 CombinedCounts& counts) {
  RunContext quick = run;
  quick.work_end = kNoWorkLimit;
  quick = with_work(std::move(quick), combined::kTuning.search.reason);
  LACUNA_TRY(const IntervalResult loose, publish_intervals(problem, widths, quick));
  counts.attacker_lps += loose.counts.attacker_lps;
  return ok_status();
}

// Every cell stands for so many intervals; none given: one.
Result<CombinedResult> combine_single_cells(const std::shared_ptr<const Problem>& problem,
                                            const CombinedOptions& options,
                                            const std::vector<std::int32_t>& intervals,
                                            const RunContext& run) {
  const auto begin = std::chrono::steady_clock::now();
  const std::int64_t work_before = work_done();
  const IntervalOptions widths = interval_options(options, problem->table());
  LACUNA_TRY(Model model, interval::make_model(*problem, widths, true));
  const Prices prices = make_prices(options, intervals, model);
  const bool limited = options.max_intervals >= 0;
  CombinedResult result;
  if (limited && prices.most_intervals < 0) {
    result.why = StopReason::kInfeasible;
    return result;
  }
  Combiner combiner(problem, options, widths, model, prices, run);
  LACUNA_TRY(const SearchResult found, combiner.solve(result.counts));
  result.why = found.why;
  result.bound = found.bound;
  if (found.why == StopReason::kInfeasible) {
    LACUNA_RETURN_IF_ERROR(reason_of(problem, widths, run, result.counts));
    if (has_limits(options))
      return result;
    result.bound = 0;  // without limits there is something: the LPs have erred
  }
  LACUNA_RETURN_IF_ERROR(combiner.finish(found, interval::brief_run(run, work_before)));
  LACUNA_TRY(SafeEnds safe,
             combiner.take(limited,
                           base::run_with_grace(run, begin, run.braked(), std::chrono::seconds(10)),
                           run.braked() ? interval::brief_run(run, work_before)
                                        : base::run_with_grace(run, begin)));
  result.complete = safe.is_confirmed;
  if (!result.complete) {
    result.why = ended_by(run);
    return result;
  }
  result.witnesses = std::move(safe.witnesses);
  result.draft = interval::draft_of(model, safe.ends, options.interval_digits);
  result.cost = total_cost(model, prices, result.draft);
  // Ends are whole units, the bound is for any real ends.
  const double most = found.cost + interval::rounding_cost(model, safe.ends);
  const bool missed = result.cost > most * (1 + combined::kTuning.rounding);
  if (missed && (result.why == StopReason::kOptimal || result.why == StopReason::kGapReached))
    result.why = ended_by(run);
  return result;
}

// The intervals of classes, for each of their cells.
Result<CombinedResult> combine_parallel_cells(const Problem& problem,
                                              const combined::ParallelCells& parallel,
                                              const CombinedOptions& options,
                                              const RunContext& run) {
  LACUNA_TRY(
      CombinedResult result,
      combine_single_cells(parallel.problem_ptr(), parallel.options(), parallel.intervals(), run));
  if (!result.complete)
    return result;
  LACUNA_TRY(Model model,
             interval::make_model(problem, interval_options(options, problem.table()), true));
  const Prices prices = make_prices(options, {}, model);
  const Ends ends = parallel.expand(problem, result.draft);
  result.draft = interval::draft_of(model, ends, options.interval_digits);
  result.cost = total_cost(model, prices, result.draft);
  result.bound = std::min(result.bound, result.cost);
  result.witnesses = parallel.expand(result.witnesses);
  const bool coarser = result.cost > total_cost(model, prices, interval::draft_of(model, ends, 0));
  if (result.why == StopReason::kOptimal && coarser)  // by digits
    result.why = ended_by(run);
  return result;
}

}  // namespace

Status CombinedOptions::validate(const Table& table) const {
  LACUNA_RETURN_IF_ERROR(MethodOptions::validate());
  LACUNA_RETURN_IF_ERROR(check_ranges(static_cast<const CombinedSettings&>(*this)));
  LACUNA_RETURN_IF_ERROR(check_weights(fixed, table, "fixed"));
  LACUNA_RETURN_IF_ERROR(check_weights(weight_up, table, "weight_up"));
  return check_weights(weight_down, table, "weight_down");
}

Result<CombinedResult> publish_combined(const std::shared_ptr<const Problem>& problem,
                                        const CombinedOptions& options,
                                        const RunContext& given) {
  const RunContext run = with_helpers(given);
  LACUNA_RETURN_IF_ERROR(options.validate(problem->table()));
  const IntervalOptions widths = interval_options(options, problem->table());
  if (const auto parallel = combined::ParallelCells::make(*problem, options, widths, run)) {
    // What no intervals can meet is explained in terms of the problem itself.
    if (auto found = combine_parallel_cells(*problem, *parallel, options, run))
      return found;
  }
  return combine_single_cells(problem, options, {}, run);
}

}  // namespace lacuna
