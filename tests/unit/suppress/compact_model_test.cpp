// SPDX-License-Identifier: Apache-2.0
#include "protect/suppress/compact_model.h"

#include <gtest/gtest.h>

#include "support/tables.h"

namespace lacuna::suppression {
namespace {

using testing::problem_of;
using testing::two_way;

using Shared = std::shared_ptr<const Problem>;
using Rows = std::vector<std::vector<Units>>;

CompactResult solve(const Shared& problem,
                    const SuppressOptions& options = {},
                    const CompactOptions& compact = {}) {
  auto solved = suppress_by_compact_model(problem, options, compact, RunContext{});
  EXPECT_TRUE(solved) << (solved ? "" : solved.error().text());
  return std::move(solved).value();
}

Shared with_weights(const Shared& problem, const std::vector<double>& weights) {
  const auto weighed = std::make_shared<Problem>(*problem);
  weighed->set_weights(weights);
  return weighed;
}

// The investment table of Fischetti and Salazar, also Figure 1 of the framework: the 22 is
// sensitive; withholding the 8, the 10 and the 20 with it gives [5, 30].
const Rows kInvestment{{20, 50, 10, 80}, {8, 19, 22, 49}, {17, 32, 12, 61}, {45, 101, 44, 190}};

Shared investment(const Requirement& need) {
  return problem_of(two_way(kInvestment, {0, kUnboundedAbove}, 0, {6}), {need});
}

std::vector<double> values_as_weights(const Rows& rows) {
  std::vector<double> weights;
  for (const auto& row : rows) {
    for (const Units value : row)
      weights.push_back(static_cast<double>(value));
  }
  return weights;
}

TEST(CompactModel, CheapestRectangle) {
  const Shared problem = with_weights(investment({.cell = CellId{6}, .lower = 5, .upper = 5}),
                                      values_as_weights(kInvestment));
  const CompactResult result = solve(problem);
  EXPECT_EQ(result.found.why, StopReason::kOptimal);
  EXPECT_TRUE(result.found.complete);
  EXPECT_EQ(result.verdict, Verdict::kProtected);
  EXPECT_EQ(result.found.cost, 59);  // 22 with 8, 17 and 12: the second and third rows
  EXPECT_NEAR(result.found.bound, 59, 1e-6);
  EXPECT_EQ(result.requirements, 1);
  EXPECT_EQ(result.variables, 15 + 2 * 16);
  EXPECT_EQ(result.constraints, 2 * (8 + 2 * 15));
}

TEST(CompactModel, SlidingLevelAlone) {
  const Shared problem =
      with_weights(investment({.cell = CellId{6}, .sliding = 26}), values_as_weights(kInvestment));
  const CompactResult result = solve(problem);
  EXPECT_EQ(result.found.why, StopReason::kOptimal);
  EXPECT_EQ(result.verdict, Verdict::kProtected);
  EXPECT_GT(result.found.cost, 59);
}

TEST(CompactModel, LimitOnTheNumberOfCells) {
  SuppressOptions options;
  options.max_withheld = 3;
  const Shared problem = investment({.cell = CellId{6}, .lower = 5, .upper = 5});
  const CompactResult result = solve(problem, options);
  EXPECT_EQ(result.found.why, StopReason::kInfeasible);
  EXPECT_FALSE(result.found.complete);
  EXPECT_FALSE(result.has_pattern);
  options.max_withheld = 4;
  EXPECT_EQ(solve(problem, options).found.cost, 4);
  options.max_withheld = 0;
  EXPECT_EQ(solve(problem, options).found.why, StopReason::kInfeasible);
}

// Nothing has more slack than one unit on either side, so no cell is uncertain by three.
TEST(CompactModel, MinimumWidthThatNothingReaches) {
  const Shared problem = [&] {
    TableBuilder builder(0);
    const std::vector<Units> values{9, 9, 18};
    for (const Units value : values)
      EXPECT_TRUE(builder.add_cell({.value = value, .prior = {value - 1, value + 1}}));
    const std::vector<Term> terms{{CellId{0}, 1}, {CellId{1}, 1}, {CellId{2}, -1}};
    EXPECT_TRUE(builder.add_equation(terms));
    return problem_of(std::move(builder), {{.cell = CellId{0}, .lower = 1, .upper = 1}});
  }();
  EXPECT_EQ(solve(problem).found.cost, 2);
  SuppressOptions options;
  options.minimum_width = 20;  // two units for the nines, four for the total
  EXPECT_EQ(solve(problem, options).found.cost, 2);
  options.minimum_width = 30;
  EXPECT_EQ(solve(problem, options).found.why, StopReason::kInfeasible);
}

// tests/unit/audit/exposure_test.cpp has the table: only the 4 is initially exposed, and what
// protects it at least cost leaves the first 3 exposed.
TEST(CompactModel, ProtectingTheInitiallyExposedAloneIsUnsafe) {
  const std::vector<std::int32_t> cells{0, 1, 3, 4};
  const std::vector<Requirement> needs{{.cell = CellId{0}, .lower = 3, .upper = 3},
                                       {.cell = CellId{1}, .lower = 2, .upper = 2},
                                       {.cell = CellId{3}, .lower = 1, .upper = 1},
                                       {.cell = CellId{4}, .lower = 1, .upper = 1}};
  const Shared problem = with_weights(
      problem_of(two_way({{3, 4, 7}, {3, 1, 4}, {6, 5, 11}}, {0, kUnboundedAbove}, 0, cells),
                 needs),
      {1, 1, 1, 1, 1, 9, 9, 1, 1});
  CompactOptions reduced;
  reduced.only_exposed = true;
  const CompactResult unsafe = solve(problem, {}, reduced);
  EXPECT_EQ(unsafe.requirements, 1);
  EXPECT_TRUE(unsafe.has_pattern);
  EXPECT_EQ(unsafe.verdict, Verdict::kExposed);
  EXPECT_FALSE(unsafe.found.complete);
  EXPECT_FALSE(Auditor(problem).release(unsafe.found.draft, {}, RunContext{}));
  const CompactResult safe = solve(problem);
  EXPECT_EQ(safe.requirements, 4);
  EXPECT_EQ(safe.verdict, Verdict::kProtected);
  EXPECT_GT(safe.found.cost, unsafe.found.cost);
}

TEST(CompactModel, StopsAtTheDeadlineAndWhenTold) {
  const Shared problem = investment({.cell = CellId{6}, .lower = 5, .upper = 5});
  RunContext late;
  late.deadline = std::chrono::steady_clock::now();
  auto stopped = suppress_by_compact_model(problem, {}, {}, late);
  ASSERT_TRUE(stopped);
  EXPECT_EQ(stopped->found.why, StopReason::kLimit);
  std::stop_source source;
  source.request_stop();
  RunContext cancelled;
  cancelled.stop = source.get_token();
  stopped = suppress_by_compact_model(problem, {}, {}, cancelled);
  ASSERT_TRUE(stopped);
  EXPECT_EQ(stopped->found.why, StopReason::kCancelled);
}

TEST(CompactModel, StatedZeroLevelsNeedNoTable) {
  const Shared problem = investment({.cell = CellId{6}, .origin = LevelOrigin::kStated});
  const CompactResult result = solve(problem);
  EXPECT_EQ(result.found.why, StopReason::kOptimal);
  EXPECT_EQ(result.requirements, 0);
  EXPECT_EQ(result.found.cost, 1);
  EXPECT_EQ(result.verdict, Verdict::kUnasked);
}

TEST(CompactModel, RatioBelowOneIsRefused) {
  CompactOptions compact;
  compact.largest_ratio = 0.5;
  EXPECT_FALSE(suppress_by_compact_model(investment({.cell = CellId{6}}), {}, compact, {}));
}

}  // namespace
}  // namespace lacuna::suppression
