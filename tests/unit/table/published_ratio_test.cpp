// SPDX-License-Identifier: Apache-2.0
#include "core/table/published_ratio.h"

#include <gtest/gtest.h>

#include "core/table/unpublished.h"

namespace lacuna::table {
namespace {

Units printed(Units x, Units n, RatioRounding rounding, Units above = 10, bool growth = false) {
  return printed_ratio(x, n, {above, 1, growth, rounding}).value();
}

TEST(PublishedRatio, IsRoundedByItsRule) {
  EXPECT_EQ(printed(3, 180, RatioRounding::kHalfUp, 1000), 17);
  EXPECT_EQ(printed(1, 4, RatioRounding::kHalfUp), 3);
  EXPECT_EQ(printed(1, 4, RatioRounding::kHalfEven), 2);
  EXPECT_EQ(printed(3, 4, RatioRounding::kHalfEven), 8);
  EXPECT_EQ(printed(1, 4, RatioRounding::kDown), 2);
  EXPECT_EQ(printed(1, 4, RatioRounding::kUp), 3);
  EXPECT_EQ(printed(1, 5, RatioRounding::kUp), 2);
  EXPECT_EQ(printed(3, 4, RatioRounding::kHalfUp, 10, true), -3);  // -2.5, away from zero
  EXPECT_EQ(printed(3, 4, RatioRounding::kHalfEven, 10, true), -2);
  EXPECT_EQ(printed(3, 4, RatioRounding::kDown, 10, true), -3);
}

TEST(PublishedRatio, OutsideOf62BitsThereIsNone) {
  EXPECT_FALSE(printed_ratio(kMaxUnits, 1, {1'000'000'000, 1, false, RatioRounding::kHalfUp}));
}

Problem two_cells(Units x, Units n) {
  TableBuilder builder(0);
  EXPECT_TRUE(builder.add_cell({.value = x}));
  EXPECT_TRUE(builder.add_cell({.value = n}));
  auto table = std::move(builder).build();
  return make_problem(*std::move(table), {outsider()}, {}).value();
}

TEST(PublishedRatio, IsTwoInequalities) {
  const Problem problem = two_cells(3, 180);
  Appendix to(problem);
  ASSERT_TRUE(add_printed_ratio(to, CellId{0}, CellId{1}, {1000}, 17, CellId{0}));
  const Problem built = std::move(to).build().value();
  // 2000 x - 33 n >= 0 and 35 n - 2000 x >= 1, the second divided by 5.
  ASSERT_EQ(built.table().num_equations(), 2);
  EXPECT_EQ(built.table().value(CellId{2}), 2000 * 3 - 33 * 180);
  EXPECT_EQ(built.table().cell(CellId{2}).prior.lower, 0);
  EXPECT_EQ(built.table().value(CellId{3}), (35 * 180 - 2000 * 3) / 5);
  EXPECT_EQ(built.table().cell(CellId{3}).prior.lower, 1);
  EXPECT_TRUE(is_unpublished(built.table().cell(CellId{2})));
  EXPECT_EQ(built.table().cell(CellId{1}).prior.lower, 1);
}

TEST(PublishedRatio, OfAKnownNumberIsABound) {
  const Problem problem = two_cells(3, 180);
  Appendix to(problem);
  ASSERT_TRUE(to.narrow(CellId{1}, {180, 180}));
  ASSERT_TRUE(add_printed_ratio(to, CellId{0}, CellId{1}, {1000}, 17, CellId{0}));
  const Problem built = std::move(to).build().value();
  EXPECT_EQ(built.table().num_cells(), 2);
  EXPECT_EQ(built.table().cell(CellId{0}).prior, (Bounds{3, 3}));
}

TEST(PublishedRatio, LargeCoefficientsAreDivided) {
  // A mean of 123456.78 over 9 contributors.
  const Problem problem = two_cells(111'111'102, 9);
  Appendix to(problem);
  const RatioScale scale{100, 100};
  const auto mean = printed_ratio(111'111'102, 9, scale);
  ASSERT_TRUE(mean);
  EXPECT_EQ(*mean, 12'345'678);
  ASSERT_TRUE(add_printed_ratio(to, CellId{0}, CellId{1}, scale, *mean, CellId{0}));
  const auto built = std::move(to).build();
  ASSERT_TRUE(built) << built.error().text();
  for (std::int32_t e = 0; e < built->table().num_equations(); ++e) {
    for (const Term& term : built->table().equation(EquationId{e}))
      EXPECT_LE(std::abs(term.coefficient), 1'000'000);
  }
  EXPECT_GT(built->table().num_cells(), 4);
}

TEST(PublishedRatio, WhatIsNotTrueIsAnError) {
  const Problem problem = two_cells(3, 180);
  Appendix to(problem);
  const Status added = add_printed_ratio(to, CellId{0}, CellId{1}, {1000}, 18, CellId{0});
  ASSERT_FALSE(added);
  EXPECT_EQ(added.error().code, ErrorCode::kFalseRelease);
}

}  // namespace
}  // namespace lacuna::table
