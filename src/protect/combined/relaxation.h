// SPDX-License-Identifier: Apache-2.0
// The LP relaxation of the combined problem, (4) of docs/intervals.md, over z, x and the shares h
// of sliding levels (columns.h), with rows added as the point asks for them: links, bridges and
// mixed cuts (row_finder.h), cuts of interval problems solved before, all inequalities of complete
// suppression (pattern_cuts.h), what fixed prices cost at least, and what attackers say
// (goal_probes.h).
//
// The slack R_e of a width is at most the largest level where the table is a network: a witness
// falls into cycles of which only those through the sensitive cell are needed. Elsewhere only cost
// bounds it: what costs less than the best solution known has
//   w_e z_e <= its cost - what the other cells need in any case,                         (4e)
// and by the reduced cost r_e of the root
//   z_e <= z*_e + (cost - bound) / r_e.                                                  (4f)
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/lp/idle_rows.h"
#include "lacuna/combined.h"
#include "lacuna/lp.h"
#include "protect/combined/columns.h"
#include "protect/combined/goal_probes.h"
#include "protect/combined/pattern_cuts.h"
#include "protect/combined/row_finder.h"
#include "protect/combined/tuning.h"
#include "protect/interval/cut.h"
#include "protect/interval/model.h"

namespace lacuna::combined {

struct Prices {
  std::vector<double> fixed;                   // by cell, 0 where no interval is paid for
  std::vector<bool> choice;                    // by cell: x is a variable
  std::vector<double> least_width;             // by cell, LP numbers
  std::vector<std::int32_t> conditional_need;  // by cell: index of its need, -1: none
  std::vector<std::int32_t> intervals;         // by cell: how many it stands for
  std::int64_t most_intervals = -1;
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
  void add_to_pool(std::vector<interval::Cut> cuts) { rows_.add_to_pool(std::move(cuts)); }
  // Inequalities of complete suppression are looked for as well.
  void use_patterns(PatternCuts* patterns) { patterns_ = patterns; }
  // What all intervals cost at least, without their widths.
  void set_least_fixed(double cost);
  // Shrinks slacks to what solutions cheaper than `cost` can use (4e).
  void tighten_slacks(double cost);
  // The same by the reduced costs of the last solve, whose cost was `bound` (4f).
  void tighten_by_reduced_costs(double bound, double cost);

  // Solves and separates until nothing is found, the cost passes `cutoff`, progress is slow
  // (kQuick) or the run stops.
  Solved solve(Depth depth, double cutoff, const RunContext& run, Point& point);
  const std::vector<double>& reduced_costs() const { return last_.reduced_choices; }  // user's unit
  const CombinedCounts& counts() const { return counts_; }

 private:
  // What the last solve says besides its point: by end, by cell, in the user's unit.
  struct Solution {
    std::vector<double> widths;
    std::vector<double> reduced_widths;  // per LP number
    std::vector<double> reduced_choices;
  };
  struct WidthLimits {
    std::vector<double> slacks;  // R, by end
    std::vector<bool> closed;    // by cell: x may only be 0 now
  };
  Relaxation(const interval::Model& model, const Prices& prices, int threads);
  Status load();
  void add_widths(LpModel& lp);
  void add_choices(LpModel& lp);
  void add_least_width(std::size_t cell, LpModel& lp) const;
  void add_shares(LpModel& lp);
  void add_price_row(LpModel& lp);
  double price_of(EndId end) const;  // of a width, per LP number
  void limit_width(EndId end);
  Point read(const LpSolution& found);
  bool separate(Depth depth, const Point& point, const RunContext& run, std::vector<Row>& rows);
  void find_patterns(const Point& point, const RunContext& run, std::vector<Row>& rows);
  void add(const std::vector<Row>& rows);

  const interval::Model& model_;
  const Prices& prices_;
  std::unique_ptr<LpSolver> solver_;
  Columns columns_;
  WidthLimits limits_;
  RowFinder rows_;
  GoalProbes goals_;
  PatternCuts* patterns_ = nullptr;
  double scale_;                                       // of prices: so much is 1 to the engine
  std::int32_t price_row_ = -1;                        // the last of the rows that are no cuts
  lp::IdleRows idle_{kTuning.relaxation.idle_rounds};  // the cuts
  Solution last_;
  CombinedCounts counts_;
};

}  // namespace lacuna::combined
