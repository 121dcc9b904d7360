// SPDX-License-Identifier: Apache-2.0
// Routes by linear programs for the few goals that only many cells together can carry, where the
// quick search (route.h) gets lost. Over a neighbourhood of the cell p (breadth first over
// equations, per equation the roomiest withheld cells and the cheapest others),
//
//   minimize sum_i c_i |z_i|   subject to  M z = 0,  z_p = s L,  -down_i <= z_i <= up_i,
//
// enlarged if there is no solution. What is paid in the end is not c_i |z_i| but the fixed charge
// w_i of every cell that moves: c_i starts at w_i / min(1, slack_i / L) and is set to w_i / |z_i|
// after every solve, so that what is used pays what it costs (slope scaling; Kim and Pardalos
// 1999). The best support found is turned into an exact displacement.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "lacuna/lp.h"
#include "lacuna/run_context.h"
#include "protect/start/pattern_state.h"
#include "protect/start/route.h"
#include "protect/start/route_assignment.h"
#include "protect/start/tuning.h"

namespace lacuna::start {

struct ProgramOptions {
  std::vector<std::size_t> sizes{
      kTuning.program.sizes.begin(),
      kTuning.program.sizes.end()};  // of neighbourhoods, one after the other
  std::size_t per_equation = kTuning.program.per_equation;  // open cells taken from an equation
  std::size_t withheld_factor = kTuning.program.withheld_factor;  // withheld ones per open one
  double least_slack =
      kTuning.program.least_slack;  // in levels; cells below are left out, but not the last time
  double step_share =
      kTuning.program.step_share;  // price of a withheld cell, in that of a typical open one
  std::int32_t rounds = kTuning.program.rounds;  // of slope scaling
  double moved = kTuning.program.moved;          // in levels: what moves less is at rest
};

class ProgramRouter {
 public:
  ProgramRouter(const PatternState& pattern_state,
                const Overlay& overlay,
                std::string engine,
                ProgramOptions options = {});

  // A route for the goal that costs at most the budget; `mirrored`: within the slacks of both
  // directions (or of one, if only exact arithmetic found it: who relies on both checks). The
  // neighbourhood has the cells of a known route, which may be empty, besides those found.
  bool find(const RouteGoal& goal,
            bool mirrored,
            double budget,
            const RunContext& run,
            const Route& known = {});
  const Route& steps() const { return steps_; }

 private:
  struct Column {
    CellId cell;
    double up = 0, down = 0;  // in levels
    double charge = 0;
  };

  attack::Slack slack_of(CellId cell) const;
  double charge(CellId cell) const;
  void gather(std::size_t wanted, double least_slack, std::size_t per_equation, const Route& known);
  void gather_equation(EquationId equation, double least_slack, std::size_t per_equation);
  void add(CellId cell);
  void prune();
  bool load();
  void set_first_costs();
  void restart();
  bool solve(double budget, const RunContext& run);
  double pay(const std::vector<double>& moves) const;  // fixed charges of what moves
  std::vector<double> moves_of(const LpSolution& solution) const;
  void rescale(const std::vector<double>& moves);
  bool make_exact(const std::vector<double>& moves, const RunContext& run);
  bool round(const std::vector<double>& moves, Units denominator);

  const PatternState& pattern_state_;
  const Overlay& overlay_;
  std::string engine_;
  ProgramOptions options_;
  RouteGoal goal_;
  bool mirrored_ = false;
  double level_ = 1;
  double typical_ = 1;                   // charge of an open cell
  std::vector<std::int32_t> column_of_;  // by cell, -1
  std::vector<std::uint8_t> seen_;       // by equation
  std::vector<EquationId> equations_;    // seen
  std::vector<Column> columns_;          // the first is the goal's cell
  std::unique_ptr<LpSolver> solver_;
  Route steps_;
};

}  // namespace lacuna::start
