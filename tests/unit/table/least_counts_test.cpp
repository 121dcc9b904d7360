// SPDX-License-Identifier: Apache-2.0
#include "table/least_counts.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "lacuna/cross.h"

namespace lacuna {
namespace {

// Rows a, b, T by columns p, q, T; cells of the value -1 are not there.
Table table_of(Units ap, Units aq, Units bp, Units bq) {
  auto rows = Dimension::build("r", {"a", "b", "T"}, {{2, {0, 1}}});
  auto columns = Dimension::build("c", {"p", "q", "T"}, {{2, {0, 1}}});
  TableBuilder builder(0, {*rows, *columns});
  const auto count = [](Units value) { return std::max<Units>(value, 0); };
  const auto add = [&](Units value, std::int32_t row, std::int32_t column) {
    if (value >= 0) {
      EXPECT_TRUE(builder.add_cell({.value = value}, std::vector<std::int32_t>{row, column}));
    }
  };
  add(ap, 0, 0), add(aq, 0, 1), add(count(ap) + count(aq), 0, 2);
  add(bp, 1, 0), add(bq, 1, 1), add(count(bp) + count(bq), 1, 2);
  add(count(ap) + count(bp), 2, 0), add(count(aq) + count(bq), 2, 1);
  add(count(ap) + count(aq) + count(bp) + count(bq), 2, 2);
  EXPECT_TRUE(add_cross_equations(builder, std::vector<CrossTable>{{"", {0, 1}, false}}));
  auto table = std::move(builder).build();
  EXPECT_TRUE(table);
  return std::move(table).value();
}

const std::vector<CrossTable> kWhole{{"", {0, 1}, false}};

TEST(LeastCounts, ATableLeavesOutItsEmptyCells) {
  EXPECT_TRUE(leaves_out_empty(table_of(3, 4, 2, -1), kWhole));
  EXPECT_FALSE(leaves_out_empty(table_of(3, 4, 2, 1), kWhole)) << "every row is there";
  EXPECT_FALSE(leaves_out_empty(table_of(3, 0, 2, -1), kWhole)) << "a zero is listed";
  EXPECT_FALSE(leaves_out_empty(table_of(3, 4, 2, -1), std::vector<CrossTable>{{"", {0, 1}, true}}))
      << "an open table ends somewhere";
}

TEST(LeastCounts, LevelsEndWhereReadersKnowBetter) {
  const Table table = table_of(3, 4, 2, -1);
  const auto problem = make_problem(table,
                                    {outsider()},
                                    {{.cell = CellId{0}, .lower = 3, .upper = 1},
                                     {.cell = CellId{3}, .lower = 1, .upper = 1}});
  ASSERT_TRUE(problem) << problem.error().text();
  const auto known = knowing_none_is_empty(*problem);
  ASSERT_TRUE(known) << known.error().text();
  std::vector<Units> least;  // a sum of two listed cells is at least 2
  for (const Cell& cell : known->table.cells())
    least.push_back(cell.prior.lower);
  EXPECT_EQ(least, (std::vector<Units>{1, 1, 2, 1, 1, 2, 1, 3}));
  EXPECT_EQ(known->requirements[0].lower, 2);
  EXPECT_EQ(known->requirements[0].upper, 1);
  EXPECT_EQ(known->requirements[1].lower, 1);
}

TEST(LeastCounts, ACountThatNobodyCanTakeForLessStillMustNotBeTold) {
  const auto problem = make_problem(
      table_of(1, 4, 2, -1), {outsider()}, {{.cell = CellId{0}, .lower = 1, .upper = 0}});
  ASSERT_TRUE(problem);
  const auto known = knowing_none_is_empty(*problem);
  ASSERT_TRUE(known);
  EXPECT_EQ(known->requirements[0].lower, 0);
  EXPECT_EQ(known->requirements[0].sliding, 1) << "raised, as every zero level is";
}

}  // namespace
}  // namespace lacuna
