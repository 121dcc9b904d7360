// SPDX-License-Identifier: Apache-2.0
// Cell perturbation on the table of the unified framework.
#include "lacuna/perturb.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "support/number_tables.h"
#include "support/tables.h"

namespace lacuna::perturbation {
namespace {

using ::testing::HasSubstr;
using testing::problem_of;
using testing::two_way;

std::shared_ptr<const Problem> salazar(Units lower, Units upper) {
  return problem_of(
      two_way({{20, 50, 10, 80}, {8, 19, 22, 49}, {17, 32, 12, 61}, {45, 101, 44, 190}},
              {0, kUnboundedAbove},
              0,
              {6}),
      {{.cell = CellId{6}, .lower = lower, .upper = upper}});
}

// Ranges of Figure 11: ten on either side of the six cells that change, none for the others.
PerturbOptions figure_11(const Table& table) {
  PerturbOptions options;
  for (std::int32_t c = 0; c < 16; ++c) {
    const Units value = table.value(CellId{c});
    const bool moves = (c >= 4 && c <= 6) || (c >= 8 && c <= 10);
    options.ranges.push_back(moves ? Bounds{value - 10, value + 10} : Bounds{value, value});
  }
  options.values.assign(16, std::nullopt);
  options.values[6] = 26;
  return options;
}

// Salazar-Gonzalez, Figure 11: the printed table costs 16, which is the optimum.
TEST(Perturb, Figure11IsOptimal) {
  const auto problem = salazar(10, 12);
  const auto found = perturb(problem, figure_11(problem->table()), RunContext{});
  ASSERT_TRUE(found) << found.error().text();
  EXPECT_EQ(found->why, StopReason::kOptimal);
  EXPECT_NEAR(found->cost, 16, 1e-9);
  EXPECT_EQ(found->draft.find(CellId{6})->number(), 26);
  EXPECT_EQ(found->draft.state(CellId{0}), StatementKind::kExact);
  testing::expect_safe_on_disk(problem, found->draft);
  const std::vector<Units> printed{20, 50, 10, 80, 7, 16, 26, 49, 18, 35, 8, 61, 45, 101, 44, 190};
  Draft paper;
  for (std::int32_t c = 0; c < 16; ++c) {
    const Units value = printed[static_cast<std::size_t>(c)];
    if (!found->draft.is_exact(CellId{c}))
      paper.publish_altered(CellId{c}, value, {value - 20, value + 20});
  }
  EXPECT_TRUE(draft::check_sums(problem->table(), paper));
  EXPECT_EQ(testing::audit(problem, paper).verdict, Verdict::kProtected);
}

// Four cells of a cycle are the fewest that can change together.
TEST(Perturb, ALimitOfChangedCells) {
  const auto problem = salazar(10, 12);
  PerturbOptions options = figure_11(problem->table());
  options.max_changed = 4;
  const auto four = perturb(problem, options, RunContext{});
  ASSERT_TRUE(four);
  EXPECT_EQ(four->why, StopReason::kOptimal);
  EXPECT_NEAR(four->cost, 16, 1e-9);
  testing::expect_safe_on_disk(problem, four->draft);
  options.max_changed = 3;
  const auto three = perturb(problem, options, RunContext{});
  ASSERT_TRUE(three);
  EXPECT_EQ(three->why, StopReason::kInfeasible);
  EXPECT_THAT(three->reason, HasSubstr("the limit of changed cells"));
}

TEST(Perturb, APriceOfChangesCountsCells) {
  const auto problem = salazar(10, 12);
  PerturbOptions options = figure_11(problem->table());
  options.change_price = 100;
  const auto found = perturb(problem, options, RunContext{});
  ASSERT_TRUE(found);
  EXPECT_NEAR(found->cost, 16 + 4 * 100, 1e-6);
}

// The levels are the range; the number is drawn from it, so that no distance gives it away.
TEST(Perturb, NumbersOfSensitiveCellsAreDrawnFromTheirRange) {
  const auto problem = salazar(10, 12);
  PerturbOptions options;
  options.range = 50;
  const auto numbers = [&](SenseRule senses) {
    options.senses = senses;
    std::set<Units> seen;
    for (std::uint64_t seed = 1; seed <= 12; ++seed) {
      RunContext run;
      run.seed = seed;
      const auto found = perturb(problem, options, run);
      EXPECT_TRUE(found && found->complete);
      testing::expect_safe_on_disk(problem, found->draft);
      seen.insert(*found->draft.find(CellId{6})->number());
    }
    return seen;
  };
  const std::set<Units> up = numbers(SenseRule::kUp), down = numbers(SenseRule::kDown);
  EXPECT_GT(up.size(), 3U);
  EXPECT_GT(*up.begin(), 22);
  EXPECT_LE(*up.rbegin(), 34);
  EXPECT_GT(down.size(), 3U);
  EXPECT_GE(*down.begin(), 12);
  EXPECT_LT(*down.rbegin(), 22);
}

// Printed widths are 1, 2 or 5 times a power of ten, whatever the levels and values.
TEST(Perturb, WidthsDoNotGiveLevelsAway) {
  const auto problem = salazar(10, 12);
  PerturbOptions options;
  options.range = 50;
  const auto found = perturb(problem, options, RunContext{});
  ASSERT_TRUE(found && found->complete);
  for (const CellEntry& entry : found->draft.entries()) {
    Units width = entry.bounds().upper - *entry.number();
    while (width % 10 == 0)
      width /= 10;
    EXPECT_TRUE(width == 1 || width == 2 || width == 5) << width;
    EXPECT_GE(entry.bounds().lower, 1);  // zeros are published as they are
  }
}

TEST(Perturb, WithoutRangesTheNumbersKeepTheirDistance) {
  const auto problem = salazar(10, 12);
  PerturbOptions options;
  options.range = 50;
  options.range_unknown = true;
  const auto found = perturb(problem, options, RunContext{});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->draft.find(CellId{6})->number(), 12);  // ten away rather than twelve
  EXPECT_TRUE(found->draft.adjusted());
  EXPECT_EQ(found->draft.state(CellId{6}), StatementKind::kAdjusted);
  testing::expect_safe_on_disk(problem, found->draft);
}

TEST(Perturb, TooNarrowRangesAreExplained) {
  const auto problem = salazar(10, 12);
  PerturbOptions options;
  options.range = 0;
  const auto found = perturb(problem, options, RunContext{});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->why, StopReason::kInfeasible);
  EXPECT_THAT(found->reason, HasSubstr("cannot hold together"));
}

TEST(Perturb, OptionsAreChecked) {
  const auto problem = salazar(10, 12);
  PerturbOptions bad;
  bad.range = -1;
  EXPECT_FALSE(perturb(problem, bad, RunContext{}));
  bad = {};
  bad.grid = 0;
  EXPECT_FALSE(perturb(problem, bad, RunContext{}));
  bad = {};
  bad.grid = 2;  // every value would be known up to multiples of two
  EXPECT_FALSE(perturb(problem, bad, RunContext{}));
  bad.range_unknown = true;
  EXPECT_TRUE(perturb(problem, bad, RunContext{}));
  bad = {};
  bad.ranges.assign(16, Bounds{1000, 2000});
  EXPECT_FALSE(perturb(problem, bad, RunContext{}));
  bad = figure_11(problem->table());
  bad.values[6] = 60;
  EXPECT_FALSE(perturb(problem, bad, RunContext{}));
}

}  // namespace
}  // namespace lacuna::perturbation
