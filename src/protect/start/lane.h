// SPDX-License-Identifier: Apache-2.0
// What one thread searches routes with, on an overlay of its own.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "lacuna/run_context.h"
#include "protect/start/flow_routes.h"
#include "protect/start/path_search.h"
#include "protect/start/pattern_state.h"
#include "protect/start/program.h"
#include "protect/start/route.h"
#include "protect/start/route_assignment.h"
#include "protect/start/tuning.h"

namespace lacuna::start {

struct Lane {
  Lane(const RouteAssignment& assignment, const RunContext& run, const std::string& engine)
      : pattern_state(assignment.pattern_state()),
        overlay(assignment.pattern_state().table().num_cells()),
        router(assignment.pattern_state(), overlay, RouteOptions{}, &run),
        program(assignment.pattern_state(), overlay, engine),
        paths(assignment.pattern_state(), overlay) {}

  // A route for the goal, if possible for all of its bundle; if `mirrored`, one that serves the
  // other direction too is tried first.
  bool find(const RouteGoal& goal, bool mirrored, double budget, SearchKind kind);

  const PatternState& pattern_state;
  Overlay overlay;
  Router router;
  ProgramRouter program;
  PathSearch paths;
  std::unique_ptr<FlowRoutes> flows;  // made when it is needed
  std::int64_t searches = 0;

 private:
  bool find_for(const RouteGoal& goal,
                std::int32_t attacker,
                bool mirrored,
                double budget,
                SearchKind kind);
};

}  // namespace lacuna::start
