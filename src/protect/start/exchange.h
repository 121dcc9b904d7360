// SPDX-License-Identifier: Apache-2.0
// One exchange: some shapes are given up together with the cells that only they needed, and the
// needs behind them are routed anew with every such cell at its price. Either all shapes through
// one withheld cell, which is banned; or all shapes around a cell, in another order and with
// prices slightly changed. Or the shapes through a cell stay as they are but for a detour around
// it: a route that takes back what the cell moved, in the room that the shape leaves. A detour is
// a matter of the cell's surroundings even where the shape has hundreds of cells and no search
// finds another, and most are over cells that are withheld already. Or a few shapes that carry much
// of the cost are routed anew by one program (joint_program.h). Planned on a state that does not
// change, carried out on the state as it is by then, and kept only if it saves there.
#pragma once

#include <vector>

#include "protect/start/board.h"
#include "protect/start/joint_program.h"
#include "protect/start/ledger.h"
#include "protect/start/path_search.h"
#include "protect/start/program.h"
#include "protect/start/route.h"

namespace lacuna::start {

// What one thread works with.
struct Lane {
  Lane(const Ledger& ledger, const RunContext& run, const std::string& engine)
      : overlay(ledger.board().table().num_cells()),
        router(ledger.board(), overlay, RouteOptions{}, &run),
        program(ledger.board(), overlay, engine),
        joint(ledger.board(), overlay, engine),
        paths(ledger.board(), overlay) {}

  // How hard to look: briefly, inside an exchange; and ways that rather find something.
  static constexpr std::size_t kBriefly = 0, kFirst = 1, kThorough = 3, kAlone = 4, kLast = 7;
  // A route for the need; if `mirrored`, one that serves the other direction too is tried first.
  bool find(const Need& need, bool mirrored, double budget, std::size_t effort);

  Overlay overlay;
  Router router;
  ProgramRouter program;
  JointProgram joint;
  PathSearch paths;
  std::int64_t searches = 0;
};

enum class ExchangeKind : std::uint8_t {
  kThrough,  // all shapes through the cell, which is banned
  kDetour,   // the same, but they only go round it
  kAround,   // all shapes around the cell
  kTogether  // the shapes of a group, by one program
};

struct Exchange {
  CellId cell;  // to be published again, or in the middle
  ExchangeKind kind = ExchangeKind::kThrough;
  std::uint64_t salt = 0;            // changes order and prices
  bool thorough = false;             // worth a longer search, and
  bool decisive = false;             // worth every kind of search
  bool found = false;                // the plan seems to save
  std::vector<std::int32_t> group;   // of shapes that are routed together (giants.h), ascending
  std::vector<std::int32_t> needs;   // that are routed anew, and
  std::vector<std::int32_t> shapes;  // for each: a shape of the ledger, or -1 - index of a route
  std::vector<Steps> routes;
  std::vector<EquationId> touched;  // equations the searches looked at
};

void plan_exchange(const Ledger& ledger, Lane& lane, Exchange& exchange);
// Of a group; `run` limits the program.
void plan_together(const Ledger& ledger, Lane& lane, Exchange& exchange, const RunContext& run);

// True if it saved; else the ledger is as it was.
bool carry_out(Ledger& ledger, const Exchange& exchange);

}  // namespace lacuna::start
