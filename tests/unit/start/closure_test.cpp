// SPDX-License-Identifier: Apache-2.0
// Routes without a search balance, keep to the rooms and move the cell by its level.
#include "protect/start/closure.h"

#include <gtest/gtest.h>

#include "judge/attack/evidence_check.h"
#include "judge/attack/view.h"
#include "support/tree_or_linked.h"

namespace lacuna::start {
namespace {

TEST(Closure, RoutesAreWitnesses) {
  int found = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const auto problem = testing::tree_or_linked(seed);
    ASSERT_TRUE(problem) << problem.error().text();
    const Board board(*problem, {});
    const Closure closure(board);
    for (const Need& need : list_needs(board)) {
      const auto steps = closure.find(need);
      if (!steps)
        continue;
      ++found;
      Displacement witness;
      for (const RouteStep& step : *steps) {
        witness.cells.push_back(step.cell);
        witness.moves.emplace_back(static_cast<long>(step.move));
      }
      const auto rooms = attack::attacker_rooms(
          problem->table(), Draft::withholding(witness.cells), problem->attackers().front());
      EXPECT_TRUE(attack::check_displacement(problem->table(), rooms, witness)) << "seed " << seed;
      EXPECT_EQ(attack::displacement_of(witness, need.cell, need.direction),
                static_cast<long>(need.level));
    }
  }
  EXPECT_GT(found, 100);
}

}  // namespace
}  // namespace lacuna::start
