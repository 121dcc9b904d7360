// SPDX-License-Identifier: Apache-2.0
// Flows over withheld cells: witnesses over these cells alone, found exactly where the audit says
// that the level is reached without withholding more.
#include "protect/start/flow_routes.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "app/generate/generate.h"
#include "lacuna/audit.h"
#include "unit/start/witness.h"

namespace lacuna::start {
namespace {

Result<Problem> flat(std::uint64_t seed, std::vector<std::int32_t> sizes) {
  generation::GenerateOptions options;
  options.seed = seed;
  options.sizes = std::move(sizes);
  options.sensitive_percent = 50;
  options.zero_percent = 10;
  return generation::generate(options);
}

// Is the goal met while nothing but the sensitive cells is withheld?
bool is_met(const std::shared_ptr<const Problem>& problem,
            const PatternState& pattern_state,
            const RouteGoal& goal) {
  AuditOptions options;
  options.only = {goal.requirement};
  const auto report = Auditor(problem).audit(pattern_state.draft(), options, RunContext{});
  EXPECT_TRUE(report);
  const Finding& finding = report->of(Domain::kRational).front();
  const End& end = goal.direction == Direction::kHigh ? finding.high : finding.low;
  return end.unbounded || !end.has_bound || !(end.bound < Integer(static_cast<long>(goal.level)));
}

TEST(FlowRoutes, AreFoundWhereTheAuditFindsThem) {
  int found = 0;
  int none = 0;
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    auto made = flat(seed, {6, 7});
    ASSERT_TRUE(made) << made.error().text();
    const auto problem = std::make_shared<const Problem>(std::move(made).value());
    const PatternState pattern_state(*problem, {});
    const auto network = network_of(pattern_state);
    ASSERT_NE(network, nullptr);
    FlowRoutes flows(pattern_state, network);
    for (const RouteGoal& goal : list_goals(pattern_state)) {
      const auto steps = flows.find(goal, false);
      EXPECT_EQ(steps.has_value(), is_met(problem, pattern_state, goal));
      ++(steps ? found : none);
      if (!steps)
        continue;
      EXPECT_TRUE(std::all_of(steps->begin(), steps->end(), [&](const RouteStep& step) {
        return pattern_state.place(step.cell) == CellRole::kWithheld;
      }));
      testing::expect_serves(*problem, *steps, goal, 1);
      if (const auto both = flows.find(goal, true)) {
        testing::expect_serves(*problem, *both, goal, 1);
      }
    }
  }
  EXPECT_GT(found, 30);
  EXPECT_GT(none, 5);
}

TEST(FlowRoutes, InTwoDimensionsOnly) {
  const auto three = flat(1, {3, 3, 3});
  ASSERT_TRUE(three);
  EXPECT_EQ(network_of(PatternState(*three, {})), nullptr);
}

}  // namespace
}  // namespace lacuna::start
