// SPDX-License-Identifier: Apache-2.0
#include "protect/interval/goal_searches.h"

#include <algorithm>

#include "protect/suppression_model/lanes.h"

namespace lacuna::interval {

GoalSearches::GoalSearches(const Model& model)
    : model_(model),
      net_(*model.attacked, std::vector<double>(model.num_ends(), 1), attacker::RepairOptions{}) {
  const std::size_t goals = model.goals.size();
  const std::size_t lanes = std::min(suppression_model::kLanes, goals);
  scratch_.assign(lanes, attacker::RepairScratch(net_));
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    lanes_.emplace_back();
    for (std::size_t g = lane * goals / lanes; g < (lane + 1) * goals / lanes; ++g) {
      lanes_.back().push_back(g);
      solvers_.emplace_back(net_, scratch_[lane]);
    }
  }
}

GoalSearches::Answer GoalSearches::ask(std::size_t goal,
                                       int sign,
                                       double level,
                                       std::span<const double> rooms,
                                       std::span<const double> most,
                                       const RunContext& run) {
  const std::int32_t cell = model_.attacked->local(CellId{model_.goals[goal].cell});
  if (cell < 0)  // nothing moves it
    return {true, 0, {}, {}};
  const auto found = solvers_[goal].push(
      {cell, sign, level}, attacker::RoomsByEnd(*model_.attacked, rooms, most), run);
  return {found.solved, found.value, found.moves, found.multipliers};
}

}  // namespace lacuna::interval
