// SPDX-License-Identifier: Apache-2.0
#include "protect/interval/need_searches.h"

#include <algorithm>

#include "protect/suppression_model/lanes.h"

namespace lacuna::interval {

NeedSearches::NeedSearches(const Model& model)
    : model_(model),
      net_(*model.attacked, std::vector<double>(model.num_ends(), 1), attacker::RepairOptions{}) {
  const std::size_t needs = model.needs.size();
  const std::size_t lanes = std::min(suppression_model::kLanes, needs);
  scratch_.assign(lanes, attacker::RepairScratch(net_));
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    lanes_.emplace_back();
    for (std::size_t g = lane * needs / lanes; g < (lane + 1) * needs / lanes; ++g) {
      lanes_.back().push_back(g);
      solvers_.emplace_back(net_, scratch_[lane]);
    }
  }
}

NeedSearches::Answer NeedSearches::ask(std::size_t need,
                                       int sign,
                                       double level,
                                       std::span<const double> slacks,
                                       std::span<const double> most,
                                       const RunContext& run) {
  const std::int32_t cell = model_.attacked->local(CellId{model_.needs[need].cell});
  if (cell < 0)  // nothing moves it
    return {true, 0, {}, {}};
  const auto found = solvers_[need].push(
      {cell, sign, level}, attacker::SlacksByEnd(*model_.attacked, slacks, most), run);
  return {found.solved, found.value, found.moves, found.multipliers};
}

}  // namespace lacuna::interval
