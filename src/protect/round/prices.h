// SPDX-License-Identifier: Apache-2.0
// Prices of the equations for tables too large for the integer program (Lagrangian decomposition).
// With multipliers g of the equations M (v - a) = 0 and l = M'g the problem falls apart into cells:
//   L(g) = sum_i min_s { price_i(s) - l_i dev_i(s) }  over the choices s of cell i,
// a lower bound on every rounding, whatever g is. A rounding that adds up costs L(g) plus the
// excess of its choices over the minima, so the prices also say which cells to touch.
//
// L is raised by coordinate ascent on a smooth version of it: minima become soft minima at a
// temperature t (their distance from the minimum is at most t log n_i), one Newton step per
// equation and visit, t falling. At the end only L itself counts. The exponential is our own
// (soft_exp.h), so that every machine finds the same prices.
#pragma once

#include <cstdint>
#include <vector>

#include "lacuna/run_context.h"
#include "protect/pattern/plan.h"

namespace lacuna::rounding {

// The cells that can differ from the truth, their choices, and the equations among them.
struct System {
  explicit System(const pattern::Plan& plan);

  std::size_t num_cells() const { return cell.size(); }
  std::size_t num_equations() const { return row_start.size() - 1; }

  std::vector<CellId> cell;
  std::vector<std::size_t> choice_start{0};  // by cell of the system
  std::vector<Units> deviation;              // by choice, in units
  std::vector<double> price;                 // by choice
  std::vector<std::size_t> row_start{0};     // by equation
  std::vector<std::int32_t> row_cell;
  std::vector<std::int32_t> row_factor;
  std::vector<std::size_t> column_start{0};  // by cell
  std::vector<std::int32_t> column_row;
  std::vector<std::int32_t> column_factor;
  double fixed = 0;  // price of the cells that are not in the system
  Units step = 1;    // typical difference of two choices
  double scale = 1;  // typical price of a step
};

struct Prices {
  double bound = 0;            // L(g) and the fixed price, less what sums of doubles may be off
  std::vector<double> excess;  // by choice: price_i(s) - l_i dev_i(s) less the least of the cell
};

class Ascent {
 public:
  explicit Ascent(const System& system);

  // A few sweeps at a high temperature: prices that are near enough for a first table.
  Prices quick(const RunContext& run);
  Prices find(const RunContext& run);

 private:
  struct Moments {
    double mean = 0, variance = 0;
  };
  Moments moments(std::size_t cell, double temperature) const;
  void sweep(double temperature, int sweeps, const RunContext& run);
  void visit(std::size_t equation, double temperature);
  double evaluate(std::vector<double>& lambda) const;
  void keep();
  Prices prices() const;

  const System& system_;
  std::vector<double> lambda_, multiplier_;
  std::vector<double> deviation_, price_;  // in steps, in typical prices
  double best_ = 0;
  std::vector<double> best_lambda_;
};

}  // namespace lacuna::rounding
