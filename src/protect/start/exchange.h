// SPDX-License-Identifier: Apache-2.0
// One exchange: some shared routes are given up together with the cells that only they needed, and
// the goals behind them are routed anew with every such cell at its price. Either all shared routes
// through one withheld cell, which is banned; or all shared routes around a cell, in another order
// and with prices slightly changed. Or the shared routes through a cell stay as they are but for a
// detour around it: a route that takes back what the cell moved, in the slack that the shared route
// leaves. A detour is a matter of the cell's surroundings even where the shared route has hundreds
// of cells and no search finds another, and most are over cells that are withheld already. Or a few
// shared routes that carry much of the cost are routed anew by one program (joint_program.h).
// Planned on a state that does not change, carried out on the state as it is by then, and kept only
// if it saves there.
#pragma once

#include <vector>

#include "protect/start/joint_program.h"
#include "protect/start/path_search.h"
#include "protect/start/pattern_state.h"
#include "protect/start/program.h"
#include "protect/start/route.h"
#include "protect/start/route_assignment.h"

namespace lacuna::start {

// What one thread works with.
struct Lane {
  Lane(const RouteAssignment& assignment, const RunContext& run, const std::string& engine)
      : overlay(assignment.pattern_state().table().num_cells()),
        router(assignment.pattern_state(), overlay, RouteOptions{}, &run),
        program(assignment.pattern_state(), overlay, engine),
        joint(assignment.pattern_state(), overlay, engine),
        paths(assignment.pattern_state(), overlay) {}

  // How hard to look: briefly, inside an exchange; and ways that rather find something.
  static constexpr std::size_t kBriefly = 0, kFirst = 1, kThorough = 3, kAlone = 4, kLast = 7;
  // A route for the goal; if `mirrored`, one that serves the other direction too is tried first.
  bool find(const RouteGoal& goal, bool mirrored, double budget, std::size_t effort);

  Overlay overlay;
  Router router;
  ProgramRouter program;
  JointProgram joint;
  PathSearch paths;
  std::int64_t searches = 0;
};

enum class ExchangeKind : std::uint8_t {
  kThrough,  // all shared routes through the cell, which is banned
  kDetour,   // the same, but they only go round it
  kAround,   // all shared routes around the cell
  kTogether  // the shared routes of a group, by one program
};

struct Exchange {
  CellId cell;  // to be published again, or in the middle
  ExchangeKind kind = ExchangeKind::kThrough;
  std::uint64_t salt = 0;  // changes order and prices
  bool thorough = false;   // worth a longer search, and
  bool decisive = false;   // worth every kind of search
  bool found = false;      // the plan seems to save
  std::vector<std::int32_t>
      group;  // of shared routes that are routed together (expensive_groups.h), ascending
  std::vector<std::int32_t> goals;  // that are routed anew, and
  std::vector<std::int32_t>
      shared_routes;  // for each: a shared route of the assignment, or -1 - index of a route
  std::vector<Route> routes;
  std::vector<EquationId> touched;  // equations the searches looked at
};

void plan_exchange(const RouteAssignment& assignment, Lane& lane, Exchange& exchange);
// Of a group; `run` limits the program.
void plan_together(const RouteAssignment& assignment,
                   Lane& lane,
                   Exchange& exchange,
                   const RunContext& run);

// True if it saved; else the assignment is as it was.
bool carry_out(RouteAssignment& assignment, const Exchange& exchange);

}  // namespace lacuna::start
