// SPDX-License-Identifier: Apache-2.0
// A dual simplex method that touches only what it needs:
//
//   minimize sum_j phi_j(x_j) + sum_i psi_i(t_i)   subject to  t_i = a_i'x + b_i
//
// with phi and psi convex and piecewise linear (piecewise.h). Most rows are equations: psi_i allows
// t_i = 0 alone. At the start every x_j rests at a breakpoint that is dual feasible for y = 0. Rows
// whose t_i lies outside its piece are broken; repairing one may break others, and only rows that
// hold something that moved, and columns in rows that were broken once, are ever looked at.
//
// A row is active if t_i rests at a breakpoint, a column is basic if x_j does not; the basis is
// (basic columns) x (active rows), with a dense inverse (dense_inverse.h). With y the multipliers,
// the dual activity of a column is a_j'y and that of t_i is -y_i; what rests at p_k has a dual
// activity between s_k and s_(k+1), what does not has the slope of its piece. In a step something
// outside its piece goes to the nearest end of it, its dual activity leaves the slope, and the
// multipliers follow. The ratio test passes breakpoints of others as long as the dual improves
// (Fourer 1985; Maros 2003), including those of what is repaired itself, which then stays in the
// basis on another piece. What is repaired is the steepest edge of the dual (Forrest and Goldfarb
// 1992), its length computed outright since the basis is small, or what is broken most.
//
// Stability is looked after in settle(): the values are computed anew now and then and before an
// answer, the inverse when rows of the basis are left open then or after many changes. Multipliers,
// dual activities and resting places follow the new inverse, so that the basis is dual feasible
// again whatever rounding has done. That nothing repairs a row is believed only of a fresh inverse.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "core/simplex/dense_inverse.h"
#include "core/simplex/piecewise.h"
#include "lacuna/run_context.h"

namespace lacuna::simplex {

struct LazyEntry {
  std::int32_t index = 0;  // of a column in the list of a row, of a row in that of a column
  double coefficient = 0;
};

// The problem, asked for what is touched. What is not touched is zero.
class LazySource {
 public:
  virtual ~LazySource() = default;
  virtual Piecewise column_cost(std::int32_t column) const = 0;
  // Appends all rows that the column stands in.
  virtual void list_column(std::int32_t column, std::vector<LazyEntry>& rows) const = 0;
  // Appends the columns of the row, each once: those that are known already and those that may
  // move, unless they are too many. True if there are more, which come if `all` is set; all columns
  // must then have two bounds, and the optimum is one among what was listed.
  virtual bool list_row(std::int32_t row, bool all, std::vector<LazyEntry>& columns) = 0;
  // False: the row is an equation.
  virtual bool row_cost(std::int32_t, Piecewise&) const { return false; }
  // The list of a column where it may be read in place: every row was touched at the start, in
  // order. Empty: it has to be made.
  virtual std::span<const LazyEntry> lent_column(std::int32_t) const { return {}; }
};

// Where columns and rows of the problem are in the search at work, -1 if not touched. Zero between
// searches, so that many searches can share one.
struct LazyPlaces {
  LazyPlaces(std::size_t columns, std::size_t rows) : column(columns, -1), row(rows, -1) {}
  std::vector<std::int32_t> column, row;
};

struct LazyTuning {
  double feasibility = 0;     // a row or a piece is broken beyond this
  double negligible = 0;      // changes of multipliers that are not followed
  double smallest_pivot = 0;  // entries below are taken for zero
  std::int32_t max_steps = 0;
  std::int32_t refresh_every = 64;   // steps between values from scratch
  std::int32_t refactor_every = 64;  // changes of the basis between inverses from scratch, and two
                                     // for each of its columns
  std::size_t largest_basis = std::numeric_limits<std::size_t>::max();
  bool steepest_edge = true;
  std::size_t max_candidates = 8;  // rows, worst first, whose edge is measured
};

// What is new when a search is to go on from its last basis.
enum class LazyChange : std::uint8_t {
  kPoints,   // points and constants
  kSlopes,   // and slopes
  kColumns,  // and columns that may move now, where rows leave out what may not
};

enum class LazyEnding : std::uint8_t {
  kOptimal,
  kImpossible,    // see ray()
  kTooExpensive,  // the optimum is beyond the budget
  kTooLarge,      // the basis
  kGivenUp,       // too many steps, a stop, or numerical trouble
};

class LazyDual {
 public:
  // Between attach and detach `source` and `places` must live; all else but memory, clear and
  // free_memory needs an attached search. A search that is detached keeps its basis.
  void attach(LazySource& source, LazyPlaces& places);
  void detach();
  void clear();        // forgets everything but its memory
  void free_memory();  // of a detached search
  std::size_t memory() const;
  bool empty() const { return items_.empty() && rows_.empty(); }

  // b_i, zero unless set. To set them again: forget_constants, add_constant, restart.
  void forget_constants();
  void add_constant(std::int32_t row, double amount);
  std::int32_t touch_column(std::int32_t column);
  std::int32_t touch_row(std::int32_t row);
  // Makes the row active, in a basis of its own choice: together with the column given, or (if none
  // is) in place of the active row with the largest pivot that is no equation. Before the first
  // solve, while all multipliers are zero. False if no pivot is large enough.
  bool adopt(std::int32_t row, std::int32_t column, double smallest_pivot);
  // Costs as the source has them now, with as many points as before. False if the last basis is of
  // no use: clear.
  bool restart(const LazyTuning& tuning, LazyChange change);

  LazyEnding solve(const LazyTuning& tuning,
                   const RunContext* run = nullptr,
                   double budget = std::numeric_limits<double>::infinity());
  std::int64_t steps() const { return steps_; }  // of all searches

  // The solution, by place.
  std::size_t num_items() const { return items_.size(); }
  bool is_column(std::size_t item) const { return items_[item].row < 0; }
  std::int32_t row_of_item(std::size_t item) const { return items_[item].row; }  // place
  std::int32_t column(std::size_t item) const { return items_[item].id; }
  std::int32_t basic(std::size_t item) const { return hot_[item].place; }  // of a column; -1
  int resting_point(std::size_t item) const { return items_[item].at_point; }
  int piece(std::size_t item) const { return items_[item].piece; }
  double value(std::size_t item) const;
  std::size_t num_rows() const { return rows_.size(); }
  std::int32_t row(std::size_t place) const { return rows_[place].id; }
  std::int32_t active(std::size_t place) const { return rows_[place].active; }
  double row_value(std::size_t place) const { return row_value_[place]; }
  std::span<const std::int32_t> basis() const { return basis_; }         // items
  std::span<const std::int32_t> active_rows() const { return active_; }  // places of rows
  const double* inverse_row(std::size_t basic) const { return inverse_.row(basic); }
  // y by place of the row, for other slopes of what does not rest.
  using SlopeOf = std::function<double(std::size_t item)>;
  void multipliers(const SlopeOf& slope, std::vector<double>& y);
  // After kImpossible: changes of multipliers that improve the dual for ever, by place of the row.
  const std::vector<std::pair<std::int32_t, double>>& ray() const { return ray_; }

 private:
  // A column, or the t of a row that is no equation. The ratio test reads the first line of the
  // cache alone of most.
  struct alignas(64) Item {
    double dual_activity = 0;
    std::int32_t id = -1;        // of the column
    std::int32_t row = -1;       // place of the row
    std::int8_t at_point = 0;    // point
    std::int8_t next_point = 0;  // point that the step at hand takes it to
    std::int8_t piece = 0;       // if it does not rest
    bool listed = false;
    std::int32_t num_rows = 0;
    Piecewise cost;
    const LazyEntry* first_row = nullptr;

    std::span<const LazyEntry> rows() const {
      return {first_row, static_cast<std::size_t>(num_rows)};
    }
  };
  static_assert(sizeof(Item) == 128);
  struct Hot {                // what the longest loop reads of an item
    double rate = 0;          // of its dual activity in the step at hand
    std::int32_t place = -1;  // of a basic column, in basis_
    std::int32_t mark = 0;    // place in marked_, from 1 on; 0 if it is not there
  };
  struct Row {
    std::int32_t id = -1;
    std::int32_t item = -1;    // of its t; -1: an equation
    std::int32_t active = -1;  // in active_
    double constant = 0;
    double fixed = 0;    // constant and columns at rest
    double target = 0;   // of an active row
    double pending = 0;  // what the basis has yet to make up for
    bool gathered = false, complete = false;
    std::vector<LazyEntry> entries;  // items
  };
  struct Leaving {
    std::int32_t row = -1;    // place of a row, or
    std::int32_t basic = -1;  // position of a basic column
    double excess = 0;
    int direction = 0;  // of its dual activity: 1 if it is too large; 0: nothing is broken
  };
  struct Break {
    double step = 0;
    double rate = 0;
    std::int32_t item = -1;
    bool operator<(const Break& other) const {  // the nearest is on top of the heap
      return step != other.step ? step > other.step : comes_later(other);
    }
    bool comes_later(const Break& other) const {  // of equal ones: the larger pivot first
      const double mine = std::abs(rate);
      const double others = std::abs(other.rate);
      return mine != others ? mine < others : item > other.item;
    }
  };
  enum class Ratio : std::uint8_t { kEnter, kSwitch, kNone };

  // lazy_rows.cpp: what is touched, and its values
  std::int32_t add_item(const Piecewise& cost, std::int32_t id, std::int32_t row);
  std::span<const LazyEntry> rows_of(std::int32_t item);
  void make_list(std::int32_t item);
  bool gather(std::int32_t row, bool all);
  bool join_gathered(std::int32_t item);
  bool widen();
  void move_rest(std::int32_t item, double from, double to);
  void reset_fixed();
  void refresh();
  bool has_drifted() const;
  bool refactor();
  void set_duals();
  void set_piece(std::int32_t item);
  void follow_pending();
  void change_basics();

  // lazy_dual.cpp: the steps
  bool pick_surely(Leaving& leaving);
  void count_step() const;
  Leaving pick();
  Leaving pick_largest() const;
  void price_candidates(Leaving& best, double merit);
  void find_basics_of_candidates(std::size_t looks);
  double edge_of_row(std::size_t look, std::int32_t row);
  void set_beta(const Leaving& leaving);
  void set_rates(const Leaving& leaving);
  void mark(std::int32_t item, double rate);
  void clear_rates();
  std::int32_t item_of(const Leaving& leaving) const;
  void push_break(std::int32_t item, double rate);
  void list_breaks(const Leaving& leaving);
  Break pop_break();
  Ratio ratio_test(const Leaving& leaving);
  void step(const Leaving& leaving, Ratio ratio);
  void move_duals(const Leaving& leaving);
  void set_alpha();
  double gradient(const Leaving& leaving) const;
  double value_of(const Leaving& leaving) const;
  void pivot(const Leaving& leaving);
  void leave(const Leaving& leaving, double goal);
  void enter_column(const Leaving& leaving, double gradient, double move);
  void enter_row(const Leaving& leaving);
  void activate(std::int32_t row, std::size_t position, double target);
  void keep_ray(const Leaving& leaving);
  bool settle();
  bool rebuild();

  LazySource* source_ = nullptr;
  LazyPlaces* places_ = nullptr;
  LazyTuning tuning_;
  std::vector<Item> items_;
  std::vector<Hot> hot_;  // by item
  std::vector<Row> rows_;
  std::vector<std::vector<LazyEntry>> kept_, lists_;  // of rows and of columns, for reuse
  std::size_t lists_used_ = 0;
  std::vector<double> row_value_, row_low_, row_high_;  // by row; infinite limits if active
  std::size_t costly_rows_ = 0, incomplete_rows_ = 0;
  std::vector<std::int32_t> basis_, active_;
  std::vector<double> values_;                  // of basic columns
  std::vector<double> basic_low_, basic_high_;  // of their pieces
  std::vector<double> duals_;                   // of active rows
  DenseInverse inverse_;
  std::int32_t changes_ = 0;      // of the inverse since it was made from scratch
  std::int32_t since_fresh_ = 0;  // steps since values were computed from scratch
  std::int64_t steps_ = 0;
  double objective_ = 0;  // of the dual, from that at the start

  std::vector<std::int32_t> marked_, pending_;
  std::vector<std::int32_t> passed_;  // whose next point is not the one they rest at
  std::vector<Break> breaks_;
  int popped_ = 0;
  std::vector<double> alpha_, beta_, delta_, work_, all_duals_;
  std::vector<ActiveEntry> sparse_;
  std::vector<std::pair<double, std::int32_t>> broken_;
  std::vector<std::int8_t> candidate_;  // by row: whether its edge is measured, and as which
  std::vector<std::vector<std::pair<std::int32_t, double>>> basics_of_candidate_;
  std::vector<LazyEntry> gathered_, joined_;
  double step_ = 0;
  int entering_direction_ = 0;                      // where what enters goes
  std::int32_t entering_ = -1, leaving_item_ = -1;  // leaving_item_: -1 if it is an equation
  std::vector<std::pair<std::int32_t, double>> ray_;
};

}  // namespace lacuna::simplex
