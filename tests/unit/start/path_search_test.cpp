// SPDX-License-Identifier: Apache-2.0
// A path is a displacement of single levels, and the cheapest of all there are.
#include "protect/start/path_search.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

#include "app/generate/generate.h"
#include "unit/start/witness.h"

namespace lacuna::start {
namespace {

Result<Problem> flat(std::uint64_t seed, std::vector<std::int32_t> sizes) {
  generation::GenerateOptions options;
  options.seed = seed;
  options.sizes = std::move(sizes);
  options.sensitive_percent = 40;
  options.weight = generation::GenerateWeight::kValue;
  options.zero_percent = 10;
  if (seed % 2 == 0)
    options.published_percent = 60;  // so that some have no path
  return generation::generate(options);
}

// Least cost of all displacements that move the goal's cell by its level and others by the level or
// not at all, within the slacks; infinite if there is none.
double cheapest(const PatternState& pattern_state, const RouteGoal& goal) {
  const Table& table = pattern_state.table();
  std::vector<std::int32_t> sums(static_cast<std::size_t>(table.num_equations()), 0);
  std::vector<std::int32_t> last(sums.size(), -1);  // cell of every equation
  for (std::int32_t e = 0; e < table.num_equations(); ++e) {
    for (const Term& term : table.equation(EquationId{e}))
      last[static_cast<std::size_t>(e)] =
          std::max(last[static_cast<std::size_t>(e)], term.cell.value);
  }
  double best = std::numeric_limits<double>::infinity();
  const std::function<void(std::int32_t, double)> go = [&](std::int32_t c, double cost) {
    for (std::size_t e = 0; e < sums.size(); ++e) {
      if (last[e] < c && sums[e] != 0)
        return;
    }
    if (c == table.num_cells()) {
      best = std::min(best, cost);
      return;
    }
    const CellId cell{c};
    for (const int move : {0, 1, -1}) {
      if (cell == goal.cell && move != sign(goal.direction))
        continue;
      if (move != 0 && (pattern_state.place(cell) == CellRole::kNever ||
                        pattern_state.slack(cell, goal.attacker).toward(move) < goal.level))
        continue;
      for (const Incidence& incidence : table.equations_of(cell))
        sums[static_cast<std::size_t>(incidence.equation.value)] += move * incidence.coefficient;
      go(c + 1,
         cost + (move != 0 && pattern_state.place(cell) == CellRole::kPublished
                     ? pattern_state.cost(cell)
                     : 0));
      for (const Incidence& incidence : table.equations_of(cell))
        sums[static_cast<std::size_t>(incidence.equation.value)] -= move * incidence.coefficient;
    }
  };
  go(0, 0);
  return best;
}

TEST(PathSearch, FindsTheCheapestOfAll) {
  int found = 0;
  int none = 0;
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const auto problem = flat(seed, {2, 3});
    ASSERT_TRUE(problem) << problem.error().text();
    const PatternState pattern_state(*problem, {});
    ASSERT_TRUE(PathSearch::suits(pattern_state));
    const Overlay overlay(problem->table().num_cells());
    PathSearch paths(pattern_state, overlay);
    for (const RouteGoal& goal : list_goals(pattern_state)) {
      const double least = cheapest(pattern_state, goal);
      if (!paths.find(goal, false, 0)) {
        EXPECT_EQ(least, std::numeric_limits<double>::infinity());
        ++none;
        continue;
      }
      ++found;
      testing::expect_serves(*problem, paths.steps(), goal, 1);
      double cost = 0;
      for (const RouteStep& step : paths.steps())
        cost += pattern_state.place(step.cell) == CellRole::kPublished
                    ? pattern_state.cost(step.cell)
                    : 0;
      EXPECT_NEAR(cost, least, 1e-3 * (1 + least));
      if (paths.find(goal, true, 0))
        testing::expect_serves(*problem, paths.steps(), goal, -1);
    }
  }
  EXPECT_GT(found, 50);
  EXPECT_GT(none, 5);
}

TEST(PathSearch, SuitsTwoDimensionsOnly) {
  const auto two = flat(1, {4, 5});
  const auto three = flat(1, {3, 3, 3});
  ASSERT_TRUE(two && three);
  EXPECT_TRUE(PathSearch::suits(PatternState(*two, {})));
  EXPECT_FALSE(PathSearch::suits(PatternState(*three, {})));
}

}  // namespace
}  // namespace lacuna::start
