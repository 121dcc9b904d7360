// SPDX-License-Identifier: Apache-2.0
// The attacker problems of all goals for other methods: one search per goal and direction
// (repair_simplex.h with RepairGoal::kReach), each starting where its last one ended. Goals are
// spread over lanes; one thread at a time may ask for the goals of a lane.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "protect/interval/model.h"
#include "protect/interval/repair_simplex.h"

namespace lacuna::inline interval {

class GoalSearches {
 public:
  explicit GoalSearches(const Model& model);
  GoalSearches(const GoalSearches&) = delete;
  GoalSearches& operator=(const GoalSearches&) = delete;

  std::size_t num_lanes() const { return lanes_.size(); }
  const std::vector<std::size_t>& goals_of(std::size_t lane) const { return lanes_[lane]; }

  struct Answer {
    bool trusted = false;  // false: given up, the rest says nothing
    double shortfall = 0;  // of the level that was asked for
    // Both until the next question of this goal and direction: what gets so far, and the cut that
    // says that nothing gets farther.
    const Move* move = nullptr;
    std::span<const std::pair<EquationId, double>> multipliers;
  };
  // Can the goal's cell move by `level` towards `sign` within the rooms (by end, at most `most`)?
  Answer ask(std::size_t lane,
             std::size_t goal,
             int sign,
             double level,
             std::span<const double> rooms,
             std::span<const double> most,
             const RunContext& run);

 private:
  RepairNet net_;
  std::vector<std::vector<std::size_t>> lanes_;
  std::vector<RepairSimplex> searches_;  // by goal and direction
  std::vector<RepairScratch> scratch_;   // by lane
};

}  // namespace lacuna::inline interval
