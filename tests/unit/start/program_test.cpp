// SPDX-License-Identifier: Apache-2.0
// Routes by linear programs balance, keep to the rooms, move the cell by its level and are within
// the budget; mirrored ones hold in both directions.
#include "protect/start/program.h"

#include <gtest/gtest.h>

#include <limits>

#include "judge/attack/evidence_check.h"
#include "judge/attack/view.h"
#include "lacuna/generate.h"
#include "support/tree_or_linked.h"

namespace lacuna::start {
namespace {

Displacement scaled(const Steps& steps, const Need& need, int turn) {
  Displacement witness;
  const Units own = move_of(steps, need.cell);
  for (const RouteStep& step : steps) {
    witness.cells.push_back(step.cell);
    witness.moves.emplace_back(static_cast<long>(turn * step.move));
  }
  witness.denominator = static_cast<long>((own > 0 ? own : -own) / need.level);
  return witness;
}

double price(const Board& board, const Steps& steps) {
  double total = 0;
  for (const RouteStep& step : steps)
    total += board.place(step.cell) == Place::kTaken ? 0 : board.cost(step.cell);
  return total;
}

TEST(ProgramRouter, RoutesAreWitnesses) {
  constexpr double kAny = std::numeric_limits<double>::infinity();
  int found = 0;
  int mirrored = 0;
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const auto problem = testing::tree_or_linked(seed);
    ASSERT_TRUE(problem) << problem.error().text();
    const Board board(*problem, {});
    const Overlay overlay(problem->table().num_cells());
    ProgramRouter router(board, overlay, "");
    for (const Need& need : list_needs(board)) {
      const bool both = need.direction == Direction::kLow;
      if (!router.find(need, both, kAny, {}))
        continue;
      ++found;
      mirrored += both ? 1 : 0;
      const Steps steps = router.steps();
      for (const int turn : both ? std::vector<int>{1, -1} : std::vector<int>{1}) {
        const Displacement witness = scaled(steps, need, turn);
        const auto rooms = attack::attacker_rooms(
            problem->table(), Draft::withholding(witness.cells), problem->attackers().front());
        EXPECT_TRUE(attack::check_displacement(problem->table(), rooms, witness))
            << "seed " << seed;
        EXPECT_EQ(attack::displacement_of(witness, need.cell, need.direction) * turn,
                  static_cast<long>(need.level));
      }
      const double paid = price(board, steps);
      if (paid > 0 && router.find(need, both, paid / 2, {})) {
        EXPECT_LE(price(board, router.steps()), paid / 2);
      }
    }
  }
  EXPECT_GT(found, 100);
  EXPECT_GT(mirrored, 50);
}

TEST(ProgramRouter, KeepsOffBannedCells) {
  GenerateOptions options;
  options.kind = GenerateKind::kHierarchical;
  options.seed = 5;
  options.sensitive_percent = 10;
  const auto problem = generate(options);
  ASSERT_TRUE(problem) << problem.error().text();
  const Board board(*problem, {});
  Overlay overlay(problem->table().num_cells());
  ProgramRouter router(board, overlay, "");
  const auto needs = list_needs(board);
  ASSERT_FALSE(needs.empty());
  const Need& need = needs.front();
  int bans = 0;
  constexpr double kAny = std::numeric_limits<double>::infinity();
  for (int again = 0; again < 5 && router.find(need, false, kAny, {}); ++again) {
    const Steps steps = router.steps();
    for (const RouteStep& step : steps) {
      EXPECT_NE(overlay.mark(step.cell), Overlay::Mark::kBanned);
      if (step.cell != need.cell && bans == again) {
        overlay.set(step.cell, Overlay::Mark::kBanned);
        ++bans;
      }
    }
  }
  EXPECT_GT(bans, 1);
}

}  // namespace
}  // namespace lacuna::start
