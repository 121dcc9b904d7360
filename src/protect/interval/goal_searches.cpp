// SPDX-License-Identifier: Apache-2.0
#include "protect/interval/goal_searches.h"

#include <algorithm>

#include "protect/common/lanes.h"

namespace lacuna::inline interval {

GoalSearches::GoalSearches(const Model& model)
    : net_(model, std::vector<double>(model.num_ends(), 1), RepairOptions{}) {
  const std::size_t goals = model.goals.size();
  const std::size_t lanes = std::min(kLanes, goals);
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    lanes_.emplace_back();
    for (std::size_t g = lane * goals / lanes; g < (lane + 1) * goals / lanes; ++g)
      lanes_.back().push_back(g);
    scratch_.emplace_back(net_);
  }
  for (const Goal& goal : model.goals) {
    for (const int sign : {1, -1})
      searches_.emplace_back(net_, goal.cell, sign, RepairGoal::kReach);
  }
}

GoalSearches::Answer GoalSearches::ask(std::size_t lane,
                                       std::size_t goal,
                                       int sign,
                                       double level,
                                       std::span<const double> rooms,
                                       std::span<const double> most,
                                       const RunContext& run) {
  RepairSimplex& search = searches_[2 * goal + (sign > 0 ? 0 : 1)];
  Answer answer;
  answer.trusted = search.solve(level, rooms, most, scratch_[lane], &run) == RepairOutcome::kFound;
  if (answer.trusted) {
    answer.shortfall = search.excess();
    answer.move = &search.move();
    answer.multipliers = search.multipliers();
  }
  return answer;
}

}  // namespace lacuna::inline interval
