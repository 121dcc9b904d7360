// SPDX-License-Identifier: Apache-2.0
#include "protect/start/joint_slacks.h"

#include <algorithm>

#include "core/base/index.h"
#include "core/base/work.h"
#include "protect/start/tuning.h"

namespace lacuna::start {
namespace {

// Slacks of several levels are left out: routes hardly ever move a cell so far.
void add_known(const PatternState& pattern_state,
               const RouteGoal& goal,
               std::vector<CellSlack>& slacks) {
  const Units enough = goal.level > kMaxUnits / kTuning.joint.levels
                           ? kMaxUnits
                           : goal.level * kTuning.joint.levels;
  for (const Knowledge& known :
       pattern_state.problem().attackers()[base::at(goal.attacker)].known) {
    const attack::Slack slack = pattern_state.slack(known.cell, goal.attacker);
    const attack::Slack& common = pattern_state.slack(known.cell);
    const bool less = slack.down < common.down || slack.up < common.up;
    if (less && std::min(slack.down, slack.up) < enough)
      slacks.push_back({known.cell, slack});
  }
}

void keep_least(std::vector<CellSlack>& slacks) {
  std::sort(slacks.begin(), slacks.end(), [](const CellSlack& a, const CellSlack& b) {
    return a.cell < b.cell;
  });
  std::size_t kept = 0;
  for (std::size_t i = 0; i < slacks.size(); ++i) {
    if (kept > 0 && slacks[kept - 1].cell == slacks[i].cell) {
      attack::Slack& least = slacks[kept - 1].slack;
      least = {std::min(least.down, slacks[i].slack.down), std::min(least.up, slacks[i].slack.up)};
    } else {
      slacks[kept++] = slacks[i];
    }
  }
  slacks.resize(kept);
}

}  // namespace

void join_goals(PatternState& pattern_state, std::vector<RouteGoal>& goals) {
  std::vector<std::vector<std::int32_t>> bundles;
  for (std::size_t g = 0; g < goals.size(); ++g) {
    if (base::at(goals[g].bundle) >= bundles.size())
      bundles.resize(base::at(goals[g].bundle) + 1);
    bundles[base::at(goals[g].bundle)].push_back(static_cast<std::int32_t>(g));
  }
  std::size_t all = 0;
  for (const std::vector<std::int32_t>& bundle : bundles) {
    if (bundle.size() < 2)
      continue;
    std::vector<CellSlack> slacks;
    for (const std::int32_t goal : bundle)
      add_known(pattern_state, goals[base::at(goal)], slacks);
    base::count_work(30 * slacks.size());
    keep_least(slacks);
    all += slacks.size();
    if (all > kTuning.joint.most_slacks)
      return;
    slacks.shrink_to_fit();
    const std::int32_t joint = pattern_state.add_joint_attacker(std::move(slacks));
    for (const std::int32_t goal : bundle)
      goals[base::at(goal)].joint = joint;
  }
}

}  // namespace lacuna::start
