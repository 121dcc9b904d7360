// SPDX-License-Identifier: Apache-2.0
// One exchange: some shared routes are given up together with the cells that only they needed, and
// the goals behind them are routed anew with every such cell at its price. Either all shared routes
// through one withheld cell, which is banned; or all shared routes around a cell, in another order
// and with prices slightly changed. Or the shared routes through a cell stay as they are but for a
// detour around it: a route that takes back what the cell moved, in the slack that the shared route
// leaves. A detour is a matter of the cell's surroundings even where the shared route has hundreds
// of cells and no search finds another, and most are over cells that are withheld already.
// Planned on a state that does not change, carried out on the state as it is by then, and kept only
// if it saves there.
#pragma once

#include <vector>

#include "protect/start/lane.h"
#include "protect/start/route.h"
#include "protect/start/route_assignment.h"

namespace lacuna::start {

enum class ExchangeKind : std::uint8_t {
  kThrough,  // all shared routes through the cell, which is banned
  kDetour,   // the same, but they only go round it
  kAround    // all shared routes around the cell
};

// Which displacement serves a goal after the exchange: one of the two, the other is -1.
struct ServedBy {
  std::int32_t shared_route = -1;  // of the assignment
  std::int32_t route = -1;         // of the exchange
};

struct Exchange {
  CellId cell;  // to be published again, or in the middle
  ExchangeKind kind = ExchangeKind::kThrough;
  std::uint64_t salt = 0;  // changes order and prices
  bool thorough = false;   // worth a longer search, and
  bool decisive = false;   // worth every kind of search
  // The plan:
  bool found = false;               // it seems to save
  std::vector<std::int32_t> goals;  // that are routed anew, ascending, and
  std::vector<ServedBy> served_by;  // what serves each of them then
  std::vector<Route> routes;        // new ones
  std::vector<EquationId> touched;  // equations the searches looked at
};

void plan_exchange(const RouteAssignment& assignment, Lane& lane, Exchange& exchange);

// True if it saved; else the assignment is as it was.
bool carry_out(RouteAssignment& assignment, const Exchange& exchange);

}  // namespace lacuna::start
