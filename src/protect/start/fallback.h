// SPDX-License-Identifier: Apache-2.0
// A safe pattern at once, to be used if time or work run out before a better one is complete: every
// goal gets a route without a search (leaf_routes.h), on a pattern state of its own. It is
// expensive, but a goal that a better pattern leaves open can be met by its route whenever that is
// asked for.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lacuna/run_context.h"
#include "protect/start/leaf_routes.h"
#include "protect/start/pattern_state.h"
#include "protect/start/route_assignment.h"

namespace lacuna::start {

class Fallback {
 public:
  // Begins with what `pattern state` withholds.
  Fallback(const PatternState& pattern_state,
           const std::vector<RouteGoal>& goals,
           std::string engine)
      : pattern_state_(pattern_state),
        assignment_(pattern_state_, goals),
        leaf_routes_(pattern_state_),
        engine_(std::move(engine)) {}

  // What `known` uses serves first. Only brakes from outside end it early.
  void make(const RouteAssignment& known, const RunContext& run);
  bool complete() const { return open_ == 0; }
  Draft draft() const { return pattern_state_.draft(); }
  double cost() const { return pattern_state_.total_cost(); }
  std::vector<Displacement> displacements() const { return assignment_.displacements(); }
  // The route of a goal, null if there is none.
  const Route* route_of(std::int32_t goal) const {
    const std::int32_t shared_route = assignment_.shared_route_of(goal);
    return shared_route < 0 ? nullptr : &assignment_.shared_route(shared_route).steps;
  }

 private:
  void take(const RouteAssignment& known);
  // Returns the goals that are still open.
  std::vector<std::int32_t> meet(const std::vector<std::int32_t>& goals,
                                 LeafRoutes::Care care,
                                 const RunContext& run);
  static RunContext with_work_for_searches(const RunContext& run);
  std::vector<std::int32_t> meet_by_search(const std::vector<std::int32_t>& goals,
                                           const RunContext& run);
  void merge(std::int32_t goal, std::optional<Route> route, std::vector<std::int32_t>& open);

  PatternState pattern_state_;
  RouteAssignment assignment_;
  LeafRoutes leaf_routes_;
  std::string engine_;  // of LPs
  std::size_t open_ = 0;
};

}  // namespace lacuna::start
