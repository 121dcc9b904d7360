// SPDX-License-Identifier: Apache-2.0
// What the router returns is a displacement that balances, keeps to the slacks and moves the cell
// by its level; where it says that there is none, the exact search over everything that may be
// withheld says so too.
#include "protect/start/route.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "app/generate/generate.h"
#include "judge/attack/search.h"
#include "support/tables.h"
#include "support/tree_or_linked.h"
#include "unit/start/witness.h"

namespace lacuna::start {
namespace {

TEST(Router, RoutesAreWitnesses) {
  int found = 0;
  int mirrored = 0;
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const auto problem = testing::tree_or_linked(seed);
    ASSERT_TRUE(problem) << problem.error().text();
    const PatternState pattern_state(*problem, {});
    const Overlay overlay(problem->table().num_cells());
    Router router(pattern_state, overlay, RouteOptions{});
    for (const RouteGoal& goal : list_goals(pattern_state)) {
      RouteQuery query{goal.cell, goal.direction, goal.level, goal.attacker};
      query.mirrored = goal.direction == Direction::kLow;
      if (router.find(query) != RouteOutcome::kFound)
        continue;
      ++found;
      const Route steps = router.steps();
      EXPECT_TRUE(fits(pattern_state, steps, goal));
      testing::expect_serves(*problem, steps, goal, 1);
      if (query.mirrored) {
        ++mirrored;
        testing::expect_serves(*problem, steps, goal, -1);
      }
      for (const RouteStep& step : steps)
        EXPECT_NE(pattern_state.place(step.cell), CellRole::kNever);
    }
  }
  EXPECT_GT(found, 200);
  EXPECT_GT(mirrored, 50);
}

// Laid over a displacement the route takes back what one cell moved and leaves the fixed ones
// alone.
TEST(Router, BesideADisplacementACellComesToRest) {
  int found = 0;
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const auto problem = testing::tree_or_linked(seed);
    ASSERT_TRUE(problem) << problem.error().text();
    const PatternState pattern_state(*problem, {});
    const Overlay overlay(problem->table().num_cells());
    Router router(pattern_state, overlay, RouteOptions{});
    for (const RouteGoal& goal : list_goals(pattern_state)) {
      if (router.find({goal.cell, goal.direction, goal.level, goal.attacker}) !=
          RouteOutcome::kFound)
        continue;
      const Route before = router.steps();
      const Underlay under{&before,
                           {{goal.attacker, 1, std::abs(move_of(before, goal.cell)), goal.level}},
                           {goal.cell}};
      for (const RouteStep& step : before) {
        if (step.cell == goal.cell ||
            router.find_detour(under, step.cell, std::numeric_limits<double>::infinity()) !=
                RouteOutcome::kFound)
          continue;
        ++found;
        EXPECT_EQ(move_of(router.steps(), step.cell), 0);
        EXPECT_TRUE(fits(pattern_state, router.steps(), goal));
        testing::expect_serves(*problem, router.steps(), goal, 1);
      }
    }
  }
  EXPECT_GT(found, 200);
}

TEST(Router, NoneIsAsTheExactSearchSays) {
  int none = 0;
  int found = 0;
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const auto problem = generation::generate_small(seed);
    ASSERT_TRUE(problem);
    const PatternState pattern_state(*problem, {});
    const Overlay overlay(problem->table().num_cells());
    RouteOptions all;  // small enough to look at everything
    all.cap = 1 << 20;
    Router router(pattern_state, overlay, all);
    const Draft most = pattern_state.draft_up_to(kUnboundedAbove);
    for (const RouteGoal& goal : list_goals(pattern_state)) {
      const Attacker& attacker = problem->attackers()[static_cast<std::size_t>(goal.attacker)];
      const attack::AttackView view(problem->table(), most, attacker);
      attack::Search search(view, {});
      const attack::Reach reach =
          search.decide(LinearForm{{goal.cell, 1}}, goal.direction, goal.level, RunContext{});
      const RouteOutcome outcome =
          router.find({goal.cell, goal.direction, goal.level, goal.attacker});
      if (outcome == RouteOutcome::kNone) {
        EXPECT_TRUE(reach.proof) << "a route was missed";
        ++none;
      }
      if (outcome == RouteOutcome::kFound) {
        EXPECT_TRUE(reach.witness) << "a route that cannot be";
        ++found;
      }
    }
  }
  EXPECT_GT(none, 5);
  EXPECT_GT(found, 80);
}

// In a two-way table with equal weights the cheapest way to move an inner cell is a cycle of four;
// a budget below its price and a ban on its corner are respected.
TEST(Router, CheapestCycleOfATwoWayTable) {
  auto builder = testing::two_way(
      {{10, 10, 10, 30}, {10, 10, 10, 30}, {10, 10, 10, 30}, {30, 30, 30, 90}}, {0, 100}, 0, {0});
  const auto problem = testing::problem_of(std::move(builder), {{.cell = CellId{0}, .upper = 5}});
  const std::vector<double> costs(16, 1.0);
  const PatternState pattern_state(*problem, costs);
  Overlay overlay(problem->table().num_cells());
  RouteOptions options;
  options.step_share = 1.0 / 1024;  // steps over withheld cells are next to free, also in budgets
  Router router(pattern_state, overlay, options);
  RouteQuery query{CellId{0}, Direction::kHigh, 5};
  ASSERT_EQ(router.find(query), RouteOutcome::kFound);
  const Route first = router.steps();
  ASSERT_EQ(first.size(), 4U);
  double price = 0;
  for (const RouteStep& step : first)
    price += step.cell == query.cell ? 0 : pattern_state.cost(step.cell);
  query.budget = price / 2;
  EXPECT_EQ(router.find(query), RouteOutcome::kTooExpensive);
  query.budget = price * 2;
  EXPECT_EQ(router.find(query), RouteOutcome::kFound);
  overlay.set(first.back().cell, Overlay::Mark::kBanned);
  ASSERT_EQ(router.find(query), RouteOutcome::kFound);
  EXPECT_TRUE(std::none_of(router.steps().begin(),
                           router.steps().end(),
                           [&](const RouteStep& step) { return step.cell == first.back().cell; }));
}

}  // namespace
}  // namespace lacuna::start
