// SPDX-License-Identifier: Apache-2.0
// Worked examples of the literature: widths as printed, and every release audited.
#include <gtest/gtest.h>

#include "bench/models/interval_compact.h"
#include "lacuna/interval.h"
#include "lacuna/lp.h"
#include "protect/interval/model.h"
#include "support/tables.h"

namespace lacuna::interval {
namespace {

using testing::problem_of;
using testing::two_way;

IntervalResult publish(const std::shared_ptr<const Problem>& problem,
                       const IntervalOptions& options = {}) {
  auto result = publish_intervals(problem, options, RunContext{});
  EXPECT_TRUE(result) << (result ? "" : result.error().text());
  return std::move(result).value();
}

void expect_protected(const std::shared_ptr<const Problem>& problem, const Draft& draft) {
  EXPECT_EQ(testing::audit(problem, draft).verdict, Verdict::kProtected);
}

// Castro and Via, "Revisiting interval protection", section 4.1: two rows, no column totals.
std::shared_ptr<const Problem> castro_via() {
  TableBuilder builder(0);
  for (const Units value : {10, 15, 25, 20, 17, 37}) {
    Cell cell{.value = value};
    if (value == 10 || value == 17)
      cell.status = CellStatus::kPrimary;
    EXPECT_TRUE(builder.add_cell(cell));
  }
  for (const std::int32_t first : {0, 3}) {
    const Term terms[] = {{CellId{first}, 1}, {CellId{first + 1}, 1}, {CellId{first + 2}, -1}};
    EXPECT_TRUE(builder.add_equation(terms));
  }
  return problem_of(
      std::move(builder),
      {{.cell = CellId{0}, .lower = 5, .upper = 5}, {.cell = CellId{4}, .lower = 7, .upper = 4}});
}

TEST(IntervalExamples, CastroAndViaHaveTotalWidth42) {
  const auto problem = castro_via();
  const IntervalResult result = publish(problem);
  EXPECT_TRUE(result.complete);
  EXPECT_EQ(result.why, StopReason::kOptimal);
  EXPECT_DOUBLE_EQ(result.cost, 42);
  EXPECT_DOUBLE_EQ(result.bound, 42);
  expect_protected(problem, result.draft);
}

// Figure 3.6(a) of the thesis: A1 sensitive; external bounds 0 and 11 times the value.
std::shared_ptr<const Problem> thesis_figure(Requirement requirement) {
  return problem_of(two_way({{260, 90, 40, 390}, {285, 230, 70, 585}, {545, 320, 110, 975}},
                            {0, kUnboundedAbove},
                            0,
                            {0}),
                    {requirement});
}

TEST(IntervalExamples, ThesisFigure37HasTotalWidth136) {
  const auto problem = thesis_figure({.cell = CellId{0}, .sliding = 34});
  const IntervalResult result = publish(problem);
  EXPECT_EQ(result.why, StopReason::kOptimal);
  EXPECT_DOUBLE_EQ(result.cost, 4 * 34);
  expect_protected(problem, result.draft);
}

TEST(IntervalExamples, ThesisFigure37AsPrintedIsSafe) {
  const auto problem = thesis_figure({.cell = CellId{0}, .sliding = 34});
  Draft draft;
  draft.publish_interval(CellId{0}, {240, 274});
  draft.publish_interval(CellId{2}, {26, 60});
  draft.publish_interval(CellId{4}, {271, 305});
  draft.publish_interval(CellId{6}, {50, 84});
  expect_protected(problem, draft);
}

// Figures 1 and 5 of Salazar-Gonzalez: the investment table, cell (II, C) = 22 in [20, 26]. The
// pattern protects each of its cells exactly as far as its own interval goes, and no further.
TEST(IntervalExamples, FrameworkFigure5IsSafeAtItsOwnWidths) {
  const auto table = [] {
    return two_way({{20, 50, 10, 80}, {8, 19, 22, 49}, {17, 32, 12, 61}, {45, 101, 44, 190}},
                   {0, kUnboundedAbove},
                   0,
                   {6});
  };
  Draft draft;
  draft.publish_interval(CellId{0}, {18, 24});
  draft.publish_interval(CellId{2}, {6, 12});
  draft.publish_interval(CellId{4}, {4, 10});
  draft.publish_interval(CellId{6}, {20, 26});
  const Requirement met{.cell = CellId{6}, .lower = 2, .upper = 4, .sliding = 6};
  expect_protected(problem_of(table(), {met}), draft);
  const Requirement short_by_one{.cell = CellId{6}, .lower = 3, .upper = 4};
  EXPECT_EQ(testing::audit(problem_of(table(), {short_by_one}), draft).verdict, Verdict::kExposed);
}

TEST(IntervalExamples, PublishedAndKnownCellsStayAsTheyAre) {
  TableBuilder builder = two_way({{260, 90, 40, 390}, {285, 230, 70, 585}, {545, 320, 110, 975}},
                                 {0, kUnboundedAbove},
                                 0,
                                 {0});
  const auto problem = problem_of(std::move(builder), {{.cell = CellId{0}, .upper = 20}});
  IntervalOptions options;  // the set H: only the second column may help
  options.allowed = {CellId{1}, CellId{4}, CellId{5}};
  const IntervalResult result = publish(problem, options);
  EXPECT_DOUBLE_EQ(result.cost, 4 * 20);
  for (const CellEntry& entry : result.draft.entries())
    EXPECT_TRUE(entry.cell == CellId{0} || entry.cell == CellId{1} || entry.cell == CellId{4} ||
                entry.cell == CellId{5});
  expect_protected(problem, result.draft);
}

TEST(IntervalExamples, WeightsPerSideDecideWhichWayToGo) {
  const auto problem = thesis_figure({.cell = CellId{0}, .sliding = 34});
  IntervalOptions options;
  options.weight_up.assign(12, 1);
  options.weight_down.assign(12, 1);
  options.weight_up[0] = 100;  // upwards is dear for the sensitive cell
  const IntervalResult result = publish(problem, options);
  EXPECT_DOUBLE_EQ(result.cost, 4 * 34);
  const auto entry = result.draft.find(CellId{0});
  ASSERT_NE(entry, nullptr);
  EXPECT_EQ(entry->bounds().upper, 260);
  EXPECT_EQ(entry->bounds().lower, 260 - 34);
  expect_protected(problem, result.draft);
}

TEST(IntervalExamples, DigitsRoundOutwardWithinThePrior) {
  const auto problem = thesis_figure({.cell = CellId{0}, .lower = 17, .upper = 17});
  IntervalOptions options;
  options.interval_digits = 2;
  const IntervalResult result = publish(problem, options);
  EXPECT_TRUE(result.complete);
  EXPECT_GE(result.cost, 4 * 34);
  for (const CellEntry& entry : result.draft.entries()) {
    EXPECT_GE(entry.bounds().lower, 0);
    EXPECT_TRUE(entry.bounds().lower < 100 || entry.bounds().lower % 10 == 0);
    EXPECT_TRUE(entry.bounds().upper < 100 || entry.bounds().upper % 10 == 0);
  }
  expect_protected(problem, result.draft);
}

// Slack without end that is free: the combined method prices every end, some of them at nothing,
// and its search starts from the cost of hiding everything.
TEST(IntervalExamples, CellsWithoutPriceAndWithoutBounds) {
  const auto problem = thesis_figure({.cell = CellId{0}, .lower = 17, .upper = 17});
  IntervalOptions options;
  options.weight_up.assign(12, 1);
  options.weight_up[1] = 0;
  options.weight_down = options.weight_up;
  const auto model = interval::make_model(*problem, options, true);
  ASSERT_TRUE(model);
  EXPECT_EQ(model->cost(model->most), kLpInfinity);
  options.weight_up.assign(12, 0);
  options.weight_down = options.weight_up;
  const auto free = interval::make_model(*problem, options, true);
  ASSERT_TRUE(free);
  EXPECT_EQ(free->cost(free->most), free->forced);
}

// Fewer digits are for ends of intervals: what is published as it is keeps its own.
TEST(IntervalExamples, DigitsLeavePublishedCellsAlone) {
  TableBuilder builder = two_way({{261, 92, 41, 394}, {285, 233, 72, 590}, {546, 325, 113, 984}},
                                 {0, kUnboundedAbove},
                                 0,
                                 {0});
  const auto problem = problem_of(std::move(builder), {{.cell = CellId{0}, .upper = 20}});
  IntervalOptions options;
  options.interval_digits = 1;
  options.allowed = {CellId{1}, CellId{4}, CellId{5}};
  const IntervalResult result = publish(problem, options);
  EXPECT_TRUE(result.complete);
  EXPECT_EQ(result.draft.entries().size(), 4U);
  expect_protected(problem, result.draft);
}

// The cell alone would cost 1 and be told by its row.
TEST(IntervalExamples, SensitiveWithoutLevelIsNotComputable) {
  const auto problem =
      problem_of(two_way({{1, 2, 3}, {4, 5, 9}, {5, 7, 12}}, {0, kUnboundedAbove}, 0, {0}), {});
  const IntervalResult result = publish(problem);
  EXPECT_TRUE(result.complete);
  EXPECT_DOUBLE_EQ(result.cost, 4);
  expect_protected(problem, result.draft);
}

TEST(IntervalExamples, StatedZeroLevelIsNotPublishedAsItIs) {
  const auto problem = std::make_shared<Problem>(
      *problem_of(two_way({{1, 2, 3}, {4, 5, 9}, {5, 7, 12}}, {0, kUnboundedAbove}, 0, {0}), {}));
  problem->state_zero_levels();
  const IntervalResult result = publish(problem);
  EXPECT_TRUE(result.complete);
  EXPECT_DOUBLE_EQ(result.cost, 1);
  EXPECT_EQ(testing::audit(problem, result.draft).verdict, Verdict::kUnasked);
}

TEST(IntervalExamples, UnattainableLevelNamesTheCell) {
  TableBuilder builder(0);
  for (const Units value : {10, 15, 25}) {
    Cell cell{.value = value};
    cell.status = value == 10 ? CellStatus::kPrimary : CellStatus::kMustPublish;
    EXPECT_TRUE(builder.add_cell(cell));
  }
  const Term terms[] = {{CellId{0}, 1}, {CellId{1}, 1}, {CellId{2}, -1}};
  EXPECT_TRUE(builder.add_equation(terms));
  const auto problem = problem_of(std::move(builder), {{.cell = CellId{0}, .upper = 3}});
  const auto result = publish_intervals(problem, {}, RunContext{});
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().where, "cell 0");
}

TEST(IntervalExamples, OptionsAreChecked) {
  const auto problem = castro_via();
  IntervalOptions options;
  options.gap = 1;
  EXPECT_FALSE(publish_intervals(problem, options, RunContext{}));
  options.gap = 0;
  options.interval_digits = 19;
  EXPECT_FALSE(publish_intervals(problem, options, RunContext{}));
  options.interval_digits = 0;
  options.allowed = {CellId{6}};
  EXPECT_FALSE(publish_intervals(problem, options, RunContext{}));
  options.allowed.clear();
  options.weight_up = {1};
  EXPECT_FALSE(publish_intervals(problem, options, RunContext{}));
}

TEST(IntervalExamples, StoppedAtOnceIsStillSafe) {
  const auto problem = castro_via();
  RunContext run;
  run.deadline = std::chrono::steady_clock::now();
  const auto result = publish_intervals(problem, {}, run);
  ASSERT_TRUE(result);
  EXPECT_EQ(result->why, StopReason::kLimit);
  EXPECT_TRUE(result->complete);
  expect_protected(problem, result->draft);
}

}  // namespace
}  // namespace lacuna::interval
