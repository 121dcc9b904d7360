// SPDX-License-Identifier: Apache-2.0
#include "core/table/least_counts.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "lacuna/linked_tables.h"

namespace lacuna::table {
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
  EXPECT_TRUE(add_table_equations(builder, std::vector<LinkedTable>{{"", {0, 1}, false}}));
  auto table = std::move(builder).build();
  EXPECT_TRUE(table);
  return std::move(table).value();
}

const std::vector<LinkedTable> kWhole{{"", {0, 1}, false}};

constexpr Units kNone = kUnboundedBelow;

TEST(LeastCounts, ATableLeavesOutItsEmptyCells) {
  EXPECT_EQ(least_by_rows(table_of(3, 4, 2, -1), kWhole), std::vector<Units>(8, 1));
  EXPECT_TRUE(least_by_rows(table_of(3, 4, 2, 1), kWhole).empty()) << "every row is there";
  EXPECT_TRUE(least_by_rows(table_of(3, 0, 2, -1), kWhole).empty())
      << "a zero is listed, and no other kind of rows lacks one";
  EXPECT_TRUE(
      least_by_rows(table_of(3, 4, 2, -1), std::vector<LinkedTable>{{"", {0, 1}, true}}).empty())
      << "an open table ends somewhere";
}

TEST(LeastCounts, AZeroAmongTheSumsSaysNothingOfTheRowsWithin) {
  // The row b has a total of 0 and no cells: a p, a q, a T, b T, T p, T q, T T.
  EXPECT_EQ(least_by_rows(table_of(3, 4, -1, -1), kWhole),
            (std::vector<Units>{1, 1, kNone, kNone, kNone, kNone, kNone}));
}

TEST(LeastCounts, RowsThatAreLeftOutByOurselvesNeedNotLackOne) {
  EXPECT_EQ(least_by_rows(table_of(3, 0, 2, 1), kWhole, EmptyRows::kLeftOut),
            (std::vector<Units>{kNone, kNone, 1, kNone, kNone, 1, 1, 1, 1}));
  EXPECT_EQ(least_by_rows(table_of(3, 4, 2, 1), kWhole, EmptyRows::kLeftOut),
            std::vector<Units>(9, 1));
}

// T = A + e, A = a + b; the zero of A is listed, and those of its parts are not.
TEST(LeastCounts, LevelsOfAHierarchyAreKindsOfRows) {
  auto tree = Dimension::build("r", {"a", "b", "A", "e", "T"}, {{2, {0, 1}}, {4, {2, 3}}});
  auto columns = Dimension::build("c", {"p", "q", "T"}, {{2, {0, 1}}});
  TableBuilder builder(0, {*tree, *columns});
  const auto add = [&](Units value, std::int32_t row, std::int32_t column) {
    EXPECT_TRUE(builder.add_cell({.value = value}, std::vector<std::int32_t>{row, column}));
  };
  add(3, 0, 0), add(2, 1, 0), add(5, 2, 0), add(0, 2, 1);                // a p, b p, A p, A q
  add(4, 3, 1), add(5, 4, 0), add(4, 4, 1);                              // e q, T p, T q
  add(3, 0, 2), add(2, 1, 2), add(5, 2, 2), add(4, 3, 2), add(9, 4, 2);  // the totals, all there
  ASSERT_TRUE(add_table_equations(builder, kWhole));
  const auto table = std::move(builder).build();
  ASSERT_TRUE(table);
  std::vector<Units> expected(12, kNone);
  expected[0] = expected[1] = expected[4] = 1;
  EXPECT_EQ(least_by_rows(*table, kWhole), expected);
}

TEST(LeastCounts, LevelsEndWhereReadersKnowBetter) {
  const Table table = table_of(3, 4, 2, -1);
  const auto problem = make_problem(
      table,
      {outsider()},
      {{.cell = CellId{0}, .lower = 3, .upper = 1}, {.cell = CellId{3}, .lower = 1, .upper = 1}});
  ASSERT_TRUE(problem) << problem.error().text();
  const auto known = knowing_none_is_empty(*problem);
  ASSERT_TRUE(known) << known.error().text();
  std::vector<Units> least;  // a sum of two listed cells is at least 2
  for (const Cell& cell : known->table().cells())
    least.push_back(cell.prior.lower);
  EXPECT_EQ(least, (std::vector<Units>{1, 1, 2, 1, 1, 2, 1, 3}));
  EXPECT_EQ(known->requirements()[0].lower, 2);
  EXPECT_EQ(known->requirements()[0].upper, 1);
  EXPECT_EQ(known->requirements()[1].lower, 1);
}

TEST(LeastCounts, ACountThatNobodyCanTakeForLessStillMustNotBeTold) {
  const auto problem = make_problem(
      table_of(1, 4, 2, -1), {outsider()}, {{.cell = CellId{0}, .lower = 1, .upper = 0}});
  ASSERT_TRUE(problem);
  const auto known = knowing_none_is_empty(*problem);
  ASSERT_TRUE(known);
  EXPECT_EQ(known->requirements()[0].lower, 0);
  EXPECT_EQ(known->requirements()[0].sliding, 1) << "raised, as every zero level is";
}

}  // namespace
}  // namespace lacuna::table
