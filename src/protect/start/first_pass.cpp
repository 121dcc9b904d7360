// SPDX-License-Identifier: Apache-2.0
#include "protect/start/first_pass.h"

#include <algorithm>
#include <deque>
#include <limits>
#include <numeric>
#include <optional>

#include "core/base/parallel.h"
#include "core/base/work.h"
#include "judge/attack/search.h"
#include "judge/attack/view.h"
#include "protect/start/program.h"
#include "protect/start/tuning.h"

namespace lacuna::start {

FirstPass::FirstPass(const Board& board,
                     Ledger& ledger,
                     std::vector<std::unique_ptr<Lane>>& lanes,
                     std::string engine,
                     const RunContext& run,
                     const RunContext& sure)
    : board_(board),
      ledger_(ledger),
      lanes_(lanes),
      engine_(std::move(engine)),
      first_(base::share_of_work(run, kTuning.first_pass.first_end)),
      programs_(base::share_of_work(run, kTuning.first_pass.programs_end)),
      searches_(base::share_of_work(run, kTuning.first_pass.searches_end)),
      sure_(sure),
      paths_(PathSearch::suits(board)) {}

// What is hard to find is put off: once more is withheld it is often easy.
std::vector<std::int32_t> FirstPass::meet_all() {
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
    if (log)
      log("first pass", waiting.size());
  }
  if (!waiting.empty() && !sure_.should_stop())
    waiting = meet_by_lp(waiting);
  return waiting;
}

// What only many cells together can carry: linear programs over neighbourhoods.
std::vector<std::int32_t> FirstPass::meet_by_program(const std::vector<std::int32_t>& needs) {
  if (needs.empty())
    return needs;
  if (!closure_)
    closure_ = std::make_unique<Closure>(board_);
  std::deque<std::int32_t> waiting(needs.begin(), needs.end());
  std::vector<std::int32_t> left;
  std::vector<Trial> batch;
  while (!waiting.empty() && !programs_.should_stop()) {
    batch.clear();
    std::vector<std::int32_t> twins;  // one route may do for both directions
    while (!waiting.empty() && batch.size() < kTuning.first_pass.lp_batch) {
      const std::int32_t need = waiting.front();
      waiting.pop_front();
      if (ledger_.shape_of(need) >= 0 || ledger_.serve(need))
        continue;
      const std::int32_t twin = ledger_.need(need).twin;
      if (std::any_of(batch.begin(), batch.end(), [&](const Trial& t) { return t.need == twin; }))
        twins.push_back(need);
      else
        batch.push_back({need, false, {}, {}});
    }
    waiting.insert(waiting.begin(), twins.begin(), twins.end());
    base::share_among(sure_, lanes_.size(), batch.size(), [&](std::size_t lane, std::size_t i) {
      search_by_program(*lanes_[lane], batch[i]);
    });
    for (Trial& trial : batch) {
      if (ledger_.shape_of(trial.need) >= 0 || ledger_.serve(trial.need))
        continue;
      if (trial.found)
        ledger_.add_shape(std::move(trial.steps));
      if (!trial.found || !ledger_.serve(trial.need))
        left.push_back(trial.need);
    }
  }
  left.insert(left.end(), waiting.begin(), waiting.end());
  if (log)
    log("programs", left.size());
  return left;
}

// Programs look at the surroundings of the cell; where these are wide, a route without a search
// shows how deep to go.
void FirstPass::search_by_program(Lane& lane, Trial& trial) {
  lane.overlay.clear();
  constexpr double kAny = std::numeric_limits<double>::infinity();
  trial.found = find_by_program(lane, trial, kAny, {});
  const double paid = trial.found ? cost_of(trial.steps) : kAny;
  if (paid == 0)
    return;
  const Steps known = closure_->find(ledger_.need(trial.need)).value_or(Steps{});
  const double budget = cost_of(known);
  if (known.empty() || paid <= budget)
    return;
  trial.steps = known;
  trial.found = true;
  find_by_program(lane, trial, budget, known);
}

bool FirstPass::find_by_program(Lane& lane, Trial& trial, double budget, const Steps& known) {
  const Need& need = ledger_.need(trial.need);
  const bool mirrored = need.twin >= 0 && ledger_.shape_of(need.twin) < 0;
  const bool found = (mirrored && lane.program.find(need, true, budget, sure_, known)) ||
                     lane.program.find(need, false, budget, sure_, known);
  if (found)
    trial.steps = lane.program.steps();
  return found;
}

double FirstPass::cost_of(const Steps& steps) const {
  double cost = 0;
  for (const RouteStep& step : steps)
    cost += board_.place(step.cell) == Place::kOpen ? board_.cost(step.cell) : 0;
  return cost;
}

// Without a search: dear, but quick and nearly sure.
std::vector<std::int32_t> FirstPass::meet_by_closure(const std::vector<std::int32_t>& needs) {
  if (needs.empty())
    return needs;
  if (!closure_)
    closure_ = std::make_unique<Closure>(board_);
  std::vector<std::int32_t> left;
  for (const std::int32_t need : needs) {
    if (ledger_.shape_of(need) >= 0 || ledger_.serve(need))
      continue;
    std::optional<Steps> steps;
    if (!sure_.should_stop())
      steps = closure_->find(ledger_.need(need));
    if (steps)
      ledger_.add_shape(*std::move(steps));
    if (!steps || !ledger_.serve(need))
      left.push_back(need);
  }
  if (log)
    log("without search", left.size());
  return left;
}

// A level that only very many cells together can carry: attacker LPs over all that is withheld
// and all that may be. LPs do not look at costs, so cells much larger than the level come last.
std::vector<std::int32_t> FirstPass::meet_by_lp(const std::vector<std::int32_t>& needs) {
  std::vector<Trial> trials;
  for (const std::int32_t need : needs)
    trials.push_back({need, false, {}, {}});
  std::vector<std::int32_t> left;
  for (std::size_t next = 0; next < trials.size();) {
    std::vector<Trial*> batch;
    for (; next < trials.size() && batch.size() < kTuning.first_pass.lp_batch; ++next) {
      if (ledger_.shape_of(trials[next].need) < 0 && !ledger_.serve(trials[next].need))
        batch.push_back(&trials[next]);
    }
    base::share_among(sure_, lanes_.size(), batch.size(), [&](std::size_t, std::size_t i) {
      search_by_lp(*batch[i]);
    });
    for (Trial* trial : batch) {
      if (ledger_.serve(trial->need))
        continue;
      if (trial->found)
        ledger_.add_shape(std::move(trial->steps));
      if (!trial->found || !ledger_.serve(trial->need))
        left.push_back(trial->need);
    }
  }
  if (log)
    log("attacker LPs", left.size());
  return left;
}

void FirstPass::search_by_lp(Trial& trial) const {
  const Need& need = ledger_.need(trial.need);
  const Problem& problem = board_.problem();
  const Attacker& attacker = problem.attackers()[static_cast<std::size_t>(need.attacker)];
  for (const Units factor : {Units{4}, Units{64}, kUnboundedAbove}) {
    if (sure_.should_stop())
      return;
    const bool all = factor == kUnboundedAbove || need.level > kMaxUnits / factor;
    const attack::AttackView view(
        problem.table(), board_.draft_up_to(all ? factor : need.level * factor), attacker);
    attack::Search search(view, {.engine = engine_});
    const Term cell{need.cell, 1};
    std::optional<attack::Reach> reach =
        search.decide_nearby({&cell, 1}, need.direction, need.level, sure_);
    if (!reach && all)
      reach = search.decide_whole({&cell, 1}, need.direction, need.level, sure_);
    auto steps = reach && reach->witness ? steps_of(*reach->witness) : std::nullopt;
    if (!steps)
      continue;
    trial.steps = *std::move(steps);
    trial.found = true;
    return;
  }
}

// Returns the needs that are still without a shape.
std::vector<std::int32_t> FirstPass::meet(const std::vector<std::int32_t>& needs,
                                          std::size_t effort,
                                          bool first_time) {
  std::deque<std::int32_t> waiting(needs.begin(), needs.end());
  std::vector<std::int32_t> left;
  std::vector<std::uint32_t> dirty(static_cast<std::size_t>(board_.table().num_equations()), 0);
  std::size_t found = 0;
  const RunContext& run =
      effort == Lane::kFirst ? first_ : (effort <= Lane::kAlone ? searches_ : sure_);
  for (std::uint32_t round = 1; !waiting.empty() && !run.should_stop(); ++round) {
    // A way of searching that finds nothing in this table is left for the next; not the first,
    // because the largest levels come first and they are the hardest.
    const bool may_leave = effort > Lane::kFirst && effort < Lane::kLast;
    if (found == 0 && left.size() >= kTuning.first_pass.batch && may_leave)
      break;
    // Once the last way has found something, the quicker ones may do.
    if (first_time && found > 0 && effort == Lane::kLast)
      break;
    std::vector<Trial> batch;
    while (!waiting.empty() && batch.size() < kTuning.first_pass.batch) {
      const std::int32_t need = waiting.front();
      waiting.pop_front();
      if (ledger_.shape_of(need) < 0 && !ledger_.serve(need))
        batch.push_back({need, false, {}, {}});
    }
    base::share_among(sure_, lanes_.size(), batch.size(), [&](std::size_t lane, std::size_t i) {
      search(*lanes_[lane], effort, batch[i]);
    });
    std::vector<std::int32_t> again;
    for (Trial& trial : batch) {
      if (ledger_.shape_of(trial.need) >= 0 || ledger_.serve(trial.need))
        continue;
      if (!trial.found) {
        left.push_back(trial.need);
      } else if (is_stale(trial, dirty, round)) {
        again.push_back(trial.need);
      } else {
        ++found;
        accept(trial, dirty, round);
        if (!ledger_.serve(trial.need))
          left.push_back(trial.need);
      }
    }
    waiting.insert(waiting.begin(), again.begin(), again.end());
    if (on_progress)
      on_progress(1 - static_cast<double>(waiting.size()) / static_cast<double>(needs.size()));
  }
  left.insert(left.end(), waiting.begin(), waiting.end());
  if (log)
    log("searches of kind " + std::to_string(effort), left.size());
  return left;
}

// Did an earlier trial of the batch withhold cells that this one might have used?
bool FirstPass::is_stale(const Trial& trial,
                         const std::vector<std::uint32_t>& dirty,
                         std::uint32_t round) {
  return std::any_of(trial.touched.begin(), trial.touched.end(), [&](EquationId equation) {
    return dirty[static_cast<std::size_t>(equation.value)] == round;
  });
}

void FirstPass::accept(Trial& trial, std::vector<std::uint32_t>& dirty, std::uint32_t round) {
  for (const RouteStep& step : trial.steps) {
    if (board_.place(step.cell) != Place::kOpen)
      continue;
    for (const Incidence& incidence : board_.table().equations_of(step.cell))
      dirty[static_cast<std::size_t>(incidence.equation.value)] = round;
  }
  ledger_.add_shape(std::move(trial.steps));
}

void FirstPass::search(Lane& lane, std::size_t effort, Trial& trial) {
  lane.overlay.clear();
  const Need& need = ledger_.need(trial.need);
  const bool mirrored = need.twin >= 0 && ledger_.shape_of(need.twin) < 0;
  if (paths_ && effort == Lane::kFirst && search_path(lane, trial, mirrored))
    return;
  trial.found = lane.find(need, mirrored, std::numeric_limits<double>::infinity(), effort);
  if (trial.found)
    trial.steps = lane.router.steps();
  lane.router.append_touched(trial.touched);
}

// Over withheld cells alone there is nothing better, whatever others have withheld meanwhile.
bool FirstPass::search_path(Lane& lane, Trial& trial, bool mirrored) const {
  const Need& need = ledger_.need(trial.need);
  const double share = kTuning.exchange.efforts[Lane::kFirst].share;
  trial.found =
      (mirrored && lane.paths.find(need, true, share)) || lane.paths.find(need, false, share);
  if (!trial.found)
    return false;
  trial.steps = lane.paths.steps();
  if (cost_of(trial.steps) > 0)
    lane.paths.append_touched(trial.touched);
  return true;
}

}  // namespace lacuna::start
