// SPDX-License-Identifier: Apache-2.0
// Who answers the attacker problems of cutting planes. A goal is asked about again and again while
// z changes; its GoalSearch starts each time where it ended the last time. It asks for the cheapest
// widening, (3a) of docs/intervals.md: first over equations (judge/attacker/repair_simplex.h), and
// from the first basis on that is larger than the number of leaves over leaves
// (judge/attacker/leaf_simplex.h). In networks a largest flow says at once whether a cell reaches
// its level, and cuts are taken apart (threshold_cuts.h).
//
// Goals are spread over lanes by attacker. One thread at a time may ask for the goals of a lane.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "judge/attacker/leaf_simplex.h"
#include "judge/attacker/repair_simplex.h"
#include "judge/attacker/solver.h"
#include "lacuna/run_context.h"
#include "protect/interval/cut.h"
#include "protect/interval/model.h"
#include "protect/interval/threshold_cuts.h"

namespace lacuna::interval {

struct SearchedCut {
  Cut cut;
  std::span<const attacker::Multiplier> multipliers;  // until the next search; empty: not by them
};

class GoalSearch {
 public:
  struct Question {
    double level = 0;
    const attacker::Slacks& slacks;  // now, and
    const attacker::Slacks& widest;  // at most
  };
  // Of one goal, by some way. What it says is that of the last solve().
  class Way {
   public:
    virtual ~Way() = default;
    virtual attacker::RepairOutcome solve(const Question& question,
                                          attacker::RepairScratch& scratch,
                                          const RunContext& run) = 0;
    virtual attacker::Move move() const = 0;
    virtual double excess() const = 0;  // largest step beyond the slacks
    virtual std::optional<SearchedCut> cut(const Model& model,
                                           const Goal& goal,
                                           std::span<const double> z) const = 0;
    virtual bool is_sharp() const = 0;
    virtual void sharpen() = 0;
    virtual std::size_t memory() const = 0;
    virtual void forget() = 0;
  };

  // `leaves`: null where the way over equations is the only one.
  GoalSearch(const attacker::RepairNet& net,
             const attacker::LeafNet* leaves,
             std::int32_t cell,
             int sign);

  // Keeps at most so many bytes for the next time.
  attacker::RepairOutcome solve(const Question& question,
                                attacker::RepairScratch& scratch,
                                std::size_t most_memory,
                                const RunContext& run);
  attacker::Move move() const { return way_->move(); }
  double excess() const { return way_->excess(); }
  // The cut that z violates most per cost; none if no widening is needed.
  std::optional<SearchedCut> cut(const Model& model,
                                 const Goal& goal,
                                 std::span<const double> z) const {
    return way_->cut(model, goal, z);
  }
  // Prices within the slacks matter less than any widening from now on; false: they do already.
  bool sharpen();
  bool is_over_leaves() const { return over_leaves_; }

 private:
  const attacker::LeafNet* leaves_;
  std::int32_t cell_;
  int sign_;
  bool over_leaves_ = false;
  std::unique_ptr<Way> way_;
};

class GoalSearches {
 public:
  GoalSearches(const Model& model, std::vector<Goal> goals, const std::string& engine);
  GoalSearches(const GoalSearches&) = delete;
  GoalSearches& operator=(const GoalSearches&) = delete;

  std::span<const Goal> goals() const { return goals_; }
  const Goal& goal(std::size_t goal) const { return goals_[goal]; }
  const Need& need_of(std::size_t goal) const {
    return model_.needs[static_cast<std::size_t>(goals_[goal].need)];
  }
  // What a level that is missed is compared with.
  double reference_level(std::size_t goal) const;

  std::size_t num_lanes() const { return lanes_.size(); }
  const std::vector<std::size_t>& goals_of(std::size_t lane) const { return lanes_[lane].goals; }

  // In networks: a displacement within the slacks that takes the cell to its level, if there is
  // one.
  std::optional<attacker::Move> move_by_flow(std::size_t goal,
                                             std::size_t lane,
                                             double level,
                                             std::span<const double> slacks);
  // Slacks by end, at most `most`.
  attacker::RepairOutcome widen(std::size_t goal,
                                std::size_t lane,
                                double level,
                                std::span<const double> slacks,
                                std::span<const double> most,
                                const RunContext& run);
  GoalSearch& search(std::size_t goal) { return searches_[goal]; }
  // In networks the cuts that this one is the mean of; else none.
  std::vector<Cut> parts(std::size_t goal,
                         std::size_t lane,
                         std::span<const attacker::Multiplier> multipliers,
                         std::span<const double> z);
  // Where bases are large a few rounds may take all the time there is.
  bool are_slow() const;

 private:
  struct Lane {
    std::vector<std::size_t> goals;
    attacker::RepairScratch scratch;
    std::unique_ptr<attacker::AttackerSolver> flow;  // in networks
    std::unique_ptr<ThresholdCuts> splitter;         // in networks
  };
  void make_lanes(const std::string& engine);

  const Model& model_;
  std::vector<Goal> goals_;
  attacker::RepairNet net_;
  std::optional<attacker::LeafNet> leaf_net_;  // outside networks
  std::vector<Lane> lanes_;
  std::vector<GoalSearch> searches_;  // by goal
};

// What is too little for a largest flow to look for.
double negligible_move(double level);

}  // namespace lacuna::interval
