// SPDX-License-Identifier: Apache-2.0
#include "heuristic/construct.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <deque>
#include <memory>
#include <numeric>

#include "attack/evidence_check.h"
#include "attack/part_search.h"
#include "attack/view.h"
#include "base/parallel.h"
#include "heuristic/board.h"
#include "heuristic/closure.h"
#include "heuristic/exchange.h"
#include "heuristic/ledger.h"
#include "heuristic/merged.h"
#include "heuristic/program.h"
#include "heuristic/route.h"

namespace lacuna {
namespace {

constexpr std::size_t kBatch = 16;  // searches on the same state
constexpr std::size_t kLpBatch = 4;
constexpr double kDear = 1.0 / 1000;     // of the cost: a cell worth a longer search
constexpr double kDecisive = 1.0 / 200;  // of the cost: a cell worth any search
constexpr double kLittle = 1.0 / 2000;   // of the cost: a round that saves less is idle
constexpr std::int32_t kIdleRounds = 8;

// Which exchanges have failed, and whether anything has changed since where they looked: if not,
// they would fail again.
class Memory {
 public:
  explicit Memory(const Table& table)
      : failures_(static_cast<std::size_t>(table.num_cells())),
        changed_(static_cast<std::size_t>(table.num_equations()), 0) {}

  bool worth_trying(const Ledger& ledger, CellId cell) const {
    const Failure& failure = failures_[static_cast<std::size_t>(cell.value)];
    return failure.touched.empty() || failure.needs != count_needs(ledger, cell) ||
           std::any_of(failure.touched.begin(), failure.touched.end(), [&](EquationId equation) {
             return changed_[static_cast<std::size_t>(equation.value)] > failure.when;
           });
  }

  void note_failure(const Ledger& ledger, Exchange& exchange) {
    Failure& failure = failures_[static_cast<std::size_t>(exchange.cell.value)];
    std::sort(exchange.touched.begin(), exchange.touched.end());
    exchange.touched.erase(std::unique(exchange.touched.begin(), exchange.touched.end()),
                           exchange.touched.end());
    // Exchanges of the same batch may have been carried out before.
    failure.when = batch_;
    failure.needs = count_needs(ledger, exchange.cell);
    failure.touched = std::move(exchange.touched);
  }

  void note_changes(const Table& table, const std::vector<CellId>& cells) {
    ++now_;
    for (const CellId cell : cells) {
      for (const Incidence& incidence : table.equations_of(cell))
        changed_[static_cast<std::size_t>(incidence.equation.value)] = now_;
    }
  }
  void begin_batch() { batch_ = now_; }

 private:
  struct Failure {
    std::uint32_t when = 0;
    std::size_t needs = 0;
    std::vector<EquationId> touched;  // empty: nothing is known
  };

  static std::size_t count_needs(const Ledger& ledger, CellId cell) {
    std::size_t needs = 0;
    for (const std::int32_t index : ledger.through(cell)) {
      const Shape& shape = ledger.shape(index);
      needs += shape.alive ? shape.users.size() : 0;
    }
    return needs;
  }

  std::vector<Failure> failures_;       // by cell
  std::vector<std::uint32_t> changed_;  // by equation
  std::uint32_t now_ = 0, batch_ = 0;
};

class Construction {
 public:
  Construction(const Problem& problem, const ConstructOptions& options, const RunContext& run)
      : options_(options),
        run_(run),
        board_(problem, options.costs),
        ledger_(board_, list_needs(board_)),
        memory_(problem.table) {
    const auto lanes = static_cast<std::size_t>(std::max(1, run.threads));
    for (std::size_t i = 0; i < std::min(lanes, kBatch); ++i)
      lanes_.push_back(std::make_unique<Lane>(ledger_, run_, options_.engine));
  }

  Result<Constructed> run_all() {
    for (const CellId cell : options_.withheld) {
      if (board_.place(cell) == Place::kOpen)
        ledger_.take(cell);
    }
    take_evidence();
    first_pass();
    if (unmet_.empty()) {
      publish_idle();
      hand_out(true);
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
    std::vector<Room> rooms;
    for (std::int32_t c = 0; c < board_.table().num_cells(); ++c)
      rooms.push_back(board_.place(CellId{c}) == Place::kNever ? Room{} : board_.room(CellId{c}));
    for (const Displacement& displacement : options_.evidence) {
      if (displacement.cells.empty() ||
          !check_displacement(board_.table(), rooms, displacement).has_value())
        continue;
      if (auto steps = steps_of(displacement))
        ledger_.add_shape(*std::move(steps));
    }
  }

  void hand_out(bool at_once) {
    if (!options_.on_pattern)
      return;
    const auto now = std::chrono::steady_clock::now();
    if (!at_once &&
        std::chrono::duration<double>(now - handed_out_).count() < options_.seconds_between)
      return;
    options_.on_pattern(board_.draft(), ledger_.displacements());
    handed_out_ = std::chrono::steady_clock::now();
  }

  void log(const char* phase, std::size_t open = 0) const {
    std::int64_t searches = 0;
    std::int64_t iterations = 0;
    for (const auto& lane : lanes_) {
      searches += lane->searches;
      iterations += lane->router.iterations();
    }
    run_.log(std::string(phase) + ": cost " + std::to_string(board_.total_cost()) + ", withheld " +
             std::to_string(board_.draft().count(CellState::kWithheld)) + ", searches " +
             std::to_string(searches) + ", iterations " + std::to_string(iterations) + ", unmet " +
             std::to_string(open));
  }

  // --- First pass: every need gets a shape.

  struct Trial {
    std::int32_t need = -1;
    bool found = false;
    Steps steps;
    std::vector<EquationId> touched;
  };

  // What is hard to find is put off: once more is withheld it is often easy.
  void first_pass() {
    std::vector<std::int32_t> waiting(ledger_.needs().size());
    std::iota(waiting.begin(), waiting.end(), 0);
    std::size_t first = Lane::kFirst;
    for (std::size_t before = waiting.size() + 1; waiting.size() < before;) {
      before = waiting.size();
      for (std::size_t effort = first; effort <= Lane::kLast && !waiting.empty(); ++effort) {
        waiting = meet(waiting, effort, first == Lane::kFirst);
        if (effort == Lane::kFirst)
          waiting = meet_by_program(waiting);
        if (effort == Lane::kAlone)
          waiting = meet_by_closure(waiting);
      }
      first = Lane::kAlone;  // what is left is hard
      if (run_.log)
        log("first pass", waiting.size());
    }
    if (!waiting.empty() && !run_.should_stop())
      waiting = meet_by_lp(waiting);
    unmet_ = std::move(waiting);
  }

  // What only many cells together can carry: linear programs over neighbourhoods.
  std::vector<std::int32_t> meet_by_program(const std::vector<std::int32_t>& needs) {
    if (!closure_)
      closure_ = std::make_unique<Closure>(board_);
    std::deque<std::int32_t> waiting(needs.begin(), needs.end());
    std::vector<std::int32_t> left;
    std::vector<Trial> batch;
    while (!waiting.empty() && !run_.should_stop()) {
      batch.clear();
      std::vector<std::int32_t> twins;  // one route may do for both directions
      while (!waiting.empty() && batch.size() < kLpBatch) {
        const std::int32_t need = waiting.front();
        waiting.pop_front();
        if (ledger_.shape_of(need) >= 0 || serve(need))
          continue;
        const std::int32_t twin = ledger_.need(need).twin;
        if (std::any_of(batch.begin(), batch.end(), [&](const Trial& t) { return t.need == twin; }))
          twins.push_back(need);
        else
          batch.push_back({need, false, {}, {}});
      }
      waiting.insert(waiting.begin(), twins.begin(), twins.end());
      share_among(lanes_.size(), batch.size(), [&](std::size_t lane, std::size_t i) {
        search_by_program(*lanes_[lane], batch[i]);
      });
      for (Trial& trial : batch) {
        if (ledger_.shape_of(trial.need) >= 0 || serve(trial.need))
          continue;
        if (trial.found)
          ledger_.add_shape(std::move(trial.steps));
        if (!trial.found || !serve(trial.need))
          left.push_back(trial.need);
      }
    }
    left.insert(left.end(), waiting.begin(), waiting.end());
    if (run_.log)
      log("programs", left.size());
    return left;
  }

  // Programs look at the surroundings of the cell; where these are wide, a route without a search
  // shows how deep to go.
  void search_by_program(Lane& lane, Trial& trial) {
    lane.overlay.clear();
    constexpr double kAny = std::numeric_limits<double>::infinity();
    trial.found = find_by_program(lane, trial, kAny, {});
    const Steps known = closure_->find(ledger_.need(trial.need)).value_or(Steps{});
    if (known.empty() || (trial.found && cost_of(trial.steps) <= cost_of(known)))
      return;
    trial.steps = known;
    trial.found = true;
    find_by_program(lane, trial, cost_of(known), known);
  }

  bool find_by_program(Lane& lane, Trial& trial, double budget, const Steps& known) {
    const Need& need = ledger_.need(trial.need);
    const bool mirrored = need.twin >= 0 && ledger_.shape_of(need.twin) < 0;
    const bool found = (mirrored && lane.program.find(need, true, budget, run_, known)) ||
                       lane.program.find(need, false, budget, run_, known);
    if (found)
      trial.steps = lane.program.steps();
    return found;
  }

  double cost_of(const Steps& steps) const {
    double cost = 0;
    for (const Step& step : steps)
      cost += board_.place(step.cell) == Place::kOpen ? board_.cost(step.cell) : 0;
    return cost;
  }

  // Without a search: dear, but quick and nearly sure.
  std::vector<std::int32_t> meet_by_closure(const std::vector<std::int32_t>& needs) {
    if (needs.empty())
      return needs;
    if (!closure_)
      closure_ = std::make_unique<Closure>(board_);
    std::vector<std::int32_t> left;
    for (const std::int32_t need : needs) {
      if (ledger_.shape_of(need) >= 0 || serve(need))
        continue;
      std::optional<Steps> steps;
      if (!run_.should_stop())
        steps = closure_->find(ledger_.need(need));
      if (steps)
        ledger_.add_shape(*std::move(steps));
      if (!steps || !serve(need))
        left.push_back(need);
    }
    if (run_.log)
      log("without search", left.size());
    return left;
  }

  // A level that only very many cells together can carry: attacker LPs over all that is withheld
  // and all that may be. LPs do not look at costs, so cells much larger than the level come last.
  std::vector<std::int32_t> meet_by_lp(const std::vector<std::int32_t>& needs) {
    std::vector<Trial> trials;
    for (const std::int32_t need : needs)
      trials.push_back({need, false, {}, {}});
    std::vector<std::int32_t> left;
    for (std::size_t next = 0; next < trials.size();) {
      std::vector<Trial*> batch;
      for (; next < trials.size() && batch.size() < kLpBatch; ++next) {
        if (ledger_.shape_of(trials[next].need) < 0 && !serve(trials[next].need))
          batch.push_back(&trials[next]);
      }
      share_among(lanes_.size(), batch.size(), [&](std::size_t, std::size_t i) {
        search_by_lp(*batch[i]);
      });
      for (Trial* trial : batch) {
        if (serve(trial->need))
          continue;
        if (trial->found)
          ledger_.add_shape(std::move(trial->steps));
        if (!trial->found || !serve(trial->need))
          left.push_back(trial->need);
      }
    }
    if (run_.log)
      log("attacker LPs", left.size());
    return left;
  }

  void search_by_lp(Trial& trial) const {
    const Need& need = ledger_.need(trial.need);
    const Problem& problem = board_.problem();
    const Attacker& attacker = problem.attackers[static_cast<std::size_t>(need.attacker)];
    for (const Units factor : {Units{4}, Units{64}, kUnboundedAbove}) {
      if (run_.should_stop())
        return;
      const bool all = factor == kUnboundedAbove || need.level > kMaxUnits / factor;
      const AttackView view(
          problem.table, board_.draft_up_to(all ? factor : need.level * factor), attacker);
      PartSearch search(view, LpOptions{}, options_.engine);
      std::optional<Reach> reach =
          search.decide_nearby(need.cell, need.direction, need.level, run_);
      if (!reach && all)
        reach = search.decide_whole(need.cell, need.direction, need.level, run_);
      auto steps = reach && reach->witness ? steps_of(*reach->witness) : std::nullopt;
      if (!steps)
        continue;
      trial.steps = *std::move(steps);
      trial.found = true;
      return;
    }
  }

  // Returns the needs that are still without a shape.
  std::vector<std::int32_t> meet(const std::vector<std::int32_t>& needs,
                                 std::size_t effort,
                                 bool first_time) {
    std::deque<std::int32_t> waiting(needs.begin(), needs.end());
    std::vector<std::int32_t> left;
    std::vector<std::uint32_t> dirty(static_cast<std::size_t>(board_.table().num_equations()), 0);
    std::size_t found = 0;
    for (std::uint32_t round = 1; !waiting.empty() && !run_.should_stop(); ++round) {
      // A way of searching that finds nothing in this table is left for the next; not the first,
      // because the largest levels come first and they are the hardest.
      const bool may_leave = effort > Lane::kFirst && effort < Lane::kLast;
      if (found == 0 && left.size() >= kBatch && may_leave)
        break;
      // Once the last way has found something, the quicker ones may do.
      if (first_time && found > 0 && effort == Lane::kLast)
        break;
      std::vector<Trial> batch;
      while (!waiting.empty() && batch.size() < kBatch) {
        const std::int32_t need = waiting.front();
        waiting.pop_front();
        if (ledger_.shape_of(need) < 0 && !serve(need))
          batch.push_back({need, false, {}, {}});
      }
      share_among(lanes_.size(), batch.size(), [&](std::size_t lane, std::size_t i) {
        search(*lanes_[lane], effort, batch[i]);
      });
      std::vector<std::int32_t> again;
      for (Trial& trial : batch) {
        if (ledger_.shape_of(trial.need) >= 0 || serve(trial.need))
          continue;
        if (!trial.found) {
          left.push_back(trial.need);
        } else if (is_stale(trial, dirty, round)) {
          again.push_back(trial.need);
        } else {
          ++found;
          accept(trial, dirty, round);
          if (!serve(trial.need))
            left.push_back(trial.need);
        }
      }
      waiting.insert(waiting.begin(), again.begin(), again.end());
      report("construct",
             1 - static_cast<double>(waiting.size()) / static_cast<double>(needs.size()));
    }
    left.insert(left.end(), waiting.begin(), waiting.end());
    if (run_.log)
      log(("searches of kind " + std::to_string(effort)).c_str(), left.size());
    return left;
  }

  // Did an earlier trial of the batch withhold cells that this one might have used?
  static bool is_stale(const Trial& trial,
                       const std::vector<std::uint32_t>& dirty,
                       std::uint32_t round) {
    return std::any_of(trial.touched.begin(), trial.touched.end(), [&](EquationId equation) {
      return dirty[static_cast<std::size_t>(equation.value)] == round;
    });
  }

  void accept(Trial& trial, std::vector<std::uint32_t>& dirty, std::uint32_t round) {
    for (const Step& step : trial.steps) {
      if (board_.place(step.cell) != Place::kOpen)
        continue;
      for (const Incidence& incidence : board_.table().equations_of(step.cell))
        dirty[static_cast<std::size_t>(incidence.equation.value)] = round;
    }
    ledger_.add_shape(std::move(trial.steps));
  }

  bool serve(std::int32_t need) {
    const std::int32_t shape = ledger_.serving(need, [](const Shape&) { return true; });
    if (shape < 0)
      return false;
    ledger_.assign(need, shape);
    return true;
  }

  void search(Lane& lane, std::size_t effort, Trial& trial) {
    lane.overlay.clear();
    const Need& need = ledger_.need(trial.need);
    const bool mirrored = need.twin >= 0 && ledger_.shape_of(need.twin) < 0;
    trial.found = lane.find(need, mirrored, std::numeric_limits<double>::infinity(), effort);
    if (trial.found)
      trial.steps = lane.router.steps();
    lane.router.append_touched(trial.touched);
  }

  void publish_idle() {
    for (const CellId cell : ledger_.idle())
      ledger_.open(cell);
  }

  // --- Improvement.

  // Single cells until that saves little, then shapes around cells; what that leaves superfluous
  // shows when single cells are tried again.
  void improve() {
    std::int32_t idle_rounds = 0;
    bool around = false;
    for (std::int32_t round = 0; round < options_.max_rounds && !run_.should_stop(); ++round) {
      const double before = board_.total_cost();
      ++counts_.rounds;
      improve_once(around, run_.seed + static_cast<std::uint64_t>(round));
      ledger_.forget_dead();
      const double saved = before - board_.total_cost();
      if (run_.log)
        log(around ? "around" : "through");
      idle_rounds = saved > kLittle * before ? 0 : idle_rounds + 1;
      if (idle_rounds >= kIdleRounds)
        break;
      if (around || saved <= kLittle * before)
        around = !around;
    }
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

  void improve_once(bool around, std::uint64_t salt) {
    const std::vector<CellId> cells = secondaries();
    const double dear = board_.total_cost() * kDear;
    const double decisive = board_.total_cost() * kDecisive;
    std::vector<Exchange> batch;
    for (std::size_t next = 0; next < cells.size() && !run_.should_stop();) {
      batch.clear();
      while (next < cells.size() && batch.size() < kBatch) {
        if (board_.place(cells[next]) == Place::kTaken &&
            (around || memory_.worth_trying(ledger_, cells[next])))
          batch.push_back({cells[next],
                           around,
                           salt,
                           board_.cost(cells[next]) > dear,
                           !around && board_.cost(cells[next]) > decisive,
                           false,
                           {},
                           {},
                           {},
                           {}});
        ++next;
      }
      memory_.begin_batch();
      share_among(lanes_.size(), batch.size(), [&](std::size_t lane, std::size_t i) {
        plan_exchange(ledger_, *lanes_[lane], batch[i]);
      });
      for (Exchange& exchange : batch) {
        if (!exchange.found) {
          if (!around)
            memory_.note_failure(ledger_, exchange);
        } else if (carry_out(ledger_, exchange)) {
          ++counts_.exchanges;
          memory_.note_changes(board_.table(), ledger_.changes());
        } else {
          ledger_.changes();  // nothing changed in the end
        }
      }
      report("improve", static_cast<double>(next) / static_cast<double>(cells.size()));
    }
  }

  void report(const char* phase, double fraction) {
    hand_out(false);
    if (run_.on_progress)
      run_.on_progress({phase, fraction, std::nan(""), std::nan("")});
  }

  const ConstructOptions& options_;
  const RunContext& run_;
  Board board_;
  Ledger ledger_;
  Memory memory_;
  std::vector<std::unique_ptr<Lane>> lanes_;
  std::unique_ptr<Closure> closure_;  // made when it is needed
  std::vector<std::int32_t> unmet_;
  ConstructCounts counts_;
  std::chrono::steady_clock::time_point handed_out_ = std::chrono::steady_clock::now();
};

Constructed expanded(const Problem& problem,
                     const MergedProblem& merged,
                     const std::vector<double>& costs,
                     Constructed found) {
  found.draft = merged.expand(problem, found.draft);
  found.unmet = merged.requirements_behind(problem, found.unmet);
  for (Displacement& witness : found.witnesses)
    witness = merged.expand(witness);
  found.cost = 0;
  for (const CellEntry& entry : found.draft.entries())
    found.cost += costs[static_cast<std::size_t>(entry.cell.value)];
  return found;
}

}  // namespace

Result<Constructed> construct_pattern(const Problem& problem,
                                      const ConstructOptions& options,
                                      const RunContext& run) {
  if (!options.costs.empty() &&
      options.costs.size() != static_cast<std::size_t>(problem.table.num_cells())) {
    return Error{ErrorCode::kBadOption, "there must be one cost per cell", "costs"};
  }
  for (const CellId cell : options.withheld) {
    if (cell.value < 0 || cell.value >= problem.table.num_cells())
      return Error{ErrorCode::kBadOption, "there is no such cell", "withheld"};
  }
  std::vector<double> costs = options.costs;
  if (costs.empty()) {
    for (const Cell& cell : problem.table.cells())
      costs.push_back(cell.weight);
  }
  const auto merged = MergedProblem::make(problem, costs);
  if (!merged)
    return Construction(problem, options, run).run_all();
  ConstructOptions inner = options;
  inner.costs = merged->costs();
  inner.withheld = merged->classes_of(options.withheld);
  for (Displacement& displacement : inner.evidence)
    displacement = merged->reduce(displacement);
  if (options.on_pattern) {
    inner.on_pattern = [&](const Draft& draft, std::vector<Displacement> evidence) {
      for (Displacement& displacement : evidence)
        displacement = merged->expand(displacement);
      options.on_pattern(merged->expand(problem, draft), evidence);
    };
  }
  LACUNA_TRY(Constructed found, Construction(merged->problem(), inner, run).run_all());
  return expanded(problem, *merged, costs, std::move(found));
}

}  // namespace lacuna
