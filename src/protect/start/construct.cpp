// SPDX-License-Identifier: Apache-2.0
#include "protect/start/construct.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>
#include <set>

#include "core/base/confidential.h"
#include "core/base/parallel.h"
#include "core/base/rational.h"
#include "core/base/throttle.h"
#include "core/base/work.h"
#include "judge/attack/evidence_check.h"
#include "judge/presolve/merged.h"
#include "protect/start/exchange.h"
#include "protect/start/expensive_groups.h"
#include "protect/start/failure_memory.h"
#include "protect/start/fallback.h"
#include "protect/start/first_pass.h"
#include "protect/start/pattern_state.h"
#include "protect/start/route_assignment.h"
#include "protect/start/series_search.h"
#include "protect/start/tuning.h"

namespace lacuna::start {
namespace {

RunContext with_grace(RunContext run, std::int64_t units) {
  if (run.work_end != kNoWorkLimit)
    run.work_end += units;
  return run;
}

// What the last rounds saved of the cost, per unit of work.
class Rate {
 public:
  void add(double saved, std::int64_t work) {
    rounds_.push_back({saved, static_cast<double>(std::max<std::int64_t>(work, 1))});
    if (rounds_.size() > kTuning.construct.rounds_of_rate)
      rounds_.erase(rounds_.begin());
  }
  double of_late() const {
    if (rounds_.size() < kTuning.construct.rounds_of_rate)
      return std::numeric_limits<double>::infinity();
    double saved = 0;
    double work = 0;
    for (const Round& round : rounds_) {
      saved += round.saved;
      work += round.work;
    }
    return saved / work;
  }

 private:
  struct Round {
    double saved, work;
  };
  std::vector<Round> rounds_;
};

// What the batches of a round save. Dear cells come first: where the work is scarce a round is
// broken off once its batches save much less than those before them, and the next one begins.
class Yield {
 public:
  explicit Yield(double cost) { costs_.push_back(cost); }
  void add(double cost, std::int64_t work) {
    costs_.push_back(cost);
    works_.push_back(static_cast<double>(work));
    total_ += static_cast<double>(work);
  }
  // `share` of the round is done.
  bool promises(double share, std::int64_t work_left) const {
    const ConstructTuning& tuning = kTuning.construct;
    const std::size_t window = tuning.window;
    if (work_left == kNoWorkLimit || works_.size() < 2 * window ||
        static_cast<double>(work_left) > tuning.plenty * total_ / share)
      return true;
    const double recent =
        std::accumulate(works_.end() - static_cast<std::ptrdiff_t>(window), works_.end(), 0.0);
    const double saved = costs_[costs_.size() - 1 - window] - costs_.back();
    const double all_saved = costs_.front() - costs_.back();
    return saved * total_ >= tuning.worth_going_on * all_saved * recent;
  }

 private:
  std::vector<double> costs_, works_;
  double total_ = 0;
};

// Which kind of exchange has its turn: what saved most per work the last time. What one kind saves
// leaves something for the others, so they hope for a part of it. First only those that give up all
// that shared routes needed; when that has settled, detours and what is around cells come in.
class Turns {
 public:
  explicit Turns(const RunContext& run)
      : settled_at_(base::share_of_work(run, kTuning.construct.until_settled).work_end) {}

  // `expensive groups`: there are some that were not routed together as they are now.
  ExchangeKind next(bool expensive_groups) {
    const auto end = expensive_groups ? hopes_.end() : hopes_.end() - 1;
    const auto best = std::max_element(hopes_.begin(), end);
    current_ = settled_ ? static_cast<std::size_t>(best - hopes_.begin()) : 0;
    return kKinds[current_];
  }
  const char* name() const { return kNames[current_]; }

  void add(double saved, std::int64_t work) {
    const double rate = saved / static_cast<double>(std::max<std::int64_t>(work, 1));
    for (double& hope : hopes_)
      hope = std::max(hope, kTuning.construct.hope * rate);
    hopes_[current_] = rate;
    settled_ = settled_ || saved < kTuning.construct.settled || work_done() > settled_at_;
  }

 private:
  static constexpr std::array kKinds{ExchangeKind::kThrough,
                                     ExchangeKind::kDetour,
                                     ExchangeKind::kAround,
                                     ExchangeKind::kTogether};
  static constexpr std::array kNames{"through", "detours", "around", "together"};
  static constexpr double kUntried = std::numeric_limits<double>::infinity();

  std::array<double, kKinds.size()> hopes_{
      kUntried, kUntried, kUntried, kUntried};  // per unit of work
  std::size_t current_ = 0;
  bool settled_ = false;
  std::int64_t settled_at_;  // reading of work_done()
};

class Construction {
 public:
  Construction(const Problem& problem, const ConstructOptions& options, const RunContext& run)
      : options_(options),
        run_(run),
        patient_(with_grace(run, options.grace)),
        pattern_state_(problem, options.costs),
        assignment_(pattern_state_, list_goals(pattern_state_)),
        memory_(problem.table()),
        detour_memory_(problem.table()) {
    const auto lanes = static_cast<std::size_t>(std::max(1, run.threads));
    for (std::size_t i = 0; i < std::min(lanes, kTuning.construct.batch); ++i)
      lanes_.push_back(std::make_unique<Lane>(assignment_, patient_, options_.engine));
  }

  Result<Constructed> run_all() {
    for (const CellId cell : options_.withheld) {
      if (pattern_state_.place(cell) == CellRole::kPublished)
        assignment_.withhold(cell);
    }
    take_evidence();
    make_fallback();
    const bool may_give_up = !fallback_ || fallback_->complete();
    FirstPass first(
        pattern_state_, assignment_, lanes_, options_.engine, run_, may_give_up ? run_ : patient_);
    first.on_progress = [this](double share) { report("construct", share); };
    if (run_.log)
      first.log = [this](const std::string& phase, std::size_t open) { log(phase, open); };
    unmet_ = first.meet_all();
    use_fallback();
    if (unmet_.empty()) {
      publish_idle();
      hand_out(true);
      mention();
      if (options_.improve) {
        improve();
        hand_out(true);
      }
    }
    Constructed result;
    result.complete = unmet_.empty();
    for (const std::int32_t goal : unmet_)
      result.unmet.push_back(assignment_.goal(goal).requirement);
    std::sort(result.unmet.begin(), result.unmet.end());
    result.unmet.erase(std::unique(result.unmet.begin(), result.unmet.end()), result.unmet.end());
    result.draft = pattern_state_.draft();
    result.cost = pattern_state_.total_cost();
    result.witnesses = assignment_.displacements();
    result.counts = counts_;
    for (const auto& lane : lanes_) {
      result.counts.searches += lane->searches;
      result.counts.iterations += lane->router.iterations();
    }
    return result;
  }

 private:
  // Only what is checked anew; it must keep to cells that may be withheld.
  void take_evidence() {
    if (options_.evidence.empty())
      return;
    std::vector<attack::Slack> slacks;
    for (std::int32_t c = 0; c < pattern_state_.table().num_cells(); ++c)
      slacks.push_back(pattern_state_.place(CellId{c}) == CellRole::kNever
                           ? attack::Slack{}
                           : pattern_state_.slack(CellId{c}));
    for (const Displacement& displacement : options_.evidence) {
      if (displacement.cells.empty() ||
          !attack::check_displacement(pattern_state_.table(), slacks, displacement).has_value())
        continue;
      if (auto steps = route_of_displacement(displacement))
        assignment_.add_shared_route(*std::move(steps));
    }
  }

  // Where evidence serves every goal already there is a pattern.
  void make_fallback() {
    constexpr auto kAll = std::numeric_limits<std::int32_t>::max();
    bool all_served = true;
    for (std::int32_t goal = 0; goal < static_cast<std::int32_t>(assignment_.goals().size());
         ++goal)
      all_served =
          (assignment_.shared_route_of(goal) >= 0 || assignment_.serve(goal, kAll)) && all_served;
    if (all_served)
      return;
    fallback_ = std::make_unique<Fallback>(pattern_state_, assignment_.goals(), options_.engine);
    fallback_->make(assignment_, run_);
    if (!fallback_->complete())
      return;
    if (options_.on_pattern)
      options_.on_pattern(fallback_->draft(), fallback_->displacements());
    if (options_.on_safe)
      options_.on_safe(fallback_->draft());
  }

  void use_fallback() {
    if (!fallback_)
      return;
    std::erase_if(unmet_, [&](std::int32_t goal) {
      const Route* route = fallback_->route_of(goal);
      if (!assignment_.serve(goal) && route != nullptr)
        assignment_.add_shared_route(*route);
      return assignment_.shared_route_of(goal) >= 0 || assignment_.serve(goal);
    });
    fallback_.reset();
  }

  void mention() const {
    if (options_.on_safe)
      options_.on_safe(pattern_state_.draft());
  }

  void hand_out(bool at_once) {
    if (!options_.on_pattern)
      return;
    if (!at_once && !hand_out_.is_due())
      return;
    options_.on_pattern(pattern_state_.draft(), assignment_.displacements());
    hand_out_.done();
  }

  void log(const std::string& phase, std::size_t open = 0) const {
    std::int64_t searches = 0;
    std::int64_t iterations = 0;
    for (const auto& lane : lanes_) {
      searches += lane->searches;
      iterations += lane->router.iterations();
    }
    run_.log(phase + ": cost " + base::confidential(std::to_string(pattern_state_.total_cost())) +
             ", withheld " +
             std::to_string(pattern_state_.draft().count(StatementKind::kWithheld)) +
             ", searches " + std::to_string(searches) + ", iterations " +
             std::to_string(iterations) + ", unmet " + std::to_string(open));
  }

  void publish_idle() {
    for (const CellId cell : assignment_.idle())
      assignment_.publish(cell);
  }

  // --- Improvement.

  void improve() {
    std::int32_t idle_rounds = 0;
    Rate rate;
    Turns turns(run_);
    for (std::int32_t round = 0; round < options_.max_rounds && !run_.should_stop(); ++round) {
      const double before = pattern_state_.total_cost();
      const std::int64_t begin = work_done();
      ++counts_.rounds;
      const ExchangeKind kind = turns.next(!new_giants().empty());
      if (kind == ExchangeKind::kTogether)
        route_giants();
      else
        improve_once(kind, run_.seed + static_cast<std::uint64_t>(round));
      assignment_.forget_dead();
      mention();
      const double saved = before - pattern_state_.total_cost();
      if (run_.log)
        log(turns.name());
      idle_rounds = saved > kTuning.construct.little * before ? 0 : idle_rounds + 1;
      rate.add(saved / before, work_done() - begin);
      turns.add(saved / before, work_done() - begin);
      if (idle_rounds >= kTuning.construct.idle_rounds || rate.of_late() < options_.least_rate)
        break;
    }
  }

  // A share of what was done for all else: tables that are soon done have no program at all.
  std::int64_t work_for_giants() const {
    const auto done = static_cast<double>(work_done() - begin_ - giants_work_);
    return static_cast<std::int64_t>(kTuning.expensive_groups.share_of_all * done) - giants_work_;
  }

  // Groups that were not tried as they are now: by the goals behind them and what is at stake.
  std::vector<ExpensiveGroup> new_giants() const {
    if (work_for_giants() < kTuning.expensive_groups.least_work)
      return {};
    std::vector<ExpensiveGroup> groups = expensive_groups(assignment_);
    std::erase_if(groups,
                  [&](const ExpensiveGroup& group) { return tried_.contains(trial_of(group)); });
    return groups;
  }

  std::pair<std::vector<std::int32_t>, double> trial_of(const ExpensiveGroup& group) const {
    std::vector<std::int32_t> goals;
    for (const std::int32_t shared_route : group.shared_routes) {
      const auto& users = assignment_.shared_route(shared_route).users;
      goals.insert(goals.end(), users.begin(), users.end());
    }
    std::sort(goals.begin(), goals.end());
    return {std::move(goals), group.stake};
  }

  // One group after the other, each on what those before have left.
  void route_giants() {
    const std::int64_t begin = work_done();
    const RunContext turn = with_work(run_, work_for_giants());
    for (auto groups = new_giants(); !groups.empty() && !turn.should_stop();
         groups = new_giants()) {
      tried_.insert(trial_of(groups.front()));
      std::vector<Exchange> batch(1);
      batch.front().cell = groups.front().cell;
      batch.front().kind = ExchangeKind::kTogether;
      batch.front().group = groups.front().shared_routes;
      plan_together(assignment_,
                    *lanes_.front(),
                    batch.front(),
                    base::share_of_work(turn, kTuning.expensive_groups.group_share));
      carry_out_all(batch, ExchangeKind::kTogether);
      report("improve", 0);
    }
    giants_work_ += work_done() - begin;
  }

  std::vector<CellId> secondaries() const {
    std::vector<CellId> cells;
    for (std::int32_t c = 0; c < pattern_state_.table().num_cells(); ++c) {
      if (pattern_state_.place(CellId{c}) == CellRole::kWithheld &&
          !pattern_state_.permanent(CellId{c}))
        cells.push_back(CellId{c});
    }
    std::stable_sort(cells.begin(), cells.end(), [&](CellId a, CellId b) {
      return pattern_state_.cost(a) > pattern_state_.cost(b);
    });
    return cells;
  }

  void improve_once(ExchangeKind kind, std::uint64_t salt) {
    const std::vector<CellId> cells = secondaries();
    const double total = pattern_state_.total_cost();
    Yield yield(total);
    std::size_t batches = 0;
    std::int64_t begin = work_done();
    for (std::size_t next = 0; next < cells.size() && !run_.should_stop();) {
      const double share = static_cast<double>(next) / static_cast<double>(cells.size());
      if (!yield.promises(share, run_.work_left()))
        break;
      std::vector<Exchange> batch;
      for (; next < cells.size() && batch.size() < kTuning.construct.batch; ++next) {
        if (is_worth_trying(kind, cells[next]))
          batch.push_back(exchange_at(cells[next], kind, salt, total));
      }
      exchange_all(batch, kind);
      if (++batches % kTuning.construct.batches_at_once == 0) {
        yield.add(pattern_state_.total_cost(), work_done() - begin);
        begin = work_done();
      }
      report("improve", static_cast<double>(next) / static_cast<double>(cells.size()));
    }
  }

  FailureMemory& memory_of(ExchangeKind kind) {
    return kind == ExchangeKind::kDetour ? detour_memory_ : memory_;
  }

  bool is_worth_trying(ExchangeKind kind, CellId cell) {
    return pattern_state_.place(cell) == CellRole::kWithheld &&
           (kind == ExchangeKind::kAround || memory_of(kind).worth_trying(assignment_, cell));
  }

  Exchange exchange_at(CellId cell, ExchangeKind kind, std::uint64_t salt, double total) const {
    Exchange exchange;
    exchange.cell = cell;
    exchange.kind = kind;
    exchange.salt = salt;
    exchange.thorough = pattern_state_.cost(cell) > total * kTuning.construct.expensive;
    exchange.decisive = kind == ExchangeKind::kThrough &&
                        pattern_state_.cost(cell) > total * kTuning.construct.decisive;
    return exchange;
  }

  // Planned side by side, carried out one after the other.
  void exchange_all(std::vector<Exchange>& batch, ExchangeKind kind) {
    memory_.begin_batch();
    detour_memory_.begin_batch();
    base::share_among(run_, lanes_.size(), batch.size(), [&](std::size_t lane, std::size_t i) {
      plan_exchange(assignment_, *lanes_[lane], batch[i]);
    });
    carry_out_all(batch, kind);
  }

  void carry_out_all(std::vector<Exchange>& batch, ExchangeKind kind) {
    for (Exchange& exchange : batch) {
      if (!exchange.found) {
        if (kind == ExchangeKind::kThrough || kind == ExchangeKind::kDetour)
          memory_of(kind).note_failure(assignment_, exchange);
      } else if (carry_out(assignment_, exchange)) {
        ++counts_.exchanges;
        const std::vector<CellId> changes = assignment_.changes();
        memory_.note_changes(pattern_state_.table(), changes);
        detour_memory_.note_changes(pattern_state_.table(), changes);
      } else {
        assignment_.changes();  // nothing changed in the end
      }
    }
  }

  void report(const char* phase, double fraction) {
    hand_out(false);
    if (run_.on_progress)
      run_.on_progress({phase, fraction, std::nan(""), std::nan("")});
  }

  const ConstructOptions& options_;
  const RunContext& run_;
  RunContext patient_;  // for what must be done before there is a pattern
  PatternState pattern_state_;
  RouteAssignment assignment_;
  FailureMemory memory_, detour_memory_;
  std::vector<std::unique_ptr<Lane>> lanes_;
  std::unique_ptr<Fallback> fallback_;  // until there is a pattern
  std::vector<std::int32_t> unmet_;
  std::set<std::pair<std::vector<std::int32_t>, double>> tried_;  // groups of expensive groups
  std::int64_t begin_ = work_done();
  std::int64_t giants_work_ = 0;  // of the programs
  ConstructCounts counts_;
  base::Throttle hand_out_{options_.seconds_between};
};

// Then whether a cell moves at all is what counts (series_search.h).
bool asks_for_one_unit(const Problem& problem) {
  const auto& goals = problem.requirements();
  return std::all_of(goals.begin(), goals.end(), [](const Requirement& goal) {
    return goal.attacker == 0 && goal.lower <= 1 && goal.upper <= 1 &&
           goal.sliding <= std::max<Units>(1, goal.lower + goal.upper);
  });
}

Displacement displacement_of(const Route& steps) {
  Displacement result;
  Units most = 1;
  for (const RouteStep& step : steps) {
    result.cells.push_back(step.cell);
    result.moves.emplace_back(base::to_integer(step.move));
    most = std::max(most, step.move > 0 ? step.move : -step.move);
  }
  result.denominator = base::to_integer(most);  // nothing moves by more than a unit
  return result;
}

// The circuits, and what served before the goals that have none.
std::vector<Displacement> evidence_for(const Problem& problem,
                                       const std::vector<Route>& circuits,
                                       const std::vector<Displacement>& before) {
  std::vector<Displacement> evidence;
  std::vector<bool> open(static_cast<std::size_t>(problem.table().num_cells()), false);
  for (const Requirement& goal : problem.requirements())
    open[static_cast<std::size_t>(goal.cell.value)] = true;
  for (const Route& steps : circuits) {
    for (const RouteStep& step : steps)
      open[static_cast<std::size_t>(step.cell.value)] = false;
    evidence.push_back(displacement_of(steps));
  }
  for (const Displacement& each : before) {
    if (std::any_of(each.cells.begin(), each.cells.end(), [&](CellId cell) {
          return open[static_cast<std::size_t>(cell.value)];
        }))
      evidence.push_back(each);
  }
  return evidence;
}

Result<Constructed> construct_by_series(const Problem& problem,
                                        const ConstructOptions& options,
                                        const RunContext& run) {
  ConstructOptions first = options;
  first.improve = false;
  LACUNA_TRY(Constructed found, Construction(problem, first, run).run_all());
  if (!found.complete || !options.improve || run.should_stop())
    return found;
  PatternState pattern_state(problem, options.costs);
  for (const CellEntry& entry : found.draft.each()) {
    if (pattern_state.place(entry.cell) == CellRole::kPublished)
      pattern_state.withhold(entry.cell);
  }
  SeriesOptions series;
  series.max_rounds = options.max_rounds;
  const std::vector<RouteGoal> goals = list_goals(pattern_state);
  SeriesSearch search(pattern_state, goals, series);
  search.run(base::share_of_work(run, kTuning.construct.series_share), run);
  first.withheld = search.secondaries();
  first.evidence = evidence_for(problem, search.circuits(), found.witnesses);
  LACUNA_TRY(Constructed better, Construction(problem, first, run).run_all());
  return better.complete && better.cost < found.cost ? std::move(better) : std::move(found);
}

Result<Constructed> construct_on(const Problem& problem,
                                 const ConstructOptions& options,
                                 const RunContext& run) {
  return asks_for_one_unit(problem) ? construct_by_series(problem, options, run)
                                    : Construction(problem, options, run).run_all();
}

Constructed expanded(const Problem& problem,
                     const presolve::MergedProblem& merged,
                     const std::vector<double>& costs,
                     Constructed found) {
  found.draft = merged.expand(problem, found.draft);
  found.unmet = merged.requirements_behind(problem, found.unmet);
  found.witnesses = merged.expand(found.witnesses);
  found.cost = 0;
  for (const CellEntry& entry : found.draft.each())
    found.cost += costs[static_cast<std::size_t>(entry.cell.value)];
  return found;
}

}  // namespace

Result<Constructed> construct_pattern(const Problem& problem,
                                      const ConstructOptions& options,
                                      const RunContext& run) {
  if (!options.costs.empty() &&
      options.costs.size() != static_cast<std::size_t>(problem.table().num_cells())) {
    return Error{ErrorCode::kOptionValue, "there must be one cost per cell", "costs"};
  }
  for (const CellId cell : options.withheld) {
    if (cell.value < 0 || cell.value >= problem.table().num_cells())
      return Error{ErrorCode::kOptionValue, "there is no such cell", "withheld"};
  }
  std::vector<double> costs = options.costs;
  if (costs.empty()) {
    for (const Cell& cell : problem.table().cells())
      costs.push_back(cell.weight);
  }
  const auto merged =
      presolve::MergedProblem::make(problem, {.costs = costs, .by_kernel = false}, run);
  if (!merged)
    return construct_on(problem, options, run);
  ConstructOptions inner = options;
  inner.costs = merged->costs();
  inner.withheld = merged->classes_of(options.withheld);
  inner.evidence = merged->reduce(options.evidence);
  if (options.on_pattern) {
    inner.on_pattern = [&](const Draft& draft, const std::vector<Displacement>& evidence) {
      options.on_pattern(merged->expand(problem, draft), merged->expand(evidence));
    };
  }
  if (options.on_safe)
    inner.on_safe = [&](const Draft& draft) { options.on_safe(merged->expand(problem, draft)); };
  LACUNA_TRY(Constructed found, construct_on(merged->problem(), inner, run));
  return expanded(problem, *merged, costs, std::move(found));
}

}  // namespace lacuna::start
