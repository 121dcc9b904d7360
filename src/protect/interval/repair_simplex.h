// SPDX-License-Identifier: Apache-2.0
// The cheapest widening that lets one cell move by its level: with p the cell, s the direction, L
// the level and z the rooms at hand,
//
//   minimize sum_i phi_i(f_i)  subject to  M f = 0,  f_p = s L,
//
// phi_i convex and piecewise linear with breakpoints -most, -z-, 0, z+, most: next to nothing
// within the rooms, the weight of the end per unit beyond them, not allowed beyond `most`. The
// optimum is zero if the rooms give the cell its level; else f says where widening is cheapest, and
// the multipliers y of the equations give the cut that z violates most per cost: with g = M'y and
// s g_p < 0,
//
//   sum_{i != p} |g_i| / (-s g_p) z_(end of i on the side of g_i) >= L,   |g_i| <= w_i
//
// (a Benders cut normalized by the weights, after Fischetti, Salvagnin and Zanette 2010).
//
// With Goal kReach the rooms are hard bounds and the goal's own cell may fall short of its level at
// a price of 1: this is the attacker problem itself, and the cut the one that z violates most at
// its own scale.
//
// A dual simplex method that touches only what it needs (as heuristic/route.h does): f = 0 apart
// from p is dual feasible, and only equations that were broken once, and the cells in them, are
// ever looked at. The basis is (repaired equations) x (moved cells) with a dense inverse. The ratio
// test passes breakpoints as long as the dual improves (Fourer 1985). The slopes do not depend on z
// or L, so the last basis is dual feasible at any other point: the next search starts from it.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "protect/interval/model.h"

namespace lacuna::inline interval {

struct RepairOptions {
  double feasibility = 1e-10;  // in levels: an equation or a breakpoint is passed beyond this
  double smallest_pivot = 1e-7;
  double kink = 1.0 / 4096;  // price within the rooms, as a share of the weight
  double sharp_kink = 1.0 / (1LL << 36);
  double reach_kink = 1.0 / (1LL << 20);  // against a price of 1 for falling short
  double noise = 1.0 / 256;               // prices differ by up to this share, against ties
  std::int32_t max_steps = 20000;         // > 0
  std::int32_t refactor_every = 64;
};

// What all searches over a model share: the equations by row and by cell, and prices by end.
class RepairNet {
 public:
  struct Entry {
    std::int32_t index = 0;  // cell or row
    double coefficient = 0;
  };
  // Weights by end; ends without one get a small price.
  RepairNet(const Model& model, std::span<const double> weight, const RepairOptions& options);

  std::span<const Entry> row(std::int32_t row) const { return slice(row_start_, row_entry_, row); }
  std::span<const Entry> rows_of(std::int32_t cell) const {
    return slice(cell_start_, cell_entry_, cell);
  }
  EquationId equation(std::int32_t row) const { return equation_[static_cast<std::size_t>(row)]; }
  std::int32_t num_rows() const { return static_cast<std::int32_t>(equation_.size()); }
  std::int32_t num_cells() const { return static_cast<std::int32_t>(cell_start_.size()) - 1; }
  double weight(std::size_t end) const { return weight_[end]; }
  double noise(std::size_t end) const { return noise_[end]; }  // in [0, 1]
  const RepairOptions& options() const { return options_; }

 private:
  static std::span<const Entry> slice(const std::vector<std::int32_t>& start,
                                      const std::vector<Entry>& entries,
                                      std::int32_t i) {
    const auto at = static_cast<std::size_t>(i);
    return {entries.data() + start[at], static_cast<std::size_t>(start[at + 1] - start[at])};
  }
  RepairOptions options_;
  std::vector<std::int32_t> row_start_, cell_start_;
  std::vector<Entry> row_entry_, cell_entry_;
  std::vector<EquationId> equation_;
  std::vector<double> weight_, noise_;
};

// Where cells and rows are in the search that is at work; one per thread.
struct RepairScratch {
  explicit RepairScratch(const RepairNet& net)
      : column_of(static_cast<std::size_t>(net.num_cells()), -1),
        row_of(static_cast<std::size_t>(net.num_rows()), -1) {}
  std::vector<std::int32_t> column_of, row_of;  // -1: not touched
};

enum class RepairOutcome : std::uint8_t {
  kFound,
  kImpossible,  // not even within `most`; the multipliers give a cut that says so
  kGivenUp,     // too many steps, or numerical trouble
  kTooLarge,    // the basis outgrew what was set
};

enum class RepairGoal : std::uint8_t { kWiden, kReach };

// The searches for one cell and direction, each starting where the last one ended.
class RepairSimplex {
 public:
  RepairSimplex(const RepairNet& net,
                std::int32_t cell,
                int sign,
                RepairGoal goal = RepairGoal::kWiden)
      : net_(&net), cell_(cell), sign_(sign), goal_(goal) {}

  // Rooms by end, z at most `most`.
  RepairOutcome solve(double level,
                      std::span<const double> z,
                      std::span<const double> most,
                      RepairScratch& scratch);
  // Of the last search, if kFound.
  const Move& move() const { return move_; }
  // Largest step beyond the rooms; with kReach what the cell falls short of its level.
  double excess() const { return excess_; }
  // g of the cut as multipliers of equations, so that the goal's own cell drops out; empty if no
  // widening is needed.
  const std::vector<std::pair<EquationId, double>>& multipliers() const { return multipliers_; }
  // Prices within the rooms fall so far that they matter less than any widening. They have to where
  // weights differ by orders of magnitude and a search has found neither a witness nor a cut.
  void sharpen() { sharp_ = true; }
  bool is_sharp() const { return sharp_; }
  void set_largest_basis(std::size_t size) { largest_basis_ = size; }
  std::size_t memory() const;  // bytes kept for the next search
  void forget();

 private:
  static constexpr int kPoints = 5;
  static constexpr std::int8_t kZero = 2;  // the breakpoint 0
  struct Column {
    std::int32_t cell = -1;
    std::array<double, kPoints> point{};
    std::array<double, kPoints + 1> slope{};  // of the pieces between them, with noise
    double pull = 0;                          // g
    double rate = 0;                          // of g in the step at hand
    double value = 0;
    std::int32_t basic = -1;   // position in basis_
    std::int8_t rest = kZero;  // breakpoint, if not basic
    std::int8_t next = kZero;  // breakpoint that the step at hand takes it to
    std::int8_t piece = 0;     // if basic: between breakpoints piece - 1 and piece
    bool marked = false;
  };
  struct Entry {
    std::int32_t column = 0;
    double coefficient = 0;
  };
  struct Row {
    std::int32_t row = -1;
    std::int32_t active = -1;  // position in active_
    double fixed = 0;          // of the goal's cell and of columns at rest
    double shift = 0;          // change of `fixed` that the basis has yet to follow
    double residual = 0;
    double dual = 0;
    double rate = 0;
    bool gathered = false;
    std::vector<Entry> entries;
  };
  struct Leaving {
    std::int32_t row = -1;    // a broken equation, or
    std::int32_t basic = -1;  // position of a column outside its piece
    double excess = 0;
    double direction = 0;  // of the row's dual, or of the column's pull
  };
  struct Break {
    double step = 0;
    std::int32_t column = -1;
    bool operator<(const Break& other) const {  // the nearest is on top of the heap
      return step != other.step ? step > other.step : column > other.column;
    }
  };

  static double slope(const Column& column, int piece) {
    return column.slope[static_cast<std::size_t>(piece)];
  }
  void set_slopes(Column& column) const;
  double true_slope(const Column& column) const;  // of a basic column
  void bind(RepairScratch& scratch);
  void unbind();
  bool is_own(const Column& column) const {
    return goal_ == RepairGoal::kReach && column.cell == cell_;
  }
  bool place();  // false: the last basis is of no use here
  void set_points(Column& column) const;
  std::int32_t touch_row(std::int32_t row);
  std::int32_t touch_column(std::int32_t cell);
  void gather(std::int32_t row);
  void reset_fixed();
  void set_values();
  void follow_shifts();
  void set_residuals();
  bool has_drifted() const;
  Leaving pick() const;
  void set_rates(const Leaving& leaving);
  enum class Ratio : std::uint8_t { kEnter, kSwitch, kNone };
  Ratio ratio_test(const Leaving& leaving);
  bool next_break(std::int32_t column, Break& next) const;
  void add_fixed(const Column& column, double amount);
  void apply_step(const Leaving& leaving);
  void exchange(const Leaving& leaving);
  void border(const Leaving& leaving);
  void clear_rates();
  bool refactor();
  RepairOutcome search();
  void finish();
  double widest() const;
  void make_multipliers();
  void set_multipliers(std::span<const std::pair<std::int32_t, double>> duals);
  double& inverse(std::size_t basic, std::size_t active) {
    return inverse_[basic * stride_ + active];
  }
  double inverse(std::size_t basic, std::size_t active) const {
    return inverse_[basic * stride_ + active];
  }
  void grow(std::size_t size);

  const RepairNet* net_;
  std::int32_t cell_;
  int sign_;
  RepairGoal goal_;
  double level_ = 0;
  bool sharp_ = false, placed_sharp_ = false;
  std::span<const double> z_, most_;
  RepairScratch* scratch_ = nullptr;
  std::vector<Column> columns_;
  std::vector<Row> rows_;
  std::vector<std::int32_t> basis_, active_;  // columns, rows
  std::vector<double> inverse_;               // basis_ x active_
  std::size_t stride_ = 0;
  std::size_t largest_basis_ = static_cast<std::size_t>(-1);
  std::int32_t updates_ = 0;
  std::vector<std::int32_t> marked_;
  std::vector<Break> breaks_;
  double step_ = 0;
  std::int32_t entering_ = -1;
  std::vector<double> alpha_, beta_;
  std::vector<std::size_t> nonzero_;
  Move move_;
  double excess_ = 0;
  std::vector<std::pair<EquationId, double>> multipliers_;
};

}  // namespace lacuna::inline interval
