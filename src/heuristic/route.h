// SPDX-License-Identifier: Apache-2.0
// The cheapest way to move one cell by its level: with p the cell, L the level, s the direction,
//
//   minimize sum_i c_i |z_i|   subject to  M z = 0,  z_p = s L,  -down_i <= z_i <= up_i,
//
// over withheld cells (c_i next to nothing) and cells that may be withheld (c_i = w_i / min(1,
// room_i / L) per level: a fixed charge w_i spread over what the cell can carry; Kelly, Golden and
// Assad 1992, Castro 2007). A dual simplex that touches only what it needs: z = 0 is dual feasible
// because all costs are positive; the equations through p are broken by z_p = s L, repairing one
// may break others, and only equations that were broken once, and the cells in them, are ever
// looked at. The basis is (repaired equations) x (moved cells), a dense inverse of some ten rows.
// Cells have two-sided cost V-shaped around zero, so that one column has three resting points
// (-down, 0, up), and the ratio test passes resting points as long as the dual improves (Fourer
// 1985; Maros 2003). The dual objective grows monotonically: a route dearer than the budget is
// given up as soon as that is known. The result is integral and exact, or nothing.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "heuristic/board.h"
#include "lacuna/evidence.h"
#include "lacuna/run_context.h"

namespace lacuna::inline heuristic {

struct RouteOptions {
  double feasibility = 1e-8;      // in levels: an equation or bound is broken beyond this
  double smallest_pivot = 1e-6;   // entries below are taken for zero
  std::int32_t max_steps = 400;   // > 0
  std::size_t per_equation = 48;  // open cells considered per equation, cheapest first
  Units cap = 32;                 // no cell moves by more than this many levels
  double step_share = 1.0 / 16;   // price of a withheld cell, in that of a cheap open one
  double least_room = 0;          // cells whose smaller room is below so many levels are left out
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

struct Step {
  CellId cell;
  Units move = 0;
};
using Steps = std::vector<Step>;  // by cell, no zero moves: a displacement up to a factor

enum class RouteOutcome : std::uint8_t { kFound, kNone, kTooDear, kGivenUp };

class Router {
 public:
  Router(const Board& board,
         const Overlay& overlay,
         const RouteOptions& options,
         const RunContext* run = nullptr);

  RouteOutcome find(const RouteQuery& query);
  const Steps& steps() const { return steps_; }  // of the last route found
  // Equations that were looked at in the last search.
  void append_touched(std::vector<EquationId>& equations) const;
  std::int64_t iterations() const { return iterations_; }
  // Prices of open cells are raised by up to this share, as the salt decides.
  void set_salt(std::uint64_t salt, double noise) {
    options_.salt = salt;
    options_.noise = noise;
  }
  void set_effort(std::int32_t max_steps, double step_share, double least_room) {
    options_.max_steps = max_steps;
    options_.step_share = step_share;
    options_.least_room = least_room;
  }

  // Costs of single cells for the next searches, to re-price what a first route used.
  void reprice(CellId cell, double cost) { repriced_.emplace_back(cell, cost); }
  void forget_prices() { repriced_.clear(); }

 private:
  enum class Rest : std::int8_t { kDown = -1, kZero = 0, kUp = 1 };
  struct Column {
    CellId cell;
    double cost_up = 0, cost_down = 0;
    double pull = 0;  // g = y'A: at zero -cost_down <= g <= cost_up, basic at one of the two ends
    double up = 0, down = 0;
    Rest rest = Rest::kZero;
    std::int8_t side = 0;  // of a basic column: +1 or -1
  };
  struct Entry {
    std::int32_t column = 0;
    float coefficient = 0;  // below 2^24: exact
  };
  struct Row {
    EquationId equation;
    bool gathered = false;
    bool trimmed = false;
    std::vector<Entry> entries;
  };
  struct Leaving {
    std::int32_t row = -1;    // a broken equation, or
    std::int32_t basic = -1;  // a basic column out of its range
    double excess = 0;        // > 0
    int sigma = 0;            // direction of repair
  };
  struct Break {
    double theta = 0;
    std::int32_t column = -1;
    double rate = 0;
  };

  void reset();
  std::int32_t touch(EquationId equation);
  void gather(std::int32_t row, bool all);
  void add_column(CellId cell);
  bool usable(CellId cell) const;
  Room room_of(CellId cell) const;  // capped, in units
  double charge(CellId cell) const;
  void set_step();
  static double resting_value(const Column& column);
  static double resting_cost(const Column& column);
  void shift(std::int32_t column, Rest rest);
  Leaving pick_leaving();
  void add_inverse_row(std::int32_t column, double factor);
  void direction_of(const Leaving& leaving);
  void gradients();
  enum class Ratio : std::uint8_t { kPivot, kSwitch, kNone };
  Ratio ratio_test(const Leaving& leaving);
  static double break_at(const Column& column, double rate);  // infinite if there is none
  void list_breaks(const Leaving& leaving);
  void move_duals(const Leaving& leaving);
  void pivot(const Leaving& leaving);
  void border(std::int32_t row);
  void exchange(std::size_t position);
  void entering_in_basis();  // work_ = inverse times the entering column
  RouteOutcome search();
  void refresh();
  double objective() const;
  bool widen();
  bool finish();
  bool round_steps(Units denominator);
  bool solve_steps();
  bool accept(const std::vector<std::pair<std::int32_t, Wide>>& moves, Wide denominator);
  double& inverse(std::size_t basic, std::size_t active) {
    return inverse_[basic * stride_ + active];
  }
  double inverse(std::size_t basic, std::size_t active) const {
    return inverse_[basic * stride_ + active];
  }
  void grow(std::size_t size);

  const Board& board_;
  const Overlay& overlay_;
  RouteOptions options_;
  const RunContext* run_;  // may be null
  RouteQuery query_;
  double level_ = 1;
  double step_ = 0;  // what a withheld cell costs
  std::vector<std::pair<CellId, double>> repriced_;
  std::vector<std::int32_t> column_of_, row_of_;  // by cell, by equation; -1
  std::vector<Column> columns_;
  std::vector<Row> rows_;
  std::size_t num_rows_ = 0;              // rows_ keeps its lists for reuse
  std::vector<std::int32_t> basic_of_;    // by column: position in basis_, -1 if not basic
  std::vector<double> gradient_;          // by column; zero where not marked
  std::vector<std::uint8_t> is_marked_;   // by column
  std::vector<double> fixed_;             // by row: activity of the target and of resting columns
  std::vector<double> residual_;          // by row: activity of all
  std::vector<std::int32_t> row_active_;  // by row: position in active_, -1
  std::vector<std::int32_t> basis_, active_;  // columns, rows
  std::vector<double> values_;                // of basic columns
  std::vector<double> duals_;                 // of active rows
  std::vector<double> inverse_;
  std::size_t stride_ = 0;
  std::vector<double> rho_;    // over active rows
  std::int32_t rho_row_ = -1;  // and one on this row, if >= 0
  std::vector<std::int32_t> marked_;
  std::vector<Break> breaks_;
  std::vector<double> work_;
  std::vector<std::pair<double, std::int32_t>> open_;
  double theta_ = 0;  // of the last ratio test
  std::int32_t entering_ = -1;
  Rest leaving_rest_ = Rest::kZero;
  double resting_cost_ = 0;
  Steps steps_;
  std::int64_t iterations_ = 0;
};

}  // namespace lacuna::inline heuristic
