// SPDX-License-Identifier: Apache-2.0
// A dual simplex method that touches only what it needs:
//
//   minimize sum_j phi_j(x_j) + sum_i psi_i(t_i)   subject to  t_i = a_i'x + b_i            (1)
//
// with phi and psi convex and piecewise linear (piecewise.h). Most rows are equations: psi_i allows
// t_i = 0 alone. At the start every x_j rests at a breakpoint that is dual feasible for y = 0. Rows
// whose t_i lies outside its piece are broken; repairing one may break others, and only rows that
// hold something that moved, and columns in rows that were broken once, are ever looked at.
//
// An item is a column, or the t_i of a row that is no equation. A row is active if t_i rests at a
// breakpoint, a column is basic if x_j does not; the basis B is (active rows A) x (basic columns),
// with a dense inverse W (dense_inverse.h). With y the multipliers, the dual activity of an item is
//
//   d_j = a_j'y  of a column,  d_i = -y_i  of t_i.                                          (2)
//
// What rests at p_k has s_k <= d <= s_(k+1); what does not rest has the slope of its piece.  (3)
// What does not rest is x_B = W (p_A - fixed), p_A the points of the active rows and `fixed` what
// their constants and columns at rest add up to.                                            (4)
//
// A step repairs an item that lies outside its piece by an excess e > 0: of those the steepest edge
// of the dual (Forrest and Goldfarb 1992),
//
//   max e^2 / l,   l = |row of W|^2 of a basic column,  1 + |a_r'W|^2 of a row r,           (5)
//
// computed outright since the basis is small, or what is broken most. It leaves to the nearest end
// of its piece. With beta' its row of W or a_r'W, and sigma = 1 if it is too large and -1 if it is
// too small, the multipliers move by a length theta:
//
//   y_A += theta sigma beta,   y_r -= theta sigma if it is row r,                           (6)
//   d_j changes at the rate sigma (a_j'beta - a_rj),   d_i of t_i at -sigma beta_i.         (7)
//
// The slope of the dual objective in theta is e at first, and falls at the breakpoints that others
// pass by |rate| times the length of their next piece (Fourer 1985; Maros 2003); the one where it
// is no longer positive belongs to what enters.                                             (8)
// Breakpoints of what leaves are among them: then it stays in the basis, on another piece. What
// enters moves, with alpha = W a_j of column j or -W e_i of t_i, and g the change of what leaves
// per unit of what enters,
//
//   by (p - value of what leaves) / g,   x_B -= that times alpha,                           (9)
//   g = -alpha_q of basic column q;  of row r  a_rj - beta'a_j for column j, beta_i for t_i.(10)
//
// If nothing ends the step, (6) is a ray of the dual, and (1) has no solution.
//
// Stability is looked after in settle(): the values are computed anew now and then and before an
// answer, the inverse when rows of the basis are left open then or after many changes. Multipliers,
// dual activities and resting places follow the new inverse, so that the basis is dual feasible
// again whatever rounding has done. That nothing repairs a row is believed only of a fresh inverse.
//
// Between two steps, and check_invariants() says so:
//   each basic column and each active row knows its position in the basis, there are as many of
//   one as of the other, and the inverse has that order;
//   an equation that is active stays so;
//   the limits by which items are found broken are those of their pieces, an active row has none,
//   and an equation that is not active has zero;
//   what rests does so at a breakpoint that is finite;
//   no item has a rate, and only active rows have something that the basis has to make up for.
// dual_infeasibility() says how well (3) is kept.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "core/simplex/break_heap.h"
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
  std::size_t max_candidates = 8;  // broken rows, worst first, whose edge is measured
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
  std::int64_t steps() const { return progress_.steps; }  // of all searches

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
  double row_value(std::size_t place) const { return t_.value[place]; }
  std::span<const std::int32_t> basis() const { return basis_.items; }
  std::span<const std::int32_t> active_rows() const { return basis_.rows; }  // places
  const double* inverse_row(std::size_t basic) const { return basis_.inverse.row(basic); }
  // y by place of the row, for other slopes of what does not rest.
  using SlopeOf = std::function<double(std::size_t item)>;
  void multipliers(const SlopeOf& slope, std::vector<double>& y);
  // After kImpossible: changes of multipliers that improve the dual for ever, by place of the row.
  const std::vector<std::pair<std::int32_t, double>>& ray() const { return ratio_.ray; }

  // Throws if an invariant of the head of this file is broken; a debug build asks at the ends of
  // every search and whenever values are computed anew.
  void check_invariants() const;
  // The largest violation of (3), relative to the slope where that is above 1.
  double dual_infeasibility() const;

 private:
  // Of most items the ratio test reads the first line of the cache alone.
  struct alignas(64) Item {
    double dual_activity = 0;    // d of (2)
    std::int32_t id = -1;        // of the column
    std::int32_t row = -1;       // place of the row
    std::int8_t at_point = 0;    // where it rests
    std::int8_t next_point = 0;  // where the step at hand takes it
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
    double rate = 0;          // of its dual activity in the step at hand (7)
    std::int32_t place = -1;  // of a basic column, in the basis
    std::int32_t mark = 0;    // place among those with a rate, from 1 on; 0 if it has none
  };
  struct Row {
    std::int32_t id = -1;
    std::int32_t item = -1;    // of its t; -1: an equation
    std::int32_t active = -1;  // position in the basis
    double constant = 0;
    double fixed = 0;    // constant and columns at rest
    double target = 0;   // of an active row
    double pending = 0;  // what the basis has yet to make up for
    bool gathered = false, complete = false;
    std::vector<LazyEntry> entries;  // items
  };
  struct Bounded {  // numbers and the limits of their pieces
    std::vector<double> value, low, high;
    void clear();
  };
  struct Basis {
    std::vector<std::int32_t> items;  // basic columns
    std::vector<std::int32_t> rows;   // active, places
    std::vector<double> duals;        // y of the active rows
    Bounded x;                        // of the basic columns
    DenseInverse inverse;             // W
    std::int32_t changes = 0;         // of the inverse since it was made from scratch

    std::size_t size() const { return items.size(); }
    void clear();
    void add(std::int32_t item, std::int32_t row);  // all but the inverse, as all the following
    void remove(std::size_t basic, std::size_t active);
  };
  struct Progress {
    std::size_t costly_rows = 0;      // that are no equations
    std::size_t incomplete_rows = 0;  // that were listed in part
    std::int32_t since_fresh = 0;     // steps since values were computed from scratch
    std::int64_t steps = 0;
    double objective = 0;  // of the dual, from that at the start
  };
  struct Lists {
    std::vector<std::vector<LazyEntry>> spare;    // of rows, for reuse
    std::vector<std::vector<LazyEntry>> columns;  // the first `used` are in use
    std::size_t used = 0;
    std::vector<LazyEntry> gathered, joined;  // of the row and of the column at hand
  };
  // What the parts of a step work with. Between steps it is memory alone, but for what is pending
  // and the ray.
  struct Pricing {
    std::vector<std::pair<double, std::int32_t>> broken;  // minus the excess, and the row
    std::vector<std::int8_t> candidate;  // by row: which one, -1 if its edge is not measured
    std::vector<std::vector<std::pair<std::int32_t, double>>> basics_of_candidate;
    std::vector<double> edge;
  };
  struct RatioTest {
    std::vector<std::int32_t> marked;  // items with a rate
    std::vector<std::int32_t> passed;  // items whose next point is not the one they rest at
    BreakHeap breaks;
    std::vector<std::pair<std::int32_t, double>> ray;  // of the last test that found no end
  };
  struct Scratch {
    std::vector<double> alpha, beta;    // of (9) and (6)
    std::vector<double> delta;          // changes of x_B that are not applied yet
    std::vector<std::int32_t> pending;  // active rows that the basis has to make up for
    std::vector<ActiveEntry> sparse;    // a vector over the active rows
    std::vector<double> slopes;         // of basic columns
    std::vector<double> multipliers;    // y by row
  };

  // What a step repairs. Its item is -1 if it is an equation.
  struct Leaving {
    std::int32_t row = -1;    // place of a row, or
    std::int32_t basic = -1;  // position of a basic column
    double excess = 0;        // e
    int direction = 0;        // sigma; 0: nothing is broken
  };
  // What the ratio test says: how far the multipliers go, and what ends it.
  struct Step {
    double length = 0;               // theta
    std::int32_t leaving_item = -1;  // -1: an equation
    std::int32_t entering = -1;      // an item; the leaving one if it only changes its piece
    int entering_direction = 0;
    double improvement = 0;  // of the dual objective

    bool only_switches() const { return entering == leaving_item; }
  };

  // lazy_rows.cpp: what is touched, and its values
  std::int32_t add_item(const Piecewise& cost, std::int32_t id, std::int32_t row);
  std::span<const LazyEntry> rows_of(std::int32_t item);
  void make_list(std::int32_t item);
  bool gather(std::int32_t row, bool all);
  bool join_gathered(std::int32_t item);
  bool widen();
  bool read_costs();
  void gather_again();
  bool rests(std::size_t item) const;
  void move_resting(std::int32_t item, double from, double to);
  void reset_fixed();
  void refresh();
  bool has_drifted() const;
  bool refactor();
  void set_duals();
  void set_piece(std::int32_t item);
  void follow_pending();
  void change_basics();

  // lazy_invariants.cpp
  void check_basis() const;
  void check_item(std::size_t item) const;
  void check_in_debug() const;

  // lazy_dual.cpp: the steps
  LazyEnding take_steps(const RunContext* run, double budget);
  bool choose_surely(Leaving& leaving);
  void count_step() const;
  Leaving choose();
  Leaving choose_most_broken() const;
  void price_candidates(Leaving& best, double merit);
  void find_basics_of_candidates(std::size_t count);
  double edge_of_row(std::size_t candidate, std::int32_t row);
  void set_beta(const Leaving& leaving);
  void set_rates(const Leaving& leaving);
  void mark(std::int32_t item, double rate);
  void clear_rates();
  std::int32_t item_of(const Leaving& leaving) const;
  void push_break(std::int32_t item, double rate);
  void list_breaks(const Leaving& leaving, std::int32_t leaving_item);
  std::optional<Step> ratio_test(const Leaving& leaving);
  void take(const Step& step, const Leaving& leaving);
  void move_duals(const Step& step, const Leaving& leaving);
  void set_alpha(std::int32_t entering);
  double pivot_element(const Leaving& leaving, std::int32_t entering) const;
  double value_of(const Leaving& leaving) const;
  void pivot(const Step& step, const Leaving& leaving);
  void switch_piece(const Step& step, const Leaving& leaving);
  void leave(const Leaving& leaving, double end);
  void enter_column(const Leaving& leaving, std::int32_t entering, double pivot, double move);
  void enter_row(const Leaving& leaving, std::int32_t entering);
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
  Bounded t_;  // by row
  Basis basis_;
  Progress progress_;
  Lists lists_;
  Pricing pricing_;
  RatioTest ratio_;
  Scratch scratch_;
};

}  // namespace lacuna::simplex
