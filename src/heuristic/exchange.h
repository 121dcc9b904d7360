// SPDX-License-Identifier: Apache-2.0
// One exchange: a withheld cell is banned, the shapes through it are given up together with the
// cells that only they needed, and the needs behind them are routed anew with every such cell at
// its price. Planned on a state that does not change, carried out on the state as it is by then,
// and kept only if it saves there.
#pragma once

#include <vector>

#include "heuristic/board.h"
#include "heuristic/ledger.h"
#include "heuristic/route.h"

namespace lacuna {

// What one thread works with.
struct Lane {
  Lane(const Ledger& ledger, const RunContext& run)
      : overlay(ledger.board().table().num_cells()),
        router(ledger.board(), overlay, RouteOptions{}, &run) {}

  // A route for the need; if `mirrored`, one that serves the other direction too is tried first.
  // What it cannot find within a few steps is given up, unless `insist`.
  bool find(const Need& need, bool mirrored, double budget, bool insist);

  Overlay overlay;
  Router router;
  std::int64_t searches = 0;
};

struct Exchange {
  CellId cell;                       // to be published again
  bool found = false;                // the plan seems to save
  std::vector<std::int32_t> needs;   // that are routed anew, and
  std::vector<std::int32_t> shapes;  // for each: a shape of the ledger, or -1 - index of a route
  std::vector<Steps> routes;
};

void plan_exchange(const Ledger& ledger, Lane& lane, Exchange& exchange);

// True if it saved; else the ledger is as it was.
bool carry_out(Ledger& ledger, const Exchange& exchange);

}  // namespace lacuna
