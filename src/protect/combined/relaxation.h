// SPDX-License-Identifier: Apache-2.0
// The LP relaxation of the combined problem over z, x and the shares h of sliding levels, with cuts
// added as the point asks for them:
//   z_e <= R_e x_i, R_e the tightened slack;
//   capacity cuts in (z, x): from  sum_e d_e z_e + constant >= D  and any set B of cells
//     sum_{i not in B} d_e z_e + sum_{i in B} min(sum_e d_e R_e, D') x_i + constant >= D
//   is valid, with D' = D - constant, or an upper bound of D where D is a share h: if a capped cell
//   of B is open the left side has all it needs, else d_e z_e <= d_e R_e x_i. For sliding levels
//   the two directions are also added up, which caps at the sliding level itself;
//   cuts of interval problems solved before, in the same way, before any attacker is asked;
//   all inequalities of complete suppression (pattern_cuts.h), and what fixed prices cost at least;
//   bridgeless inequalities: an open cell moves, so in each of its equations another one does,
//     x_i <= sum_{k in j, k != i} x_k.
// The slack R_e is at most the largest level where the table is a network: a witness falls into
// cycles of which only those through the sensitive cell are needed. Elsewhere only cost bounds it:
// what costs less than the best solution known has  w_e z_e <= its cost - what the other cells need
// in any case, and by the reduced cost r_e of the root,  z_e <= z*_e + (cost - bound) / r_e.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/lp/idle_rows.h"
#include "lacuna/combined.h"
#include "lacuna/lp.h"
#include "protect/combined/pattern_cuts.h"
#include "protect/combined/tuning.h"
#include "protect/interval/cut.h"
#include "protect/interval/model.h"
#include "protect/interval/need_searches.h"

namespace lacuna::combined {

struct Prices {
  std::vector<double> fixed;                   // by cell, 0 where no interval is paid for
  std::vector<bool> choice;                    // by cell: x is a variable
  std::vector<double> least_width;             // by cell, LP numbers
  std::vector<std::int32_t> conditional_need;  // by cell: index of its need, -1: none
  std::vector<std::int32_t> intervals;         // by cell: how many it stands for
  std::int64_t most_intervals = -1;
};

struct Point {
  std::vector<double> z;  // by end
  std::vector<double> x;  // by cell
  std::vector<double> h;  // by need and direction
};

enum class Depth : std::uint8_t {
  kQuick,  // cuts where they are easily found
  kFull,   // until every goal has a witness
};

struct Solved {
  LpStatus status = LpStatus::kNumericalTrouble;
  bool all_met = false;  // every goal has a witness at the point
  double cost = 0;
};

class Relaxation {
 public:
  static Result<std::unique_ptr<Relaxation>> make(const interval::Model& model,
                                                  const Prices& prices,
                                                  const std::string& engine,
                                                  int threads);

  void set_range(std::int32_t cell, double lower, double upper);  // of x
  // Cuts of the interval problem that hold for any z.
  void add_to_pool(std::vector<interval::Cut> cuts);
  // Inequalities of complete suppression are looked for as well.
  void use_patterns(PatternCuts* patterns) { patterns_ = patterns; }
  // What all intervals cost at least, without their widths.
  void set_least_fixed(double cost);
  // Shrinks slacks to what solutions cheaper than `cost` can use.
  void tighten_slacks(double cost);
  // The same by the reduced costs of the last solve, whose cost was `bound`.
  void tighten_by_reduced_costs(double bound, double cost);

  // Solves and separates until nothing is found, the cost passes `cutoff`, progress is slow
  // (kQuick) or the run stops.
  Solved solve(Depth depth, double cutoff, const RunContext& run, Point& point);
  const std::vector<double>& reduced_costs() const { return reduced_; }  // of x, user's unit
  const CombinedCounts& counts() const { return counts_; }

 private:
  Relaxation(const interval::Model& model, const Prices& prices);
  Status load();
  void set_price_scale();
  void add_widths(LpModel& lp);
  void add_choices(LpModel& lp);
  void add_least_width(std::size_t cell, LpModel& lp) const;
  void add_shares(LpModel& lp);
  void add_price_row(LpModel& lp);
  void set_slack_bounds(std::size_t end);
  bool read(const LpSolution& found, Point& point);
  struct Row {
    std::vector<std::pair<std::int32_t, double>> terms;
    double lower = 0;
  };
  bool separate(Depth depth, const Point& point, const RunContext& run, std::vector<Row>& rows);
  void find_links(const Point& point, std::vector<Row>& rows) const;
  void find_bridges(const Point& point, std::vector<Row>& rows) const;
  void find_patterns(bool thorough,
                     const Point& point,
                     const RunContext& run,
                     std::vector<Row>& rows);
  void find_in_pool(const Point& point, std::vector<Row>& rows) const;
  double smaller_sides(const interval::Cut& cut, const Point& point) const;
  bool cut_row(const interval::Cut& cut, const Point& point, Row& row) const;
  bool sum_row(const interval::Cut cuts[2], const Point& point, Row& row) const;
  struct Side {
    bool asked = false, trusted = false, met = false;
    std::vector<std::pair<EquationId, double>> multipliers;
  };
  void probe_goal(
      std::size_t need, Depth depth, const Point& point, const RunContext& run, Side sides[2]);
  void goal_cuts(std::size_t need,
                 const Point& point,
                 const Side sides[2],
                 std::vector<Row>& rows) const;
  bool mixed_row(std::size_t need,
                 std::vector<std::pair<std::size_t, double>> ends,
                 double constant,
                 const std::vector<std::int32_t>& shares,
                 double level,
                 double cap,
                 const Point& point,
                 Row& row) const;
  void add(const std::vector<Row>& rows);
  bool ask_attackers(Depth depth,
                     const Point& point,
                     const RunContext& run,
                     std::vector<Row>& rows);

  const interval::Model& model_;
  const Prices& prices_;
  int threads_ = 1;
  std::unique_ptr<LpSolver> solver_;
  interval::NeedSearches searches_;
  std::vector<double> slack_;                     // by end
  std::vector<std::int32_t> z_, x_, h_;           // columns, -1: none
  std::vector<std::vector<interval::Cut>> pool_;  // by need and direction
  PatternCuts* patterns_ = nullptr;
  std::int32_t price_row_ = -1;
  std::int32_t fixed_rows_ = 0;
  lp::IdleRows idle_{kTuning.relaxation.idle_rounds};  // the cuts
  double price_ = 1;
  std::vector<double> reduced_;        // of x
  std::vector<double> reduced_width_;  // of z, per LP number
  std::vector<double> last_z_;
  std::vector<bool> shut_;  // by cell: x may only be 0 now
  CombinedCounts counts_;
};

}  // namespace lacuna::combined
