// SPDX-License-Identifier: Apache-2.0
// The cutting planes against the compact model: cost, bound and witnesses; every cut they keep
// holds for the compact model's optimum. The same for what other methods see of them.
#include "protect/interval/cutting_planes.h"

#include <gtest/gtest.h>

#include <cmath>

#include "lacuna/generate.h"
#include "protect/interval/compact.h"
#include "protect/interval/find_rooms.h"
#include "protect/interval/goal_searches.h"
#include "support/interval_moves.h"

namespace lacuna::interval {
namespace {

using namespace interval;  // the internals under test

void expect_witnesses(const CuttingPlanes& planes, const Model& model, const LoopResult& found) {
  const auto demands = planes.demands();
  ASSERT_EQ(found.witnesses.size(), demands.size());
  for (std::size_t d = 0; d < demands.size(); ++d) {
    const Goal& goal = model.goals[static_cast<std::size_t>(demands[d].goal)];
    const auto rooms = model.rooms(goal.attacker, found.safe.z);
    EXPECT_TRUE(fits(found.witnesses[d], rooms, 1e-6));
    EXPECT_LT(imbalance(model.problem->table(), found.witnesses[d]), 1e-6);
  }
}

// With `z` safe rooms and their shares of sliding levels free: no cut may ask for more than some
// sharing has. Only goals without sliding level are compared.
void expect_valid(const Model& model, const std::vector<Cut>& cuts, const std::vector<double>& z) {
  for (const Cut& cut : cuts) {
    const Goal& goal = model.goals[static_cast<std::size_t>(cut.demand.goal)];
    if (goal.sliding == 0) {
      EXPECT_GE(cut.value(z), goal.level(cut.demand.sign) * (1 - 1e-6));
    }
  }
}

TEST(CuttingPlanes, SameAsTheCompactModel) {
  int solved = 0;
  int impossible = 0;
  std::size_t cuts = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const auto problem = generate_small(seed);
    ASSERT_TRUE(problem);
    const auto model = make_model(*problem, {});
    ASSERT_TRUE(model);
    const auto compact = solve_compact(*model, "", RunContext{});
    ASSERT_TRUE(compact);
    LoopOptions options;
    options.keep_cuts = true;
    const auto planes = CuttingPlanes::make(*model, options, "", 1).value();
    if (seed % 2 == 0)
      planes->start(RunContext{});
    const LoopResult found = planes->run(RunContext{});
    if (compact->status == LpStatus::kInfeasible) {
      ++impossible;
      EXPECT_EQ(found.why, StopReason::kInfeasible);
      EXPECT_GE(found.unattainable, 0);
      continue;
    }
    ++solved;
    const double near = 1e-6 * std::max(1.0, compact->cost);
    EXPECT_EQ(found.why, StopReason::kOptimal);
    EXPECT_NEAR(found.cost, compact->cost, near);
    EXPECT_NEAR(found.bound, compact->cost, near);
    EXPECT_NEAR(model->cost(found.safe.z), found.cost, near);
    if (!model->goals.empty())
      expect_witnesses(*planes, *model, found);
    const std::vector<Cut> kept = planes->take_cuts();
    cuts += kept.size();
    expect_valid(*model, kept, compact->z);
    expect_valid(*model, kept, model->most);
  }
  EXPECT_GT(solved, 20);
  EXPECT_GT(impossible, 0);
  EXPECT_GT(cuts, 50U);
}

TEST(CuttingPlanes, StoppedRunsHaveTrueBounds) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const auto problem = generate_small(seed);
    const auto model = make_model(*problem, {});
    const auto compact = solve_compact(*model, "", RunContext{});
    if (compact->status != LpStatus::kOptimal)
      continue;
    RunContext over;
    over.deadline = std::chrono::steady_clock::now();
    const auto planes = CuttingPlanes::make(*model, {}, "", 1).value();
    EXPECT_LE(planes->run(over).bound, compact->cost * (1 + 1e-6) + 1e-6);
  }
}

TEST(FindRooms, RoomsAreSafeAndWithinTheGap) {
  int found = 0;
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const auto problem = generate_small(seed);
    const auto model = make_model(*problem, {});
    const auto compact = solve_compact(*model, "", RunContext{});
    const auto rooms = find_rooms(*model, {.gap = 0.1, .keep_cuts = true}, RunContext{});
    ASSERT_TRUE(rooms);
    if (compact->status != LpStatus::kOptimal) {
      EXPECT_TRUE(rooms->z.empty());
      continue;
    }
    ASSERT_EQ(rooms->z.size(), model->num_ends());
    ++found;
    EXPECT_LE(rooms->bound, compact->cost * (1 + 1e-6) + 1e-6);
    EXPECT_LE(model->cost(rooms->z) * (1 - 0.1), compact->cost * (1 + 1e-6) + 1e-6);
    EXPECT_GE(model->cost(rooms->z), compact->cost * (1 - 1e-6) - 1e-6);
  }
  EXPECT_GT(found, 10);
}

// What a cell falls short of its level, against another solver; and the multipliers
// give a cut that says so.
TEST(GoalSearches, ShortfallsAreThoseOfOtherSolvers) {
  int asked = 0;
  int missed = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const auto problem = generate_small(seed);
    const auto model = make_model(*problem, {});
    if (!model || model->goals.empty())
      continue;
    GoalSearches searches(*model);
    const auto solver = attacker::make_attacker_solver(*model->attacked, "");
    std::vector<double> z = model->least;  // too narrow for most
    for (std::size_t lane = 0; lane < searches.num_lanes(); ++lane) {
      for (const std::size_t g : searches.goals_of(lane)) {
        const Goal& goal = model->goals[g];
        const auto most = model->rooms(goal.attacker, model->most);
        auto rooms = model->rooms(goal.attacker, z);
        for (std::size_t e = 0; e < rooms.size(); ++e)
          rooms[e] = std::min(most[e], rooms[e] + goal.level(1) / 3);
        for (const int sign : {1, -1}) {
          const double level = std::min(goal.level(sign), rooms[attacker::end_of(goal.cell, sign)]);
          if (level <= 0)
            continue;
          const auto answer = searches.ask(g, sign, level, rooms, most, RunContext{});
          const std::int32_t cell = model->attacked->local(CellId{goal.cell});
          const auto other = solver->push(
              {cell, sign, level}, attacker::RoomsByEnd(*model->attacked, rooms), RunContext{});
          if (!answer.trusted || !other.solved)
            continue;
          ++asked;
          const double shortfall = std::max(0.0, level - other.value);
          EXPECT_NEAR(level - answer.reach, shortfall, 1e-5 * level);
          if (shortfall > 1e-3 * level) {
            ++missed;
            EXPECT_FALSE(answer.multipliers.empty());
          }
        }
      }
    }
  }
  EXPECT_GT(asked, 50);
  EXPECT_GT(missed, 10);
}

}  // namespace
}  // namespace lacuna::interval
