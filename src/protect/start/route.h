// SPDX-License-Identifier: Apache-2.0
// The cheapest way to move one cell by its level: with p the cell, L the level, s the direction,
//
//   minimize sum_i c_i |z_i|   subject to  M z = 0,  z_p = s L,  -down_i <= z_i <= up_i,
//
// over withheld cells (c_i next to nothing) and cells that may be withheld (c_i = w_i / min(1,
// slack_i / L) per level: a fixed charge w_i spread over what the cell can carry; Kelly, Golden and
// Assad 1992, Castro 2007). By the lazy dual simplex of core/simplex/lazy_dual.h: z = 0 is dual
// feasible because all costs are positive, and only the equations through p are broken by z_p = s
// L. The dual objective grows monotonically: a route more expensive than the budget is given up as
// soon as that is known. The result is integral and exact, or nothing.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "core/simplex/lazy_dual.h"
#include "lacuna/evidence.h"
#include "lacuna/run_context.h"
#include "protect/start/pattern_state.h"

namespace lacuna::start {

struct RouteOptions {
  double feasibility = 1e-8;      // in levels: an equation or bound is broken beyond this
  double smallest_pivot = 1e-6;   // entries below are taken for zero
  std::int32_t max_steps = 400;   // > 0
  std::size_t per_equation = 48;  // open cells considered per equation, cheapest first
  Units cap = 32;                 // no cell moves by more than this many levels
  double step_share = 1.0 / 16;   // price of a withheld cell, in that of a cheap open one
  double least_slack = 0;         // cells whose smaller slack is below so many levels are left out
  double noise = 0;               // see Router::set_salt
  std::uint64_t salt = 1;         // breaks ties between equal costs
};

struct RouteQuery {
  CellId cell;
  Direction direction = Direction::kHigh;
  Units level = 1;
  std::int32_t attacker = 0;
  double budget = std::numeric_limits<double>::infinity();
  bool mirrored = false;  // the route must be possible in the other direction as well
};

struct RouteStep {
  CellId cell;
  Units move = 0;
};
using Route = std::vector<RouteStep>;  // by cell, no zero moves: a displacement up to a factor

// The move of the cell in the steps; 0 if it is not among them.
Units move_of(const Route& steps, CellId cell);

// A displacement that a route is laid over, in its own units: the route has the slack that is left.
struct Underlay {
  struct Use {  // by turn * level / own times the displacement
    std::int32_t attacker = 0;
    int turn = 1;
    Units own = 1, level = 1;  // > 0
  };
  const Route* steps = nullptr;
  std::vector<Use> uses;      // the largest factor per attacker and turn is enough
  std::vector<CellId> fixed;  // ascending: cells that must go on to move as they do
};

enum class RouteOutcome : std::uint8_t { kFound, kNone, kTooExpensive, kGivenUp };

class Router : private simplex::LazySource {
 public:
  Router(const PatternState& pattern_state,
         const Overlay& overlay,
         const RouteOptions& options,
         const RunContext* run = nullptr);

  RouteOutcome find(const RouteQuery& query);
  // The cell of the displacement comes to rest, by a route over it that costs less than the budget;
  // the steps are then those of both together.
  RouteOutcome find_detour(const Underlay& under, CellId cell, double budget);
  const Route& steps() const { return steps_; }  // of the last route found
  // Equations that were looked at in the last search.
  void append_touched(std::vector<EquationId>& equations) const;
  std::int64_t iterations() const { return search_.steps(); }
  // Prices of open cells are raised by up to this share, as the salt decides.
  void set_salt(std::uint64_t salt, double noise) {
    options_.salt = salt;
    options_.noise = noise;
  }
  void set_effort(std::int32_t max_steps, double step_share, double least_slack) {
    options_.max_steps = max_steps;
    options_.step_share = step_share;
    options_.least_slack = least_slack;
  }

 private:
  using Moves = std::vector<std::pair<CellId, Wide>>;

  simplex::Piecewise column_cost(std::int32_t cell) const override;
  void list_column(std::int32_t cell, std::vector<simplex::LazyEntry>& equations) const override;
  bool list_row(std::int32_t equation, bool all, std::vector<simplex::LazyEntry>& cells) override;

  bool usable(CellId cell) const;
  attack::Slack slack_of(CellId cell) const;  // capped, in units
  double charge(CellId cell) const;
  RouteOutcome search(const RouteQuery& query);
  attack::Slack slack_left(CellId cell) const;
  bool add_underlay();
  void set_step();
  simplex::LazyTuning tuning() const;
  bool finish();
  Units resting_move(std::size_t item) const;
  bool round_steps(Units denominator);
  bool solve_steps();
  bool accept(const Moves& moves, Wide denominator);

  const PatternState& pattern_state_;
  const Overlay& overlay_;
  RouteOptions options_;
  const RunContext* run_;  // may be null
  RouteQuery query_;
  double level_ = 1;
  double step_ = 0;  // what a withheld cell costs
  const Underlay* under_ = nullptr;
  simplex::LazyPlaces places_;  // of cells and equations
  simplex::LazyDual search_;
  std::vector<std::pair<double, simplex::LazyEntry>> open_;
  Route steps_;
};

}  // namespace lacuna::start
