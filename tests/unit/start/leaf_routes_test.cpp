// SPDX-License-Identifier: Apache-2.0
// Routes without a search balance, keep to the slacks and move the cell by its level.
#include "protect/start/leaf_routes.h"

#include <gtest/gtest.h>

#include "judge/attack/evidence_check.h"
#include "judge/attack/view.h"
#include "support/tree_or_linked.h"

namespace lacuna::start {
namespace {

TEST(LeafRoutes, RoutesAreWitnesses) {
  int found = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const auto problem = testing::tree_or_linked(seed);
    ASSERT_TRUE(problem) << problem.error().text();
    const PatternState pattern_state(*problem, {});
    const LeafRoutes closure(pattern_state);
    for (const RouteGoal& goal : list_goals(pattern_state)) {
      const auto steps = closure.find(goal);
      if (!steps)
        continue;
      ++found;
      Displacement witness;
      for (const RouteStep& step : *steps) {
        witness.cells.push_back(step.cell);
        witness.moves.emplace_back(static_cast<long>(step.move));
      }
      const auto slacks = attack::attacker_slacks(
          problem->table(), Draft::withholding(witness.cells), problem->attackers().front());
      EXPECT_TRUE(attack::check_displacement(problem->table(), slacks, witness)) << "seed " << seed;
      EXPECT_EQ(attack::displacement_of(witness, goal.cell, goal.direction),
                static_cast<long>(goal.level));
    }
  }
  EXPECT_GT(found, 100);
}

}  // namespace
}  // namespace lacuna::start
