// SPDX-License-Identifier: Apache-2.0
// The cheapest widening (repair_simplex.h) over the leaves of the table: f = N u
// (table/leaf_form.h) instead of M f = 0. A basis is told by the n cells (and conditions on the
// leaves) at rest, as many as there are leaves, and W = inverse of their rows of N: u = W f_J.
// Where a table has few leaves and many totals, and witnesses move hundreds of cells, n is a
// fraction of the equations that would have to be repaired, and a step costs n^2 and one pass over
// N.
//
// The dual simplex method and the prices are those of repair_simplex.h, but only leaves have a
// price within the rooms: with all leaves at rest at zero every other cell then pulls at none of
// them, so this is dual feasible, and the goal's cell, at rest at its level, is all that is broken.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "lacuna/run_context.h"
#include "protect/interval/repair_simplex.h"
#include "table/leaf_form.h"

namespace lacuna::inline interval {

// What all searches over a model share. Rows: cells first, then conditions on the leaves.
class LeafNet {
 public:
  LeafNet(const Model& model, const RepairNet& prices);

  struct Term {
    std::int32_t index = 0;  // leaf or row
    double value = 0;
  };
  std::span<const Term> row(std::size_t row) const {
    return {row_terms_.data() + row_start_[row], row_start_[row + 1] - row_start_[row]};
  }
  std::span<const Term> rows_of(std::size_t leaf) const {
    return {leaf_terms_.data() + leaf_start_[leaf], leaf_start_[leaf + 1] - leaf_start_[leaf]};
  }
  std::size_t num_leaves() const { return leaf_cell_.size(); }
  std::size_t num_rows() const { return row_start_.size() - 1; }
  std::size_t num_cells() const { return num_cells_; }
  std::int32_t leaf_cell(std::size_t leaf) const { return leaf_cell_[leaf]; }
  const RepairNet& prices() const { return prices_; }

 private:
  const RepairNet& prices_;
  std::size_t num_cells_;
  std::vector<std::int32_t> leaf_cell_;
  std::vector<std::size_t> row_start_, leaf_start_;
  std::vector<Term> row_terms_, leaf_terms_;
};

class LeafSimplex {
 public:
  LeafSimplex(const LeafNet& net, std::int32_t cell, int sign)
      : net_(&net), cell_(static_cast<std::size_t>(cell)), sign_(sign) {}

  // As RepairSimplex::solve; given up if the run is to stop.
  RepairOutcome solve(double level,
                      std::span<const double> z,
                      std::span<const double> most,
                      const RunContext& run);
  const Move& move() const { return move_; }
  double excess() const { return excess_; }
  // d of the cut by cell; empty if no widening is needed.
  const std::vector<std::pair<std::int32_t, double>>& coefficients() const { return coefficients_; }
  void sharpen() {
    if (!sharp_)
      forget();
    sharp_ = true;
  }
  bool is_sharp() const { return sharp_; }
  std::size_t memory() const;
  void forget();

 private:
  static constexpr int kPoints = 5;
  static constexpr std::int8_t kZero = 2;  // the breakpoint 0
  struct Column {
    std::array<double, kPoints> point{};
    std::array<double, kPoints + 1> slope{};
    double pull = 0;             // at rest
    std::int32_t position = -1;  // in at_rest_, -1: basic
    std::int8_t rest = kZero;
    std::int8_t next = kZero;
    std::int8_t piece = kZero;
    bool kinked = false;  // has a price within the rooms
    bool fixed = false;   // conditions and the goal's own cell: never basic
  };
  struct Leaving {
    std::int32_t row = -1;
    double excess = 0;
    double direction = 0;
  };
  struct Break {
    double step = 0;
    std::size_t row = 0;
    bool operator<(const Break& other) const {  // the nearest is on top of the heap
      return step != other.step ? step > other.step : row > other.row;
    }
  };
  enum class Ratio : std::uint8_t { kEnter, kSwitch, kNone };

  bool begin();
  bool rest_instead_of_leaf(std::size_t row);
  void set_slopes(std::size_t row);
  bool set_points(std::span<const double> z, std::span<const double> most);
  void set_values();
  bool refactor();
  void set_pulls();
  void set_limits(std::size_t row);
  Leaving pick() const;
  void set_row(std::size_t row);  // N_row W
  bool next_break(std::size_t row, double rate, Break& next) const;
  Ratio ratio_test(const Leaving& leaving);
  void apply(const Leaving& leaving, Ratio ratio);
  void exchange(std::size_t position);
  RepairOutcome search(const RunContext& run);
  void finish(std::span<const double> z, std::span<const double> most);
  void set_cut(std::span<const double> g);
  double rate_of(std::size_t row, const Leaving& leaving) const {
    return -leaving.direction * row_[static_cast<std::size_t>(columns_[row].position)];
  }
  double* inverse(std::size_t leaf) { return inverse_.data() + leaf * at_rest_.size(); }
  const double* inverse(std::size_t leaf) const { return inverse_.data() + leaf * at_rest_.size(); }

  const LeafNet* net_;
  std::size_t cell_;
  int sign_;
  double level_ = 0;
  bool sharp_ = false;
  std::vector<Column> columns_;             // by row of the net
  std::vector<double> value_, low_, high_;  // by row; limits of its piece if it is basic
  std::vector<std::size_t> at_rest_;        // J
  std::vector<double> inverse_;             // W: leaves x J
  std::int32_t updates_ = 0;
  std::vector<double> row_, leaf_step_, rest_step_;
  std::vector<std::size_t> moved_;
  std::vector<Break> breaks_;
  double step_ = 0;
  std::size_t entering_ = 0;
  Move move_;
  double excess_ = 0;
  std::vector<std::pair<std::int32_t, double>> coefficients_;
};

}  // namespace lacuna::inline interval
