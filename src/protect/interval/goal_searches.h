// SPDX-License-Identifier: Apache-2.0
// The attacker's problems of all goals for other methods (judge/attacker/repair_simplex.h): each
// search starts where the last one of its goal and direction ended. Goals are spread over lanes;
// one thread at a time may ask for the goals of a lane.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "judge/attacker/repair_simplex.h"
#include "protect/interval/model.h"

namespace lacuna::interval {

class GoalSearches {
 public:
  explicit GoalSearches(const Model& model);
  GoalSearches(const GoalSearches&) = delete;
  GoalSearches& operator=(const GoalSearches&) = delete;

  std::size_t num_lanes() const { return lanes_.size(); }
  const std::vector<std::size_t>& goals_of(std::size_t lane) const { return lanes_[lane]; }

  struct Answer {
    bool trusted = false;  // false: given up, the rest says nothing
    double reach = 0;      // at most the level that was asked for
    // Until the next question of this goal: what gets so far, by cell of the attacker's problem,
    // and the cut that says that nothing gets farther.
    std::span<const attacker::CellAmount> moves;
    std::span<const attacker::Multiplier> multipliers;
  };
  // Can the goal's cell move by `level` towards `sign` within the rooms (by end, at most `most`)?
  Answer ask(std::size_t goal,
             int sign,
             double level,
             std::span<const double> rooms,
             std::span<const double> most,
             const RunContext& run);

 private:
  const Model& model_;
  attacker::RepairNet net_;
  std::vector<std::vector<std::size_t>> lanes_;
  std::vector<attacker::RepairScratch> scratch_;  // by lane
  std::vector<attacker::AttackerWarm> solvers_;   // by goal
};

}  // namespace lacuna::interval
