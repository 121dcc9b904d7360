// SPDX-License-Identifier: Apache-2.0
#include "protect/start/first_pass.h"

#include <algorithm>
#include <deque>
#include <limits>
#include <numeric>
#include <optional>
#include <unordered_set>

#include "core/base/parallel.h"
#include "core/base/work.h"
#include "judge/attack/search.h"
#include "judge/attack/view.h"
#include "protect/start/program.h"
#include "protect/start/tuning.h"

namespace lacuna::start {

FirstPass::FirstPass(const PatternState& pattern_state,
                     RouteAssignment& assignment,
                     std::vector<std::unique_ptr<Lane>>& lanes,
                     std::string engine,
                     const RunContext& run,
                     const RunContext& sure)
    : pattern_state_(pattern_state),
      assignment_(assignment),
      lanes_(lanes),
      engine_(std::move(engine)),
      first_(base::share_of_work(run, kTuning.first_pass.first_end)),
      programs_(base::share_of_work(run, kTuning.first_pass.programs_end)),
      searches_(base::share_of_work(run, kTuning.first_pass.searches_end)),
      sure_(sure),
      paths_(PathSearch::suits(pattern_state)),
      network_(network_of(pattern_state)) {}

// What is hard to find is put off: once more is withheld it is often easy.
std::vector<std::int32_t> FirstPass::meet_all() {
  std::vector<std::int32_t> waiting(assignment_.goals().size());
  std::iota(waiting.begin(), waiting.end(), 0);
  SearchKind first = SearchKind::kFirst;
  for (std::size_t before = waiting.size() + 1; waiting.size() < before;) {
    before = waiting.size();
    for (const SearchKind kind : search_kinds(first, SearchKind::kLast)) {
      if (waiting.empty())
        break;
      waiting = meet(waiting, kind, first == SearchKind::kFirst);
      if (kind == SearchKind::kFirst)
        waiting = meet_by_program(waiting);
      if (kind == SearchKind::kAlone)
        waiting = meet_by_leaf_routes(waiting);
    }
    first = SearchKind::kAlone;  // what is left is hard
    if (log)
      log("first pass", waiting.size());
  }
  if (!waiting.empty() && !sure_.should_stop())
    waiting = meet_by_lp(waiting);
  return waiting;
}

// What only many cells together can carry: linear programs over neighbourhoods.
std::vector<std::int32_t> FirstPass::meet_by_program(const std::vector<std::int32_t>& goals) {
  if (goals.empty())
    return goals;
  if (!leaf_routes_)
    leaf_routes_ = std::make_unique<LeafRoutes>(pattern_state_);
  std::deque<std::int32_t> waiting(goals.begin(), goals.end());
  std::vector<std::int32_t> left;
  std::unordered_set<std::int32_t> hopeless;
  std::vector<Trial> batch;
  while (!waiting.empty() && !programs_.should_stop()) {
    batch.clear();
    std::vector<std::int32_t> twins;  // wait: one route may do for both directions
    while (!waiting.empty() && batch.size() < kTuning.first_pass.lp_batch) {
      const std::int32_t goal = waiting.front();
      waiting.pop_front();
      if (assignment_.shared_route_of(goal) >= 0 || assignment_.serve(goal))
        continue;
      if (hopeless.contains(assignment_.goal(goal).bundle)) {
        left.push_back(goal);
        continue;
      }
      const std::int32_t twin = assignment_.goal(goal).twin;
      if (is_among(batch, assignment_.goal(goal).bundle) ||
          std::any_of(batch.begin(), batch.end(), [&](const Trial& t) { return t.goal == twin; }))
        twins.push_back(goal);
      else
        batch.push_back({goal, false, {}, {}});
    }
    waiting.insert(waiting.begin(), twins.begin(), twins.end());
    base::share_among(sure_, lanes_.size(), batch.size(), [&](std::size_t lane, std::size_t i) {
      search_by_program(*lanes_[lane], batch[i]);
    });
    for (Trial& trial : batch) {
      if (assignment_.shared_route_of(trial.goal) >= 0 || assignment_.serve(trial.goal))
        continue;
      if (!trial.found && assignment_.goal(trial.goal).attacker == 0)
        hopeless.insert(assignment_.goal(trial.goal).bundle);
      if (trial.found)
        assignment_.add_shared_route(std::move(trial.steps));
      if (!trial.found || !assignment_.serve(trial.goal))
        left.push_back(trial.goal);
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
  const Route known = leaf_routes_->find(assignment_.goal(trial.goal)).value_or(Route{});
  const double budget = cost_of(known);
  if (known.empty() || paid <= budget)
    return;
  trial.steps = known;
  trial.found = true;
  find_by_program(lane, trial, budget, known);
}

bool FirstPass::find_by_program(Lane& lane, Trial& trial, double budget, const Route& known) {
  const RouteGoal& goal = assignment_.goal(trial.goal);
  const bool mirrored = goal.twin >= 0 && assignment_.shared_route_of(goal.twin) < 0;
  const auto find = [&](const RouteGoal& what) {
    return (mirrored && lane.program.find(what, true, budget, sure_, known)) ||
           lane.program.find(what, false, budget, sure_, known);
  };
  RouteGoal all = goal;  // of the bundle
  all.attacker = goal.joint;
  const bool for_all = goal.joint >= 0 && find(all) &&
                       start::fits(pattern_state_, lane.program.steps(), goal);
  const bool found = for_all || find(goal);
  if (found)
    trial.steps = lane.program.steps();
  return found;
}

double FirstPass::cost_of(const Route& steps) const {
  double cost = 0;
  for (const RouteStep& step : steps)
    cost += pattern_state_.place(step.cell) == CellRole::kPublished ? pattern_state_.cost(step.cell)
                                                                    : 0;
  return cost;
}

// Without a search: expensive, but quick and nearly sure.
std::vector<std::int32_t> FirstPass::meet_by_leaf_routes(const std::vector<std::int32_t>& goals) {
  if (goals.empty())
    return goals;
  if (!leaf_routes_)
    leaf_routes_ = std::make_unique<LeafRoutes>(pattern_state_);
  std::vector<std::int32_t> left;
  std::unordered_set<std::int32_t> hopeless;
  for (const std::int32_t goal : goals) {
    if (assignment_.shared_route_of(goal) >= 0 || assignment_.serve(goal))
      continue;
    std::optional<Route> steps;
    if (!sure_.should_stop() && !hopeless.contains(assignment_.goal(goal).bundle))
      steps = leaf_routes_->find(assignment_.goal(goal));
    if (!steps && assignment_.goal(goal).attacker == 0)
      hopeless.insert(assignment_.goal(goal).bundle);
    if (steps)
      assignment_.add_shared_route(*std::move(steps));
    if (!steps || !assignment_.serve(goal))
      left.push_back(goal);
  }
  if (log)
    log("without search", left.size());
  return left;
}

// A level that only very many cells together can carry: attacker LPs over all that is withheld
// and all that may be. LPs do not look at costs, so cells much larger than the level come last.
std::vector<std::int32_t> FirstPass::meet_by_lp(const std::vector<std::int32_t>& goals) {
  std::vector<Trial> trials;
  for (const std::int32_t goal : goals)
    trials.push_back({goal, false, {}, {}});
  std::vector<std::int32_t> left;
  std::unordered_set<std::int32_t> hopeless;
  for (std::size_t next = 0; next < trials.size();) {
    std::vector<Trial*> batch;
    for (; next < trials.size() && batch.size() < kTuning.first_pass.lp_batch; ++next) {
      if (assignment_.shared_route_of(trials[next].goal) >= 0 ||
          assignment_.serve(trials[next].goal))
        continue;
      const std::int32_t bundle = assignment_.goal(trials[next].goal).bundle;
      if (hopeless.contains(bundle)) {
        left.push_back(trials[next].goal);
        continue;
      }
      if (std::any_of(batch.begin(), batch.end(), [&](const Trial* other) {
            return assignment_.goal(other->goal).bundle == bundle;
          }))
        break;  // one route may do for all of a bundle
      batch.push_back(&trials[next]);
    }
    base::share_among(sure_, lanes_.size(), batch.size(), [&](std::size_t, std::size_t i) {
      search_by_lp(*batch[i]);
    });
    for (Trial* trial : batch) {
      if (assignment_.serve(trial->goal))
        continue;
      if (!trial->found && assignment_.goal(trial->goal).attacker == 0)
        hopeless.insert(assignment_.goal(trial->goal).bundle);
      if (trial->found)
        assignment_.add_shared_route(std::move(trial->steps));
      if (!trial->found || !assignment_.serve(trial->goal))
        left.push_back(trial->goal);
    }
  }
  if (log)
    log("attacker LPs", left.size());
  return left;
}

void FirstPass::search_by_lp(Trial& trial) const {
  const RouteGoal& goal = assignment_.goal(trial.goal);
  const Problem& problem = pattern_state_.problem();
  const Attacker& attacker = problem.attackers()[static_cast<std::size_t>(goal.attacker)];
  for (const Units factor : {Units{4}, Units{64}, kUnboundedAbove}) {
    if (sure_.should_stop())
      return;
    const bool all = factor == kUnboundedAbove || goal.level > kMaxUnits / factor;
    const attack::AttackView view(
        problem.table(), pattern_state_.draft_up_to(all ? factor : goal.level * factor), attacker);
    attack::Search search(view, {.engine = engine_});
    const Term cell{goal.cell, 1};
    std::optional<attack::Reach> reach =
        search.decide_nearby({&cell, 1}, goal.direction, goal.level, sure_);
    if (!reach && all)
      reach = search.decide_on_parts({&cell, 1}, goal.direction, goal.level, sure_);
    auto steps = reach && reach->witness ? route_of_displacement(*reach->witness) : std::nullopt;
    if (!steps)
      continue;
    trial.steps = *std::move(steps);
    trial.found = true;
    return;
  }
}

// The goals that are searched for at once; those that no search helps go to `left`.
std::vector<FirstPass::Trial> FirstPass::next_batch(
    std::deque<std::int32_t>& waiting,
    const std::unordered_set<std::int32_t>& hopeless,
    std::vector<std::int32_t>& left) {
  std::vector<Trial> batch;
  std::vector<std::int32_t> later;  // of bundles in the batch: one route may do for all
  while (!waiting.empty() && batch.size() < kTuning.first_pass.batch) {
    const std::int32_t goal = waiting.front();
    waiting.pop_front();
    if (is_among(batch, assignment_.goal(goal).bundle))
      later.push_back(goal);
    else if (assignment_.shared_route_of(goal) >= 0 || assignment_.serve(goal))
      continue;
    else if (hopeless.contains(assignment_.goal(goal).bundle))
      left.push_back(goal);
    else
      batch.push_back({goal, false, {}, {}});
  }
  waiting.insert(waiting.begin(), later.begin(), later.end());
  return batch;
}

// Returns the goals that are still without a shared route.
std::vector<std::int32_t> FirstPass::meet(const std::vector<std::int32_t>& goals,
                                          SearchKind kind,
                                          bool first_time) {
  std::deque<std::int32_t> waiting(goals.begin(), goals.end());
  std::vector<std::int32_t> left;
  std::vector<std::uint32_t> dirty(static_cast<std::size_t>(pattern_state_.table().num_equations()),
                                   0);
  std::size_t found = 0;
  std::unordered_set<std::int32_t> hopeless;  // bundles: not even the outsider has a route
  const RunContext& run =
      kind == SearchKind::kFirst ? first_ : (kind <= SearchKind::kAlone ? searches_ : sure_);
  for (std::uint32_t round = 1; !waiting.empty() && !run.should_stop(); ++round) {
    // A way of searching that finds nothing in this table is left for the next; not the first,
    // because the largest levels come first and they are the hardest.
    const bool may_leave = kind > SearchKind::kFirst && kind < SearchKind::kLast;
    if (found == 0 && left.size() >= kTuning.first_pass.batch && may_leave)
      break;
    // Once the last way has found something, the quicker ones may do.
    if (first_time && found > 0 && kind == SearchKind::kLast)
      break;
    std::vector<Trial> batch = next_batch(waiting, hopeless, left);
    base::share_among(sure_, lanes_.size(), batch.size(), [&](std::size_t lane, std::size_t i) {
      search(*lanes_[lane], kind, batch[i]);
    });
    std::vector<std::int32_t> again;
    for (Trial& trial : batch) {
      if (assignment_.shared_route_of(trial.goal) >= 0 || assignment_.serve(trial.goal))
        continue;
      if (!trial.found) {
        left.push_back(trial.goal);
        if (assignment_.goal(trial.goal).attacker == 0)
          hopeless.insert(assignment_.goal(trial.goal).bundle);
      } else if (is_stale(trial, dirty, round)) {
        again.push_back(trial.goal);
      } else {
        ++found;
        accept(trial, dirty, round);
        if (!assignment_.serve(trial.goal))
          left.push_back(trial.goal);
      }
    }
    waiting.insert(waiting.begin(), again.begin(), again.end());
    if (on_progress)
      on_progress(1 - static_cast<double>(waiting.size()) / static_cast<double>(goals.size()));
  }
  left.insert(left.end(), waiting.begin(), waiting.end());
  if (log)
    log("searches of kind " + std::to_string(static_cast<int>(kind)), left.size());
  return left;
}

bool FirstPass::is_among(const std::vector<Trial>& batch, std::int32_t bundle) const {
  return std::any_of(batch.begin(), batch.end(), [&](const Trial& trial) {
    return assignment_.goal(trial.goal).bundle == bundle;
  });
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
    if (pattern_state_.place(step.cell) != CellRole::kPublished)
      continue;
    for (const Incidence& incidence : pattern_state_.table().equations_of(step.cell))
      dirty[static_cast<std::size_t>(incidence.equation.value)] = round;
  }
  assignment_.add_shared_route(std::move(trial.steps));
}

void FirstPass::search(Lane& lane, SearchKind kind, Trial& trial) {
  lane.overlay.clear();
  const RouteGoal& goal = assignment_.goal(trial.goal);
  const bool mirrored = goal.twin >= 0 && assignment_.shared_route_of(goal.twin) < 0;
  if (kind == SearchKind::kFirst) {
    const bool path = paths_ && search_path(lane, trial, mirrored);
    if ((path && cost_of(trial.steps) == 0) || search_flow(lane, trial, mirrored) || path)
      return;
  }
  trial.found = lane.find(goal, mirrored, std::numeric_limits<double>::infinity(), kind);
  if (trial.found)
    trial.steps = lane.router.steps();
  lane.router.append_touched(trial.touched);
}

// Over withheld cells alone.
bool FirstPass::search_flow(Lane& lane, Trial& trial, bool mirrored) const {
  if (!network_)
    return false;
  if (!lane.flows)
    lane.flows = std::make_unique<FlowRoutes>(pattern_state_, network_);
  std::optional<Route> steps = lane.flows->find(assignment_.goal(trial.goal), mirrored);
  if (!steps)
    return false;
  trial.found = true;
  trial.steps = *std::move(steps);
  trial.touched.clear();
  return true;
}

// Over withheld cells alone there is nothing better, whatever others have withheld meanwhile.
bool FirstPass::search_path(Lane& lane, Trial& trial, bool mirrored) const {
  const RouteGoal& goal = assignment_.goal(trial.goal);
  const double share = kTuning.searches.of(SearchKind::kFirst).share;
  const auto find = [&](const RouteGoal& what) {
    return (mirrored && lane.paths.find(what, true, share)) || lane.paths.find(what, false, share);
  };
  RouteGoal all = goal;  // of the bundle
  all.attacker = goal.joint;
  trial.found = (goal.joint >= 0 && find(all)) || find(goal);
  if (!trial.found)
    return false;
  trial.steps = lane.paths.steps();
  if (cost_of(trial.steps) > 0)
    lane.paths.append_touched(trial.touched);
  return true;
}

}  // namespace lacuna::start
