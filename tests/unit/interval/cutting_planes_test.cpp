// SPDX-License-Identifier: Apache-2.0
// The cutting planes against the compact model: cost, bound and witnesses; every cut they keep
// holds for the compact model's optimum. The same for what other methods see of them.
#include "protect/interval/cutting_planes.h"

#include <gtest/gtest.h>

#include <cmath>

#include "app/generate/generate.h"
#include "protect/interval/compact.h"
#include "protect/interval/find_slacks.h"
#include "protect/interval/need_searches.h"
#include "support/interval_moves.h"

namespace lacuna::interval {
namespace {

using namespace interval;  // the internals under test

void expect_witnesses(const CuttingPlanes& planes, const Model& model, const LoopResult& found) {
  const auto goals = planes.goals();
  ASSERT_EQ(found.witnesses.size(), goals.size());
  for (std::size_t d = 0; d < goals.size(); ++d) {
    const Need& need = model.needs[static_cast<std::size_t>(goals[d].need)];
    const auto slacks = model.slacks(need.attacker, found.safe.z);
    EXPECT_TRUE(fits(found.witnesses[d], slacks, 1e-6));
    EXPECT_LT(imbalance(model.problem->table(), found.witnesses[d]), 1e-6);
  }
}

// With `z` safe slacks and their shares of sliding levels free: no cut may ask for more than some
// sharing has. Only needs without sliding level are compared.
void expect_valid(const Model& model, const std::vector<Cut>& cuts, const std::vector<double>& z) {
  for (const Cut& cut : cuts) {
    const Need& need = model.needs[static_cast<std::size_t>(cut.goal.need)];
    if (need.sliding == 0) {
      EXPECT_GE(cut.value(z), need.level(cut.goal.sign) * (1 - 1e-6));
    }
  }
}

TEST(CuttingPlanes, SameAsTheCompactModel) {
  int solved = 0;
  int impossible = 0;
  std::size_t cuts = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const auto problem = generation::generate_small(seed);
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
    if (!model->needs.empty())
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
    const auto problem = generation::generate_small(seed);
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
    const auto problem = generation::generate_small(seed);
    const auto model = make_model(*problem, {});
    const auto compact = solve_compact(*model, "", RunContext{});
    const auto slacks = find_cheapest_slacks(*model, {.gap = 0.1, .keep_cuts = true}, RunContext{});
    ASSERT_TRUE(slacks);
    if (compact->status != LpStatus::kOptimal) {
      EXPECT_TRUE(slacks->z.empty());
      continue;
    }
    ASSERT_EQ(slacks->z.size(), model->num_ends());
    ++found;
    EXPECT_LE(slacks->bound, compact->cost * (1 + 1e-6) + 1e-6);
    EXPECT_LE(model->cost(slacks->z) * (1 - 0.1), compact->cost * (1 + 1e-6) + 1e-6);
    EXPECT_GE(model->cost(slacks->z), compact->cost * (1 - 1e-6) - 1e-6);
  }
  EXPECT_GT(found, 10);
}

// What a cell falls short of its level, against another solver; and the multipliers
// give a cut that says so.
TEST(NeedSearches, ShortfallsAreThoseOfOtherSolvers) {
  int asked = 0;
  int missed = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const auto problem = generation::generate_small(seed);
    const auto model = make_model(*problem, {});
    if (!model || model->needs.empty())
      continue;
    NeedSearches searches(*model);
    const auto solver = attacker::make_attacker_solver(*model->attacked, "");
    std::vector<double> z = model->least;  // too narrow for most
    for (std::size_t lane = 0; lane < searches.num_lanes(); ++lane) {
      for (const std::size_t g : searches.needs_of(lane)) {
        const Need& need = model->needs[g];
        const auto most = model->slacks(need.attacker, model->most);
        auto slacks = model->slacks(need.attacker, z);
        for (std::size_t e = 0; e < slacks.size(); ++e)
          slacks[e] = std::min(most[e], slacks[e] + need.level(1) / 3);
        for (const int sign : {1, -1}) {
          const double level =
              std::min(need.level(sign), slacks[attacker::end_of(need.cell, sign)]);
          if (level <= 0)
            continue;
          const auto answer = searches.ask(g, sign, level, slacks, most, RunContext{});
          const std::int32_t cell = model->attacked->local(CellId{need.cell});
          const auto other = solver->push(
              {cell, sign, level}, attacker::SlacksByEnd(*model->attacked, slacks), RunContext{});
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
