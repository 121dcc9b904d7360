// SPDX-License-Identifier: Apache-2.0
// Routes by linear programs balance, keep to the slacks, move the cell by its level and are within
// the budget; mirrored ones hold in both directions.
#include "protect/start/program.h"

#include <gtest/gtest.h>

#include <limits>

#include "app/generate/generate.h"
#include "judge/attack/evidence_check.h"
#include "judge/attack/view.h"
#include "support/tree_or_linked.h"

namespace lacuna::start {
namespace {

Displacement scaled(const Route& steps, const RouteGoal& goal, int turn) {
  Displacement witness;
  const Units own = move_of(steps, goal.cell);
  for (const RouteStep& step : steps) {
    witness.cells.push_back(step.cell);
    witness.moves.emplace_back(static_cast<long>(turn * step.move));
  }
  witness.denominator = static_cast<long>((own > 0 ? own : -own) / goal.level);
  return witness;
}

double price(const PatternState& pattern_state, const Route& steps) {
  double total = 0;
  for (const RouteStep& step : steps)
    total +=
        pattern_state.place(step.cell) == CellRole::kWithheld ? 0 : pattern_state.cost(step.cell);
  return total;
}

TEST(ProgramRouter, RoutesAreWitnesses) {
  constexpr double kAny = std::numeric_limits<double>::infinity();
  int found = 0;
  int mirrored = 0;
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const auto problem = testing::tree_or_linked(seed);
    ASSERT_TRUE(problem) << problem.error().text();
    const PatternState pattern_state(*problem, {});
    const Overlay overlay(problem->table().num_cells());
    ProgramRouter router(pattern_state, overlay, "");
    for (const RouteGoal& goal : list_goals(pattern_state)) {
      const bool both = goal.direction == Direction::kLow;
      if (!router.find(goal, both, kAny, {}))
        continue;
      ++found;
      mirrored += both ? 1 : 0;
      const Route steps = router.steps();
      for (const int turn : both ? std::vector<int>{1, -1} : std::vector<int>{1}) {
        const Displacement witness = scaled(steps, goal, turn);
        const auto slacks = attack::attacker_slacks(
            problem->table(), Draft::withholding(witness.cells), problem->attackers().front());
        EXPECT_TRUE(attack::check_displacement(problem->table(), slacks, witness))
            << "seed " << seed;
        EXPECT_EQ(attack::displacement_of(witness, goal.cell, goal.direction) * turn,
                  static_cast<long>(goal.level));
      }
      const double paid = price(pattern_state, steps);
      if (paid > 0 && router.find(goal, both, paid / 2, {})) {
        EXPECT_LE(price(pattern_state, router.steps()), paid / 2);
      }
    }
  }
  EXPECT_GT(found, 100);
  EXPECT_GT(mirrored, 50);
}

TEST(ProgramRouter, KeepsOffBannedCells) {
  generation::GenerateOptions options;
  options.kind = generation::GenerateKind::kHierarchical;
  options.seed = 5;
  options.sensitive_percent = 10;
  const auto problem = generation::generate(options);
  ASSERT_TRUE(problem) << problem.error().text();
  const PatternState pattern_state(*problem, {});
  Overlay overlay(problem->table().num_cells());
  ProgramRouter router(pattern_state, overlay, "");
  const auto goals = list_goals(pattern_state);
  ASSERT_FALSE(goals.empty());
  const RouteGoal& goal = goals.front();
  int bans = 0;
  constexpr double kAny = std::numeric_limits<double>::infinity();
  for (int again = 0; again < 5 && router.find(goal, false, kAny, {}); ++again) {
    const Route steps = router.steps();
    for (const RouteStep& step : steps) {
      EXPECT_NE(overlay.mark(step.cell), Overlay::Mark::kBanned);
      if (step.cell != goal.cell && bans == again) {
        overlay.set(step.cell, Overlay::Mark::kBanned);
        ++bans;
      }
    }
  }
  EXPECT_GT(bans, 1);
}

}  // namespace
}  // namespace lacuna::start
