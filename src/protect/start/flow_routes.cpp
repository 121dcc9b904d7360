// SPDX-License-Identifier: Apache-2.0
#include "protect/start/flow_routes.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "core/base/index.h"
#include "protect/start/path_search.h"

namespace lacuna::start {
namespace {

constexpr Wide kNoLimit = Wide{1} << 100U;
constexpr Wide kLargestMove = Wide{1} << 60U;

}  // namespace

std::shared_ptr<const table::Network> network_of(const PatternState& pattern_state) {
  if (!PathSearch::suits(pattern_state))
    return nullptr;
  const Table& table = pattern_state.table();
  std::vector<bool> free(base::at(table.num_cells()));
  for (std::int32_t c = 0; c < table.num_cells(); ++c)
    free[base::at(c)] = pattern_state.place(CellId{c}) != CellRole::kNever;
  auto network = table::network_form(table, free);
  return network ? std::make_shared<const table::Network>(*std::move(network)) : nullptr;
}

FlowRoutes::FlowRoutes(const PatternState& pattern_state,
                       std::shared_ptr<const table::Network> network)
    : pattern_state_(pattern_state),
      network_(std::move(network)),
      flow_(
          *network_,
          base::at(pattern_state.table().num_cells()),
          [](CellId cell) { return cell.value; },
          kNoLimit) {}

std::optional<Route> FlowRoutes::find(const RouteGoal& goal, bool mirrored) {
  for (const std::int32_t attacker : {goal.joint, goal.attacker}) {
    for (const bool both : {true, false}) {
      if (attacker < 0 || (both && !mirrored))
        continue;
      auto steps = find_for(goal, attacker, both);
      if (steps && fits(pattern_state_, *steps, goal))
        return steps;
    }
  }
  return std::nullopt;
}

std::optional<Route> FlowRoutes::find_for(const RouteGoal& goal,
                                          std::int32_t attacker,
                                          bool mirrored) {
  const int own = sign(goal.direction);
  const attack::Slack slack = pattern_state_.slack(goal.cell, attacker);
  if (slack.toward(own) < goal.level || (mirrored && slack.toward(-own) < goal.level))
    return std::nullopt;
  const flow::FlowEnding ending = flow_.push(
      goal.cell.value, own, Wide{goal.level}, Wide{0}, [&](std::int32_t cell, int side) {
        if (pattern_state_.place(CellId{cell}) != CellRole::kWithheld)
          return Wide{0};
        const attack::Slack room = pattern_state_.slack(CellId{cell}, attacker);
        const Units most = mirrored ? std::min(room.up, room.down) : room.toward(side);
        return most == kUnboundedAbove ? kNoLimit : Wide{most};
      });
  if (ending != flow::FlowEnding::kLimit || flow_.reach() != goal.level)
    return std::nullopt;
  Route steps{{goal.cell, goal.level * own}};
  bool short_enough = true;
  flow_.moves([&](std::int32_t cell, Wide move) {
    if (move != 0)
      steps.push_back({CellId{cell}, static_cast<Units>(move)});
    short_enough = short_enough && move < kLargestMove && -move < kLargestMove;
  });
  std::sort(steps.begin(), steps.end(), [](const RouteStep& a, const RouteStep& b) {
    return a.cell < b.cell;
  });
  if (!short_enough)
    return std::nullopt;
  return steps;
}

}  // namespace lacuna::start
