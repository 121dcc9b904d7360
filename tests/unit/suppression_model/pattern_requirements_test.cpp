// SPDX-License-Identifier: Apache-2.0
#include "protect/suppression_model/pattern_requirements.h"

#include <gtest/gtest.h>

#include "support/tables.h"

namespace lacuna::suppression_model {
namespace {

using testing::problem_of;
using testing::two_way;
using testing::withholding;

TEST(Demands, LeastWidthRoundsUpAndIsAtLeastOneUnit) {
  EXPECT_EQ(least_width({.value = 1000}, 0), 0);
  EXPECT_EQ(least_width({.value = 1000}, 10), 100);
  EXPECT_EQ(least_width({.value = 1001}, 10), 101);
  EXPECT_EQ(least_width({.value = -1001}, 10), 101);
  EXPECT_EQ(least_width({.value = 0}, 10), 1);
  EXPECT_EQ(least_width({.value = 3}, 10), 1);
  EXPECT_EQ(least_width({.value = 1000}, 0.1), 1);  // although 0.1 is no binary fraction
  EXPECT_EQ(least_width({.value = 1'000'000}, 33.3), 333'000);
  EXPECT_EQ(least_width({.value = kMaxUnits}, 500), kMaxUnits);
}

//   *2   3 |  5     The 2 is sensitive, the 7 withheld already, the total must be published.
//    4  ~7 | 11
//   -------+---
//    6  10 | !16
std::shared_ptr<const Problem> mixed() {
  TableBuilder builder(0);
  const std::vector<Units> values{2, 3, 5, 4, 7, 11, 6, 10, 16};
  for (std::size_t i = 0; i < values.size(); ++i) {
    Cell cell{.value = values[i]};
    if (i == 0)
      cell.status = CellStatus::kPrimary;
    if (i == 4)
      cell.status = CellStatus::kSecondary;
    if (i == 8)
      cell.status = CellStatus::kMustPublish;
    EXPECT_TRUE(builder.add_cell(cell));
  }
  return problem_of(std::move(builder), {{.cell = CellId{0}, .upper = 1, .sliding = 1}});
}

TEST(Demands, WhatIsAlwaysWithheldAndWhatMayBe) {
  const auto problem = mixed();
  const std::vector<bool> always = presolve::always_withheld(*problem);
  EXPECT_EQ(std::count(always.begin(), always.end(), true), 2);
  EXPECT_TRUE(always[0]);
  EXPECT_TRUE(always[4]);
  EXPECT_FALSE(may_be_withheld(problem->table().cell(CellId{8})));
  EXPECT_TRUE(may_be_withheld(problem->table().cell(CellId{1})));
}

TEST(Demands, RequirementsAloneWithoutMinimumWidth) {
  const auto problem = mixed();
  const std::vector<PatternRequirement> requirements = all_pattern_requirements(*problem, 0);
  ASSERT_EQ(requirements.size(), 1U);
  EXPECT_EQ(requirements.front().levels, problem->requirements().front());
  EXPECT_FALSE(requirements.front().conditional);
}

TEST(Demands, MinimumWidthIsSlidingLevelOfWhatIsWithheld) {
  const auto problem = mixed();
  const double minimum_width = 100;
  const std::vector<PatternRequirement> requirements =
      all_pattern_requirements(*problem, minimum_width);
  ASSERT_EQ(requirements.size(), 8U);  // all but the total
  for (const PatternRequirement& requirement : requirements) {
    const std::int32_t cell = requirement.levels.cell.value;
    EXPECT_EQ(requirement.conditional, cell != 0 && cell != 4) << cell;
    EXPECT_EQ(requirement.levels.sliding, problem->table().value(requirement.levels.cell)) << cell;
    EXPECT_EQ(requirement.levels.upper, cell == 0 ? 1 : 0);
  }
  const Problem asked = problem_of_pattern(*problem, minimum_width, withholding({0, 1, 4}));
  ASSERT_EQ(asked.requirements().size(), 3U);
  EXPECT_EQ(asked.requirements()[1], (Requirement{.cell = CellId{1}, .sliding = 3}));
  EXPECT_EQ(withheld_weight(problem->table(), withholding({0, 1, 4})), 3);
}

TEST(Demands, LargerOwnSlidingLevelStays) {
  const auto problem =
      problem_of(two_way({{2, 3, 5}, {4, 7, 11}, {6, 10, 16}}, {0, kUnboundedAbove}, 0, {0}),
                 {{.cell = CellId{0}, .sliding = 5}});
  const double minimum_width = 100;
  EXPECT_EQ(all_pattern_requirements(*problem, minimum_width).front().levels.sliding, 5);
}

}  // namespace
}  // namespace lacuna::suppression_model
