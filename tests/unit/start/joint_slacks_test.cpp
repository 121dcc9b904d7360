// SPDX-License-Identifier: Apache-2.0
// A joint attacker has the least slack of its bundle, and a route within it serves them all.
#include "protect/start/joint_slacks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "protect/start/lane.h"
#include "support/many_attackers.h"
#include "support/suppress_problems.h"
#include "unit/start/witness.h"

namespace lacuna::start {
namespace {

std::map<std::int32_t, std::vector<RouteGoal>> bundles_of(const std::vector<RouteGoal>& goals) {
  std::map<std::int32_t, std::vector<RouteGoal>> bundles;
  for (const RouteGoal& goal : goals)
    bundles[goal.bundle].push_back(goal);
  return bundles;
}

TEST(JointSlacks, AreTheLeastOfTheBundle) {
  int joined = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const auto problem = testing::with_many_attackers(*testing::suppress_problem(seed), seed, 5);
    PatternState pattern_state(*problem, {});
    std::vector<RouteGoal> goals = list_goals(pattern_state);
    join_goals(pattern_state, goals);
    for (const auto& [number, bundle] : bundles_of(goals)) {
      const RouteGoal& first = bundle.front();
      EXPECT_EQ(first.joint >= 0, bundle.size() > 1);
      for (const RouteGoal& goal : bundle) {
        EXPECT_EQ(goal.cell, first.cell);
        EXPECT_EQ(goal.level, first.level);
        EXPECT_EQ(goal.joint, first.joint);
      }
      if (first.joint < 0)
        continue;
      ++joined;
      for (std::int32_t c = 0; c < problem->table().num_cells(); ++c) {
        attack::Slack least = pattern_state.slack(CellId{c});
        for (const RouteGoal& goal : bundle) {
          const attack::Slack slack = pattern_state.slack(CellId{c}, goal.attacker);
          least = {std::min(least.down, slack.down), std::min(least.up, slack.up)};
        }
        // What is wider than two levels is left out.
        const attack::Slack joint = pattern_state.slack(CellId{c}, first.joint);
        EXPECT_TRUE(joint.down == least.down || least.down >= 2 * first.level);
        EXPECT_TRUE(joint.up == least.up || least.up >= 2 * first.level);
      }
    }
  }
  EXPECT_GT(joined, 50);
}

TEST(JointSlacks, OneRouteServesAll) {
  int served = 0;
  int alone = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const auto problem = testing::with_many_attackers(*testing::suppress_problem(seed), seed, 5);
    PatternState pattern_state(*problem, {});
    std::vector<RouteGoal> goals = list_goals(pattern_state);
    join_goals(pattern_state, goals);
    RouteAssignment assignment(pattern_state, goals);
    const RunContext run;
    Lane lane(assignment, run, "");
    for (const auto& [number, bundle] : bundles_of(goals)) {
      const RouteGoal& first = bundle.front();
      if (!lane.find(first, false, std::numeric_limits<double>::infinity(), SearchKind::kLast))
        continue;
      testing::expect_serves(*problem, lane.router.steps(), first, 1);
      const bool all = std::all_of(bundle.begin(), bundle.end(), [&](const RouteGoal& goal) {
        return assignment.fits(lane.router.steps(), goal);
      });
      if (bundle.size() > 1)
        ++(all ? served : alone);
    }
  }
  EXPECT_GT(served, 50);
  EXPECT_GT(alone, 0);
}

}  // namespace
}  // namespace lacuna::start
