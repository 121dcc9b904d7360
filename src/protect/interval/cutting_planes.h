// SPDX-License-Identifier: Apache-2.0
// Cutting planes for the interval problem (Benders decomposition of Castro and Via; Algorithm 4.2
// of the thesis). The master's optimum is the bound. Equations are those of docs/intervals.md; what
// makes the loop short is in its section 2:
//   - Attacker problems ask for the cheapest widening of z (goal_searches.h): of the many cuts (3)
//     that z violates this gives the one that it violates most per cost. Each search starts from
//     the last basis of its goal; large bases are told by leaves.
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

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "lacuna/interval.h"
#include "protect/interval/goal_searches.h"
#include "protect/interval/master.h"
#include "protect/interval/model.h"
#include "protect/interval/start.h"

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
  std::string engine;      // of linear programs; empty: preferred
  int threads = 1;
  // Called after every round that has found a better safe point.
  std::function<void(const LoopResult&)> on_better;
};

class CuttingPlanes {
 public:
  static Result<std::unique_ptr<CuttingPlanes>> make(const Model& model,
                                                     const LoopOptions& options);
  // The first safe point, if asked for: what its pattern shows. Before run().
  StartMoves start(const RunContext& run);
  LoopResult run(const RunContext& run);
  const IntervalCounts& counts() const { return counts_; }
  std::span<const Goal> goals() const { return searches_.goals(); }
  std::vector<Cut> take_cuts() { return std::move(cuts_); }  // all that were found, if kept

 private:
  CuttingPlanes(const Model& model, const LoopOptions& options);

  struct Witness {
    attacker::Move move;
    double shown = 0;  // how far it takes the cell; 0: there is none
  };
  struct View {  // what an attacker has at a point, by end
    std::int32_t attacker = -1;
    std::vector<double> slacks, most;
  };
  struct Look {  // at one goal, at one point
    std::size_t goal = 0, lane = 0;
    const Point& at;
    const View& view;
    double level = 0, tolerance = 0;
  };
  enum class GoalState : std::uint8_t { kUnsettled, kMet, kReused, kViolated };
  struct Found {
    GoalState finding = GoalState::kUnsettled;
    bool asked = false;
    std::vector<Cut> cuts;           // if violated
    std::optional<Witness> witness;  // if met: the new one
  };
  struct Round {
    std::int64_t violated = 0;  // cuts added
    bool all_met = true;        // every goal has a witness that fits
  };
  struct Progress {  // of the bound, by rounds at the master's optimum
    double last = 0;
    bool rising = true;
    std::int32_t stalled = 0;  // rounds in which it was not
    void add(double bound);
  };

  void add_first_cuts();
  void add_cuts(std::vector<Cut> cuts);
  View view_of(std::int32_t attacker, const Point& at) const;
  Found settle(const Look& look, const RunContext& run);
  Found ask_attacker(const Look& look, const RunContext& run);
  std::vector<Cut> if_violated(const Look& look,
                               Cut cut,
                               std::span<const attacker::Multiplier> multipliers);
  std::vector<Cut> searched_cuts(const Look& look);
  Round round(const Point& at, const RunContext& run);
  Round separate(const Point& outer, const RunContext& run);
  bool make_safe(Point& point, const RunContext& run);
  void offer(Point candidate, const RunContext& run);
  void offer_hull();
  Point hull() const;
  bool closed() const;
  bool add_bound(const RunContext& run, Point& outer);
  bool go_on(const Round& found);
  void report_if_better(double before) const;
  void split(const RunContext& run);
  void set_ending(const RunContext& run);
  double level_at(const Point& point, std::size_t goal) const;
  double tolerance(std::size_t goal) const;

  const Model& model_;
  LoopOptions options_;
  GoalSearches searches_;
  std::unique_ptr<Master> master_;
  std::vector<Witness> witnesses_;  // by goal: the last one found
  std::vector<Cut> cuts_;
  IntervalCounts counts_;
  LoopResult result_;
  Progress progress_;
  bool made_safe_ = false;  // the best point is near a master's
};

}  // namespace lacuna::interval
