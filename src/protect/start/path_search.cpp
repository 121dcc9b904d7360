// SPDX-License-Identifier: Apache-2.0
#include "protect/start/path_search.h"

#include <algorithm>
#include <limits>

#include "core/base/index.h"
#include "core/base/work.h"

namespace lacuna::start {
namespace {

constexpr std::size_t kLook = 6;  // nanoseconds per cell that is looked at

}  // namespace

bool PathSearch::suits(const PatternState& pattern_state) {
  const Table& table = pattern_state.table();
  for (std::int32_t c = 0; c < table.num_cells(); ++c) {
    const auto equations = table.equations_of(CellId{c});
    if (equations.size() > 2 ||
        std::any_of(equations.begin(), equations.end(), [](const Incidence& incidence) {
          return incidence.coefficient != 1 && incidence.coefficient != -1;
        }))
      return false;
  }
  return true;
}

bool PathSearch::has_slack(CellId cell, int direction) const {
  const attack::Slack slack = pattern_state_.slack(cell, goal_.attacker);
  return slack.toward(direction) >= goal_.level &&
         (!mirrored_ || slack.toward(-direction) >= goal_.level);
}

double PathSearch::charge(CellId cell) const {
  return overlay_.place(pattern_state_, cell) == CellRole::kWithheld
             ? step_
             : step_ + pattern_state_.cost(cell);
}

// As in the router: without a price the search would look at all that is withheld before it pays
// for the first open cell.
void PathSearch::set_step(double share) {
  double cheapest = std::numeric_limits<double>::infinity();
  for (const Incidence& incidence : pattern_state_.table().equations_of(goal_.cell)) {
    const auto terms = pattern_state_.table().equation(incidence.equation);
    base::count_work(kLook * terms.size());
    for (const Term& term : terms) {
      if (overlay_.place(pattern_state_, term.cell) == CellRole::kPublished &&
          has_slack(term.cell, 1))
        cheapest = std::min(cheapest, pattern_state_.cost(term.cell));
    }
  }
  step_ = pattern_state_.least_cost();
  if (cheapest < std::numeric_limits<double>::infinity())
    step_ = std::max(step_, share * cheapest);
}

void PathSearch::begin() {
  if (states_.empty())
    states_.resize(base::at(2 * ground() + 1));
  for (const std::int32_t state : reached_)
    states_[base::at(state)] = State{};
  reached_.clear();
  heap_.clear();
  steps_.clear();
}

bool PathSearch::find(const RouteGoal& goal, bool mirrored, double share) {
  goal_ = goal;
  mirrored_ = mirrored;
  begin();
  const int own = sign(goal.direction);
  const auto ends = pattern_state_.table().equations_of(goal.cell);
  if (ends.empty() || !has_slack(goal.cell, own))
    return false;
  set_step(share);
  const std::int32_t target = ends.size() == 1
                                  ? state_of(ground(), 1)
                                  : state_of(ends[1].equation.value, -ends[1].coefficient * own);
  reach(state_of(ends[0].equation.value, ends[0].coefficient * own), 0, goal.cell, -1);
  while (!heap_.empty()) {
    std::pop_heap(heap_.begin(), heap_.end());
    const Waiting next = heap_.back();
    heap_.pop_back();
    State& state = states_[base::at(next.state)];
    // Every other way to the goal takes at least a step from here.
    if (states_[base::at(target)].known && states_[base::at(target)].cost <= next.cost + step_)
      return collect(target);
    if (state.done)
      continue;
    state.done = true;
    scan(next.state);
  }
  return states_[base::at(target)].known && collect(target);
}

void PathSearch::reach(std::int32_t index, double cost, CellId by, std::int32_t from) {
  State& state = states_[base::at(index)];
  if (state.known && state.cost <= cost)
    return;
  if (!state.known)
    reached_.push_back(index);
  state = {cost, by, from, true, false};
  heap_.push_back({cost, index});
  std::push_heap(heap_.begin(), heap_.end());
}

void PathSearch::scan(std::int32_t index) {
  const std::int32_t node = index / 2;
  if (node == ground())  // a way ends there, none goes on
    return;
  const double cost = states_[base::at(index)].cost;
  const Table& table = pattern_state_.table();
  const int excess = index % 2 == 1 ? 1 : -1;
  const auto terms = table.equation(EquationId{node});
  base::count_work(kLook * terms.size());
  for (const Term& term : terms) {
    const int move = -excess * term.coefficient;
    if (term.cell == goal_.cell || term.cell == states_[base::at(index)].by ||
        overlay_.place(pattern_state_, term.cell) == CellRole::kNever ||
        !has_slack(term.cell, move))
      continue;
    const auto ends = table.equations_of(term.cell);
    std::int32_t next = state_of(ground(), 1);
    if (ends.size() == 2) {
      const Incidence& other = ends[ends[0].equation.value == node ? 1 : 0];
      next = state_of(other.equation.value, other.coefficient * move);
    }
    reach(next, cost + charge(term.cell), term.cell, index);
  }
}

// False if a cell comes twice.
bool PathSearch::collect(std::int32_t index) {
  const Units level = goal_.level;
  steps_.push_back({goal_.cell, level * sign(goal_.direction)});
  for (; states_[base::at(index)].from >= 0; index = states_[base::at(index)].from) {
    const State& state = states_[base::at(index)];
    const int excess = state.from % 2 == 1 ? 1 : -1;
    for (const Incidence& incidence : pattern_state_.table().equations_of(state.by)) {
      if (incidence.equation.value == state.from / 2) {
        steps_.push_back({state.by, -excess * incidence.coefficient * level});
        break;
      }
    }
  }
  std::sort(steps_.begin(), steps_.end(), [](const RouteStep& a, const RouteStep& b) {
    return a.cell < b.cell;
  });
  return std::adjacent_find(
             steps_.begin(), steps_.end(), [](const RouteStep& a, const RouteStep& b) {
               return a.cell == b.cell;
             }) == steps_.end();
}

void PathSearch::append_touched(std::vector<EquationId>& equations) const {
  for (const std::int32_t state : reached_) {
    if (states_[base::at(state)].done && state / 2 != ground())
      equations.push_back(EquationId{state / 2});
  }
}

}  // namespace lacuna::start
