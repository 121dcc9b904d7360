// SPDX-License-Identifier: Apache-2.0
// What one thread searches routes with, on an overlay of its own.
#pragma once

#include <cstdint>
#include <string>

#include "lacuna/run_context.h"
#include "protect/start/path_search.h"
#include "protect/start/pattern_state.h"
#include "protect/start/program.h"
#include "protect/start/route.h"
#include "protect/start/route_assignment.h"
#include "protect/start/tuning.h"

namespace lacuna::start {

struct Lane {
  Lane(const RouteAssignment& assignment, const RunContext& run, const std::string& engine)
      : overlay(assignment.pattern_state().table().num_cells()),
        router(assignment.pattern_state(), overlay, RouteOptions{}, &run),
        program(assignment.pattern_state(), overlay, engine),
        paths(assignment.pattern_state(), overlay) {}

  // A route for the goal; if `mirrored`, one that serves the other direction too is tried first.
  bool find(const RouteGoal& goal, bool mirrored, double budget, SearchKind kind);

  Overlay overlay;
  Router router;
  ProgramRouter program;
  PathSearch paths;
  std::int64_t searches = 0;
};

}  // namespace lacuna::start
