// SPDX-License-Identifier: Apache-2.0
// Who relies on what. A goal is one direction of one requirement; a shared route is a displacement
// up to a positive or negative factor; a goal that is met points to the shared route that serves
// it, scaled so that its cell moves by exactly its level. A withheld cell is kept by the shared
// routes in use through it, and the pattern is safe as long as every goal has a shared route over
// withheld cells within the slacks: all in integers.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "lacuna/evidence.h"
#include "protect/start/pattern_state.h"
#include "protect/start/route.h"
#include "protect/start/tuning.h"

namespace lacuna::start {

struct RouteGoal {
  CellId cell;
  Direction direction = Direction::kHigh;
  Units level = 0;  // > 0
  std::int32_t attacker = 0;
  std::int32_t requirement = -1;
  std::int32_t twin = -1;    // the goal of the other direction, -1 if there is none
  std::int32_t bundle = -1;  // goals of the same cell, direction and level have the same
  std::int32_t joint = -1;   // the attacker of them all (joint_slacks.h), -1 if there is none
};

// The goals of a problem by falling level. A sliding level that asks for more than the two others
// together is shared out between the directions as the slacks allow.
std::vector<RouteGoal> list_goals(const PatternState& pattern_state);

// Within the attacker's slacks, scaled to the goal's level? Cells need not be withheld.
bool fits(const PatternState& pattern_state, const Route& steps, const RouteGoal& goal);

struct SharedRoute {
  Route steps;
  std::vector<std::int32_t> users;  // goals
  bool alive = true;                // all its cells are withheld
};

class RouteAssignment {
 public:
  RouteAssignment(PatternState& pattern_state, std::vector<RouteGoal> goals);

  PatternState& pattern_state() { return pattern_state_; }
  const PatternState& pattern_state() const { return pattern_state_; }
  const std::vector<RouteGoal>& goals() const { return goals_; }
  const RouteGoal& goal(std::int32_t index) const {
    return goals_[static_cast<std::size_t>(index)];
  }
  std::int32_t shared_route_of(std::int32_t goal) const {
    return used_[static_cast<std::size_t>(goal)];
  }
  const SharedRoute& shared_route(std::int32_t index) const {
    return shared_routes_[static_cast<std::size_t>(index)];
  }
  // Shared routes through a cell, the dead ones perhaps included.
  std::span<const std::int32_t> through(CellId cell) const {
    return through_[static_cast<std::size_t>(cell.value)];
  }
  std::int32_t uses(CellId cell) const { return uses_[static_cast<std::size_t>(cell.value)]; }

  bool fits(const Route& steps, const RouteGoal& goal) const {
    return start::fits(pattern_state_, steps, goal);
  }
  // A living shared route that serves the goal, -1 if there is none. `allowed` may refuse shared
  // routes.
  template <class Allowed>
  std::int32_t serving(std::int32_t goal,
                       Allowed&& allowed,
                       std::int32_t most = kTuning.assignment.candidates) const {
    const auto& list = through(goals_[static_cast<std::size_t>(goal)].cell);
    std::int32_t candidates = 0;
    for (std::size_t i = list.size(); i-- > 0 && candidates < most;) {
      const SharedRoute& shared_route = shared_routes_[static_cast<std::size_t>(list[i])];
      if (!shared_route.alive)
        continue;
      ++candidates;
      if (allowed(shared_route) && fits(shared_route.steps, goals_[static_cast<std::size_t>(goal)]))
        return list[i];
    }
    return -1;
  }

  // Lets a shared route that is there serve the goal; false if there is none.
  bool serve(std::int32_t goal, std::int32_t most = kTuning.assignment.candidates) {
    const std::int32_t shared_route = serving(
        goal, [](const SharedRoute&) { return true; }, most);
    if (shared_route >= 0)
      assign(goal, shared_route);
    return shared_route >= 0;
  }
  std::int32_t add_shared_route(Route steps);  // its cells are withheld if they are not
  void assign(std::int32_t goal, std::int32_t shared_route);
  void unassign(std::int32_t goal);
  void unassign_all(const std::vector<std::int32_t>& goals);  // ascending
  // Publishes the cell again: nothing may use it.
  void publish(CellId cell);
  void withhold(CellId cell);
  // Cells that lost their last use since the last call and may be published.
  std::vector<CellId> idle();
  // Cells that were withheld or published since the last call.
  std::vector<CellId> changes() { return std::exchange(changes_, {}); }
  void forget_dead();  // shared routes nobody uses and whose cells are published

  // For every shared route in use, scaled to the farthest of its users, one displacement per sign.
  std::vector<Displacement> displacements() const;

 private:
  void release_if_unused(const SharedRoute& shared_route);

  PatternState& pattern_state_;
  std::vector<RouteGoal> goals_;
  std::vector<std::int32_t> used_;
  std::vector<SharedRoute> shared_routes_;
  std::vector<std::int32_t> spare_;  // indices of shared routes that may be overwritten
  std::vector<std::vector<std::int32_t>> through_;
  std::vector<std::int32_t> uses_;  // shared routes in use through a cell
  std::vector<CellId> idle_, changes_;
};

// Nothing if the moves are too long for 60 bits.
std::optional<Route> route_of_displacement(const Displacement& displacement);

}  // namespace lacuna::start
