// SPDX-License-Identifier: Apache-2.0
// Cutting planes for the interval problem (Benders decomposition of Castro and Via; Algorithm 4.2
// of the thesis). The master's optimum is the bound. What makes the loop short:
//   - Attacker problems ask for the cheapest widening of z (judge/attacker/repair_simplex.h): of
//   the many
//     cuts that z violates this gives the one that it violates most per cost. Each search starts
//     from the last basis of its goal; large bases are told by leaves
//     (judge/attacker/leaf_simplex.h).
//   - Cuts are sought a part of the way from the master's point to the best safe one; those of
//     networks are taken apart (threshold_cuts.h).
//   - Prices are all a little different until everything is met, so few optima are equal.
//   - A stored witness that fits the new z needs no attacker problem.
//   - Any z becomes safe by these widenings, one unmet goal after the other;
//     the hull of all witnesses is then the smallest safe point that they show. Its cost closes
//     the gap long before the master's own optimum is safe.
//   - Where bases are large all goals are first solved together, nearly (splitting.h): its cuts
//     and its slacks are where the loop goes on from.
//   - Cuts that have been slack for long are dropped while the bound still moves.
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "judge/attacker/leaf_simplex.h"
#include "judge/attacker/repair_simplex.h"
#include "judge/attacker/solver.h"
#include "lacuna/interval.h"
#include "protect/interval/master.h"
#include "protect/interval/model.h"
#include "protect/interval/start.h"
#include "protect/interval/threshold_cuts.h"

namespace lacuna::interval {

struct LoopResult {
  StopReason why = StopReason::kWork;
  Point safe;                             // the best safe point
  std::vector<attacker::Move> witnesses;  // by goal; empty if the point is the fallback
  double cost = 0;                        // of the safe point, may be infinite
  double bound = 0;
  std::int32_t unattainable = -1;  // a requirement that no intervals can meet
};

struct LoopOptions {
  double gap = 0;          // stop once (cost - bound) / cost is at most this
  bool keep_cuts = false;  // for take_cuts()
  // Called after every round that has found a better safe point.
  std::function<void(const LoopResult&)> on_better;
};

class CuttingPlanes {
 public:
  static Result<std::unique_ptr<CuttingPlanes>> make(const Model& model,
                                                     const LoopOptions& options,
                                                     const std::string& engine,
                                                     int threads);
  // The first safe point, if asked for: what its pattern shows. Before run().
  StartMoves start(const RunContext& run);
  LoopResult run(const RunContext& run);
  const IntervalCounts& counts() const { return counts_; }
  std::span<const Goal> goals() const { return goals_; }
  std::vector<Cut> take_cuts() { return std::move(cuts_); }  // all that were found, if kept

 private:
  CuttingPlanes(const Model& model, const LoopOptions& options, std::string engine, int threads)
      : model_(model),
        options_(options),
        threads_(threads),
        goals_(goals_of(model)),
        net_(*model.attacked, model.weight, {}),
        engine_(std::move(engine)) {}

  enum class GoalState : std::uint8_t { kUnsettled, kMet, kReused, kViolated };
  struct Found {  // by goal, in one round
    GoalState finding = GoalState::kUnsettled;
    bool asked = false;
    std::vector<Cut> cuts;
  };
  void make_lanes();
  void add_first_cuts();
  void add_cuts(std::vector<Cut> cuts);
  double reference_level(std::size_t goal) const;
  void work_on_lane(std::size_t lane,
                    const Point& at,
                    const RunContext& run,
                    std::vector<Found>& found);
  bool reaches(std::size_t goal,
               double level,
               std::span<const double> slacks,
               std::size_t lane,
               attacker::Move& move);
  void look_closely(std::size_t goal,
                    const Point& at,
                    std::span<const double> slacks,
                    std::span<const double> most,
                    std::size_t lane,
                    const RunContext& run,
                    Found& found);
  struct Round {
    std::int64_t violated = 0;  // cuts added
    bool all_met = true;        // every goal has a witness that fits
  };
  Round round(const Point& at, const RunContext& run);
  Round separate(const Point& outer, bool stabilized, const RunContext& run);
  attacker::RepairOutcome widen(std::size_t goal,
                                double level,
                                std::span<const double> slacks,
                                std::span<const double> most,
                                std::size_t lane,
                                const RunContext& run);
  bool keep_cut(Cut whole,
                std::span<const attacker::Multiplier> multipliers,
                const Point& at,
                std::size_t lane,
                std::size_t goal,
                Found& found);
  bool keep_searched_cut(std::size_t goal, const Point& at, std::size_t lane, Found& found);
  bool sharpen(std::size_t goal);
  bool make_safe(Point& point, const RunContext& run);
  void offer(Point candidate, const RunContext& run);
  void offer_hull();
  Point hull() const;
  static Point between(const Point& outer, const Point& safe, double share);
  void find_unattainable(const RunContext& run);
  bool closed() const;
  bool add_bound(const RunContext& run, Point& outer);
  bool go_on(const Round& found);
  void tell_better(double before) const;
  bool rounds_are_slow() const;
  void split(const RunContext& run);
  void report(const RunContext& run) const;

  const Need& need_of(std::size_t goal) const {
    return model_.needs[static_cast<std::size_t>(goals_[goal].need)];
  }
  attacker::Move move_of(std::size_t goal) const {
    return leaves_[goal] ? leaves_[goal]->move() : searches_[goal].move();
  }
  double excess_of(std::size_t goal) const {
    return leaves_[goal] ? leaves_[goal]->excess() : searches_[goal].excess();
  }
  double level_at(const Point& point, std::size_t goal) const {
    return point.h[share_index(goals_[goal])];
  }
  static std::size_t share_index(const Goal& goal) {
    return 2 * static_cast<std::size_t>(goal.need) + (goal.sign > 0 ? 0 : 1);
  }

  const Model& model_;
  LoopOptions options_;
  int threads_;
  std::vector<Goal> goals_;
  std::vector<attacker::Move> witness_;          // by goal: the last one found
  std::vector<double> shown_;                    // how far it takes the cell; 0: there is none
  std::vector<std::vector<std::size_t>> lanes_;  // goals by attacker
  attacker::RepairNet net_;
  std::vector<attacker::RepairSimplex> searches_;               // by goal
  std::optional<attacker::LeafNet> leaf_net_;                   // outside networks
  std::vector<std::unique_ptr<attacker::LeafSimplex>> leaves_;  // by goal: instead, for large bases
  std::vector<attacker::RepairScratch> scratch_;                // by lane
  std::vector<std::unique_ptr<attacker::AttackerSolver>> flows_;  // by lane, in networks
  std::vector<ThresholdCuts> splitters_;                          // by lane, in networks
  std::string engine_;
  std::unique_ptr<Master> master_;
  std::vector<Cut> cuts_;
  IntervalCounts counts_;
  LoopResult result_;
  bool made_safe_ = false;  // the best point is near a master's
  bool was_split_ = false;
  double last_bound_ = 0;     // of the round before
  bool rising_ = true;        // the bound, in the last round
  std::int32_t stalled_ = 0;  // rounds in which it was not
};

}  // namespace lacuna::interval
