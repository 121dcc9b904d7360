// SPDX-License-Identifier: Apache-2.0
#include "protect/start/route_assignment.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "core/base/check.h"
#include "core/base/rational.h"

namespace lacuna::start {
namespace {

// Raises the two levels until they add up to the sliding one, evenly as far as the slacks allow.
void share_sliding(const attack::Slack& slack, Units sliding, Units& lower, Units& upper) {
  const Wide missing = Wide{sliding} - lower - upper;
  if (missing <= 0)
    return;
  const auto spare = [](Units side, Units level) {
    return side == kUnboundedAbove ? Wide{kMaxUnits} - level : Wide{side} - level;
  };
  const Wide above = std::min(spare(slack.up, upper), (missing + 1) / 2);
  const Wide below = std::min(spare(slack.down, lower), missing - above);
  const Wide rest = std::min(spare(slack.up, upper), missing - below);
  upper += static_cast<Units>(rest);
  lower += static_cast<Units>(below);
}

void number_bundles(std::vector<RouteGoal>& goals) {
  std::map<std::tuple<CellId, Direction, Units>, std::int32_t> numbers;
  for (RouteGoal& goal : goals) {
    const auto next = static_cast<std::int32_t>(numbers.size());
    goal.bundle =
        numbers.emplace(std::tuple(goal.cell, goal.direction, goal.level), next).first->second;
  }
}

}  // namespace

std::vector<RouteGoal> list_goals(const PatternState& pattern_state) {
  std::vector<RouteGoal> goals;
  const auto& requirements = pattern_state.problem().requirements();
  for (std::size_t i = 0; i < requirements.size(); ++i) {
    const Requirement& asked = requirements[i];
    Units lower = asked.lower;
    Units upper = asked.upper;
    share_sliding(pattern_state.slack(asked.cell, asked.attacker), asked.sliding, lower, upper);
    const auto index = static_cast<std::int32_t>(i);
    if (upper > 0)
      goals.push_back({asked.cell, Direction::kHigh, upper, asked.attacker, index, -1});
    if (lower > 0)
      goals.push_back({asked.cell, Direction::kLow, lower, asked.attacker, index, -1});
  }
  const auto level = [&](const RouteGoal& goal) { return goal.level; };
  std::vector<Units> largest(requirements.size(), 0);
  for (const RouteGoal& goal : goals) {
    Units& most = largest[static_cast<std::size_t>(goal.requirement)];
    most = std::max(most, level(goal));
  }
  std::stable_sort(goals.begin(), goals.end(), [&](const RouteGoal& a, const RouteGoal& b) {
    if (a.requirement == b.requirement)
      return a.level > b.level;
    const Units la = largest[static_cast<std::size_t>(a.requirement)];
    const Units lb = largest[static_cast<std::size_t>(b.requirement)];
    return la != lb ? la > lb : a.requirement < b.requirement;
  });
  for (std::size_t i = 1; i < goals.size(); ++i) {
    if (goals[i].requirement != goals[i - 1].requirement)
      continue;
    goals[i].twin = static_cast<std::int32_t>(i - 1);
    goals[i - 1].twin = static_cast<std::int32_t>(i);
  }
  number_bundles(goals);
  return goals;
}

std::optional<Route> route_of_displacement(const Displacement& displacement) {
  constexpr std::size_t kMaxBits = 60;
  Route steps;
  for (std::size_t i = 0; i < displacement.cells.size(); ++i) {
    const Integer& move = displacement.moves[i];
    if (mpz_sizeinbase(base::gmp(move).get_mpz_t(), 2) > kMaxBits)
      return std::nullopt;
    if (move != 0)
      steps.push_back({displacement.cells[i], base::to_units(move)});
  }
  return steps;
}

RouteAssignment::RouteAssignment(PatternState& pattern_state, std::vector<RouteGoal> goals)
    : pattern_state_(pattern_state),
      goals_(std::move(goals)),
      used_(goals_.size(), -1),
      through_(static_cast<std::size_t>(pattern_state.table().num_cells())),
      uses_(static_cast<std::size_t>(pattern_state.table().num_cells()), 0) {}

bool fits(const PatternState& pattern_state, const Route& steps, const RouteGoal& goal) {
  const Units own = move_of(steps, goal.cell);
  if (own == 0)
    return false;
  const int turn = (own > 0 ? 1 : -1) * sign(goal.direction);
  const Wide size = own > 0 ? Wide{own} : -Wide{own};
  for (const RouteStep& step : steps) {
    const attack::Slack slack = pattern_state.slack(step.cell, goal.attacker);
    const Units side = slack.toward(step.move > 0 ? turn : -turn);
    if (side == kUnboundedAbove)
      continue;
    const Wide move = step.move > 0 ? Wide{step.move} : -Wide{step.move};
    if (move * goal.level > Wide{side} * size)
      return false;
  }
  return true;
}

std::int32_t RouteAssignment::add_shared_route(Route steps) {
  std::int32_t index = static_cast<std::int32_t>(shared_routes_.size());
  if (!spare_.empty()) {
    index = spare_.back();
    spare_.pop_back();
  } else {
    shared_routes_.emplace_back();
  }
  SharedRoute& shared_route = shared_routes_[static_cast<std::size_t>(index)];
  shared_route.steps = std::move(steps);
  shared_route.users.clear();
  shared_route.alive = true;
  for (const RouteStep& step : shared_route.steps) {
    through_[static_cast<std::size_t>(step.cell.value)].push_back(index);
    if (pattern_state_.place(step.cell) == CellRole::kPublished)
      withhold(step.cell);
  }
  return index;
}

void RouteAssignment::withhold(CellId cell) {
  LACUNA_CHECK(pattern_state_.place(cell) == CellRole::kPublished);
  pattern_state_.withhold(cell);
  changes_.push_back(cell);
  idle_.push_back(cell);  // until something uses it
}

void RouteAssignment::assign(std::int32_t goal, std::int32_t index) {
  LACUNA_CHECK(used_[static_cast<std::size_t>(goal)] < 0);
  SharedRoute& shared_route = shared_routes_[static_cast<std::size_t>(index)];
  LACUNA_CHECK(shared_route.alive);
  used_[static_cast<std::size_t>(goal)] = index;
  shared_route.users.push_back(goal);
  if (shared_route.users.size() > 1)
    return;
  for (const RouteStep& step : shared_route.steps)
    ++uses_[static_cast<std::size_t>(step.cell.value)];
}

void RouteAssignment::unassign(std::int32_t goal) {
  std::int32_t& index = used_[static_cast<std::size_t>(goal)];
  LACUNA_CHECK(index >= 0);
  SharedRoute& shared_route = shared_routes_[static_cast<std::size_t>(index)];
  index = -1;
  std::erase(shared_route.users, goal);
  release_if_unused(shared_route);
}

void RouteAssignment::unassign_all(const std::vector<std::int32_t>& goals) {
  std::vector<std::int32_t> routes;
  for (const std::int32_t goal : goals) {
    std::int32_t& index = used_[static_cast<std::size_t>(goal)];
    LACUNA_CHECK(index >= 0);
    routes.push_back(index);
    index = -1;
  }
  std::sort(routes.begin(), routes.end());
  routes.erase(std::unique(routes.begin(), routes.end()), routes.end());
  for (const std::int32_t index : routes) {
    SharedRoute& shared_route = shared_routes_[static_cast<std::size_t>(index)];
    std::erase_if(shared_route.users, [&](std::int32_t goal) {
      return std::binary_search(goals.begin(), goals.end(), goal);
    });
    release_if_unused(shared_route);
  }
}

void RouteAssignment::release_if_unused(const SharedRoute& shared_route) {
  if (!shared_route.users.empty())
    return;
  for (const RouteStep& step : shared_route.steps) {
    if (--uses_[static_cast<std::size_t>(step.cell.value)] == 0 &&
        !pattern_state_.permanent(step.cell))
      idle_.push_back(step.cell);
  }
}

std::vector<CellId> RouteAssignment::idle() {
  std::vector<CellId> cells;
  std::sort(idle_.begin(), idle_.end());
  idle_.erase(std::unique(idle_.begin(), idle_.end()), idle_.end());
  for (const CellId cell : idle_) {
    if (uses(cell) == 0 && pattern_state_.place(cell) == CellRole::kWithheld &&
        !pattern_state_.permanent(cell))
      cells.push_back(cell);
  }
  idle_.clear();
  return cells;
}

void RouteAssignment::publish(CellId cell) {
  LACUNA_CHECK(uses(cell) == 0 && !pattern_state_.permanent(cell));
  pattern_state_.publish(cell);
  changes_.push_back(cell);
  auto& list = through_[static_cast<std::size_t>(cell.value)];
  for (const std::int32_t index : list) {
    SharedRoute& shared_route = shared_routes_[static_cast<std::size_t>(index)];
    LACUNA_CHECK(shared_route.users.empty());
    shared_route.alive = false;
  }
}

void RouteAssignment::forget_dead() {
  for (auto& list : through_) {
    std::erase_if(list, [&](std::int32_t index) {
      return !shared_routes_[static_cast<std::size_t>(index)].alive;
    });
  }
  spare_.clear();
  for (std::size_t s = shared_routes_.size(); s-- > 0;) {
    if (shared_routes_[s].alive)
      continue;
    shared_routes_[s].steps = Route{};
    spare_.push_back(static_cast<std::int32_t>(s));
  }
}

std::vector<Displacement> RouteAssignment::displacements() const {
  std::vector<Displacement> result;
  for (const SharedRoute& shared_route : shared_routes_) {
    for (const int turn : {1, -1}) {
      // The factor level / |move of the user's cell| that reaches all users of this sign.
      Wide level = 0;
      Wide size = 1;
      for (const std::int32_t user : shared_route.users) {
        const RouteGoal& goal = this->goal(user);
        const Units own = move_of(shared_route.steps, goal.cell);
        if ((own > 0 ? 1 : -1) * sign(goal.direction) != turn)
          continue;
        const Wide own_size = own > 0 ? own : -own;
        if (Wide{goal.level} * size > level * own_size) {
          level = goal.level;
          size = own_size;
        }
      }
      if (level == 0)
        continue;
      const Wide divisor = base::gcd(level, size);
      level /= divisor;
      size /= divisor;
      Displacement displacement;
      displacement.denominator = base::to_integer(size);
      for (const RouteStep& step : shared_route.steps) {
        displacement.cells.push_back(step.cell);
        displacement.moves.push_back(base::to_integer(Wide{step.move} * turn) *
                                     base::to_integer(level));
      }
      result.push_back(std::move(displacement));
    }
  }
  return result;
}

}  // namespace lacuna::start
