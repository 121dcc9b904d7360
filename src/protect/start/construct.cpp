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
#include "core/base/now_and_then.h"
#include "core/base/parallel.h"
#include "core/base/rational.h"
#include "core/base/work.h"
#include "judge/attack/evidence_check.h"
#include "judge/presolve/merged.h"
#include "protect/start/board.h"
#include "protect/start/exchange.h"
#include "protect/start/failure_memory.h"
#include "protect/start/fallback.h"
#include "protect/start/first_pass.h"
#include "protect/start/giants.h"
#include "protect/start/ledger.h"
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
// that shapes needed; when that has settled, detours and what is around cells come in.
class Turns {
 public:
  explicit Turns(const RunContext& run)
      : settled_at_(base::share_of_work(run, kTuning.construct.until_settled).work_end) {}

  // `giants`: there are some that were not routed together as they are now.
  ExchangeKind next(bool giants) {
    const auto end = giants ? hopes_.end() : hopes_.end() - 1;
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
        board_(problem, options.costs),
        ledger_(board_, list_needs(board_)),
        memory_(problem.table()),
        detour_memory_(problem.table()) {
    const auto lanes = static_cast<std::size_t>(std::max(1, run.threads));
    for (std::size_t i = 0; i < std::min(lanes, kTuning.construct.batch); ++i)
      lanes_.push_back(std::make_unique<Lane>(ledger_, patient_, options_.engine));
  }

  Result<Constructed> run_all() {
    for (const CellId cell : options_.withheld) {
      if (board_.place(cell) == Place::kOpen)
        ledger_.take(cell);
    }
    take_evidence();
    make_fallback();
    const bool may_give_up = !fallback_ || fallback_->complete();
    FirstPass first(board_, ledger_, lanes_, options_.engine, run_, may_give_up ? run_ : patient_);
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
    for (const std::int32_t need : unmet_)
      result.unmet.push_back(ledger_.need(need).requirement);
    std::sort(result.unmet.begin(), result.unmet.end());
    result.unmet.erase(std::unique(result.unmet.begin(), result.unmet.end()), result.unmet.end());
    result.draft = board_.draft();
    result.cost = board_.total_cost();
    result.witnesses = ledger_.displacements();
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
    std::vector<attack::Room> rooms;
    for (std::int32_t c = 0; c < board_.table().num_cells(); ++c)
      rooms.push_back(board_.place(CellId{c}) == Place::kNever ? attack::Room{}
                                                               : board_.room(CellId{c}));
    for (const Displacement& displacement : options_.evidence) {
      if (displacement.cells.empty() ||
          !attack::check_displacement(board_.table(), rooms, displacement).has_value())
        continue;
      if (auto steps = steps_of(displacement))
        ledger_.add_shape(*std::move(steps));
    }
  }

  // Where evidence serves every need already there is a pattern.
  void make_fallback() {
    constexpr auto kAll = std::numeric_limits<std::int32_t>::max();
    bool all_served = true;
    for (std::int32_t need = 0; need < static_cast<std::int32_t>(ledger_.needs().size()); ++need)
      all_served = (ledger_.shape_of(need) >= 0 || ledger_.serve(need, kAll)) && all_served;
    if (all_served)
      return;
    fallback_ = std::make_unique<Fallback>(board_, ledger_.needs(), options_.engine);
    fallback_->make(ledger_, run_);
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
    std::erase_if(unmet_, [&](std::int32_t need) {
      const Steps* route = fallback_->route_of(need);
      if (!ledger_.serve(need) && route != nullptr)
        ledger_.add_shape(*route);
      return ledger_.shape_of(need) >= 0 || ledger_.serve(need);
    });
    fallback_.reset();
  }

  void mention() const {
    if (options_.on_safe)
      options_.on_safe(board_.draft());
  }

  void hand_out(bool at_once) {
    if (!options_.on_pattern)
      return;
    if (!at_once && !hand_out_.is_due())
      return;
    options_.on_pattern(board_.draft(), ledger_.displacements());
    hand_out_.done();
  }

  void log(const std::string& phase, std::size_t open = 0) const {
    std::int64_t searches = 0;
    std::int64_t iterations = 0;
    for (const auto& lane : lanes_) {
      searches += lane->searches;
      iterations += lane->router.iterations();
    }
    run_.log(phase + ": cost " + base::confidential(std::to_string(board_.total_cost())) +
             ", withheld " + std::to_string(board_.draft().count(CellState::kWithheld)) +
             ", searches " + std::to_string(searches) + ", iterations " +
             std::to_string(iterations) + ", unmet " + std::to_string(open));
  }

  void publish_idle() {
    for (const CellId cell : ledger_.idle())
      ledger_.open(cell);
  }

  // --- Improvement.

  void improve() {
    std::int32_t idle_rounds = 0;
    Rate rate;
    Turns turns(run_);
    for (std::int32_t round = 0; round < options_.max_rounds && !run_.should_stop(); ++round) {
      const double before = board_.total_cost();
      const std::int64_t begin = work_done();
      ++counts_.rounds;
      const ExchangeKind kind = turns.next(!new_giants().empty());
      if (kind == ExchangeKind::kTogether)
        route_giants();
      else
        improve_once(kind, run_.seed + static_cast<std::uint64_t>(round));
      ledger_.forget_dead();
      mention();
      const double saved = before - board_.total_cost();
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
    return static_cast<std::int64_t>(kTuning.giants.share_of_all * done) - giants_work_;
  }

  // Groups that were not tried as they are now: by the needs behind them and what is at stake.
  std::vector<GiantGroup> new_giants() const {
    if (work_for_giants() < kTuning.giants.least_work)
      return {};
    std::vector<GiantGroup> groups = giant_groups(ledger_);
    std::erase_if(groups,
                  [&](const GiantGroup& group) { return tried_.contains(trial_of(group)); });
    return groups;
  }

  std::pair<std::vector<std::int32_t>, double> trial_of(const GiantGroup& group) const {
    std::vector<std::int32_t> needs;
    for (const std::int32_t shape : group.shapes) {
      const auto& users = ledger_.shape(shape).users;
      needs.insert(needs.end(), users.begin(), users.end());
    }
    std::sort(needs.begin(), needs.end());
    return {std::move(needs), group.stake};
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
      batch.front().group = groups.front().shapes;
      plan_together(ledger_,
                    *lanes_.front(),
                    batch.front(),
                    base::share_of_work(turn, kTuning.giants.group_share));
      carry_out_all(batch, ExchangeKind::kTogether);
      report("improve", 0);
    }
    giants_work_ += work_done() - begin;
  }

  std::vector<CellId> secondaries() const {
    std::vector<CellId> cells;
    for (std::int32_t c = 0; c < board_.table().num_cells(); ++c) {
      if (board_.place(CellId{c}) == Place::kTaken && !board_.permanent(CellId{c}))
        cells.push_back(CellId{c});
    }
    std::stable_sort(cells.begin(), cells.end(), [&](CellId a, CellId b) {
      return board_.cost(a) > board_.cost(b);
    });
    return cells;
  }

  void improve_once(ExchangeKind kind, std::uint64_t salt) {
    const std::vector<CellId> cells = secondaries();
    const double total = board_.total_cost();
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
        yield.add(board_.total_cost(), work_done() - begin);
        begin = work_done();
      }
      report("improve", static_cast<double>(next) / static_cast<double>(cells.size()));
    }
  }

  FailureMemory& memory_of(ExchangeKind kind) {
    return kind == ExchangeKind::kDetour ? detour_memory_ : memory_;
  }

  bool is_worth_trying(ExchangeKind kind, CellId cell) {
    return board_.place(cell) == Place::kTaken &&
           (kind == ExchangeKind::kAround || memory_of(kind).worth_trying(ledger_, cell));
  }

  Exchange exchange_at(CellId cell, ExchangeKind kind, std::uint64_t salt, double total) const {
    Exchange exchange;
    exchange.cell = cell;
    exchange.kind = kind;
    exchange.salt = salt;
    exchange.thorough = board_.cost(cell) > total * kTuning.construct.dear;
    exchange.decisive =
        kind == ExchangeKind::kThrough && board_.cost(cell) > total * kTuning.construct.decisive;
    return exchange;
  }

  // Planned side by side, carried out one after the other.
  void exchange_all(std::vector<Exchange>& batch, ExchangeKind kind) {
    memory_.begin_batch();
    detour_memory_.begin_batch();
    base::share_among(run_, lanes_.size(), batch.size(), [&](std::size_t lane, std::size_t i) {
      plan_exchange(ledger_, *lanes_[lane], batch[i]);
    });
    carry_out_all(batch, kind);
  }

  void carry_out_all(std::vector<Exchange>& batch, ExchangeKind kind) {
    for (Exchange& exchange : batch) {
      if (!exchange.found) {
        if (kind == ExchangeKind::kThrough || kind == ExchangeKind::kDetour)
          memory_of(kind).note_failure(ledger_, exchange);
      } else if (carry_out(ledger_, exchange)) {
        ++counts_.exchanges;
        const std::vector<CellId> changes = ledger_.changes();
        memory_.note_changes(board_.table(), changes);
        detour_memory_.note_changes(board_.table(), changes);
      } else {
        ledger_.changes();  // nothing changed in the end
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
  Board board_;
  Ledger ledger_;
  FailureMemory memory_, detour_memory_;
  std::vector<std::unique_ptr<Lane>> lanes_;
  std::unique_ptr<Fallback> fallback_;  // until there is a pattern
  std::vector<std::int32_t> unmet_;
  std::set<std::pair<std::vector<std::int32_t>, double>> tried_;  // groups of giants
  std::int64_t begin_ = work_done();
  std::int64_t giants_work_ = 0;  // of the programs
  ConstructCounts counts_;
  base::NowAndThen hand_out_{options_.seconds_between};
};

// Then whether a cell moves at all is what counts (series_search.h).
bool asks_for_one_unit(const Problem& problem) {
  const auto& needs = problem.requirements();
  return std::all_of(needs.begin(), needs.end(), [](const Requirement& need) {
    return need.attacker == 0 && need.lower <= 1 && need.upper <= 1 &&
           need.sliding <= std::max<Units>(1, need.lower + need.upper);
  });
}

Displacement displacement_of(const Steps& steps) {
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

// The circuits, and what served before the needs that have none.
std::vector<Displacement> evidence_for(const Problem& problem,
                                       const std::vector<Steps>& circuits,
                                       const std::vector<Displacement>& before) {
  std::vector<Displacement> evidence;
  std::vector<bool> open(static_cast<std::size_t>(problem.table().num_cells()), false);
  for (const Requirement& need : problem.requirements())
    open[static_cast<std::size_t>(need.cell.value)] = true;
  for (const Steps& steps : circuits) {
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
  Board board(problem, options.costs);
  for (const CellEntry& entry : found.draft.each()) {
    if (board.place(entry.cell) == Place::kOpen)
      board.take(entry.cell);
  }
  SeriesOptions series;
  series.max_rounds = options.max_rounds;
  const std::vector<Need> needs = list_needs(board);
  SeriesSearch search(board, needs, series);
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
