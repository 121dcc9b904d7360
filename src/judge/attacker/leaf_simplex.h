// SPDX-License-Identifier: Apache-2.0
// The cheapest widening (repair_simplex.h) over the leaves of the table: f = N u
// (core/table/leaf_form.h) instead of M f = 0. For the lazy dual simplex (core/simplex/lazy_dual.h)
// the leaves are free columns, basic from the start, and the cells and conditions on the leaves are
// rows with costs: n of them are active, as many as there are leaves, and the inverse is W with u =
// W f_J. Where a table has few leaves and many totals, and witnesses move hundreds of cells, n is a
// fraction of the equations that would have to be repaired.
//
// The prices are those of repair_simplex.h, but only leaves have a price within the slacks: with
// all leaves at rest at zero every other cell then pulls at none of them, so this is dual feasible,
// and the goal's cell, at rest at its level, is all that is broken.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "core/table/leaf_form.h"
#include "judge/attacker/repair_simplex.h"
#include "lacuna/run_context.h"

namespace lacuna::attacker {

// What all searches over a problem share. Rows: cells of the table first, then conditions on the
// leaves.
class LeafNet {
 public:
  explicit LeafNet(const RepairNet& prices);

  using Term = simplex::LazyEntry;  // of a row by leaf, of a leaf by row
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
  RealSlack slack(const Slacks& slacks, std::size_t cell) const {
    return local_[cell] < 0 ? RealSlack{} : slacks.of(local_[cell]);
  }
  const RepairNet& prices() const { return prices_; }

 private:
  const RepairNet& prices_;
  std::size_t num_cells_;
  std::vector<std::int32_t> local_;  // by cell of the table
  std::vector<std::int32_t> leaf_cell_;
  std::vector<std::size_t> row_start_, leaf_start_;
  std::vector<Term> row_terms_, leaf_terms_;
};

class LeafSimplex : private simplex::LazySource {
 public:
  LeafSimplex(const LeafNet& net, std::int32_t cell, int sign)
      : net_(&net), cell_(static_cast<std::size_t>(cell)), sign_(sign) {}

  // As RepairSimplex::solve; given up if the run is to stop.
  RepairOutcome solve(double level,
                      const Slacks& slacks,
                      const Slacks& most,
                      const RunContext& run);
  const Move& move() const { return move_; }
  double excess() const { return excess_; }
  // d of the cut by cell of the table; empty if no widening is needed.
  const Move& coefficients() const { return coefficients_; }
  void sharpen() {
    if (!sharp_)
      forget();
    sharp_ = true;
  }
  bool is_sharp() const { return sharp_; }
  std::size_t memory() const { return search_.memory(); }
  void forget();

 private:
  simplex::Piecewise column_cost(std::int32_t leaf) const override;
  void list_column(std::int32_t leaf, std::vector<simplex::LazyEntry>& rows) const override;
  std::span<const simplex::LazyEntry> lent_column(std::int32_t leaf) const override;
  bool list_row(std::int32_t row, bool all, std::vector<simplex::LazyEntry>& leaves) override;
  bool row_cost(std::int32_t row, simplex::Piecewise& cost) const override;

  simplex::LazyTuning tuning() const;
  bool begin();
  bool place();
  RepairOutcome search(const RunContext& run);
  double true_slope(std::size_t item) const;
  double value_of(std::size_t cell) const;
  void finish();
  void set_cut(std::span<const double> y);

  const LeafNet* net_;
  std::size_t cell_;
  int sign_;
  double level_ = 0;
  bool sharp_ = false;
  const Slacks* slacks_ = nullptr;
  const Slacks* most_ = nullptr;
  std::vector<std::uint8_t> kinked_;  // by row: has a price within the slacks
  simplex::LazyPlaces places_{0, 0};
  simplex::LazyDual search_;
  Move move_;
  double excess_ = 0;
  Move coefficients_;
};

}  // namespace lacuna::attacker
