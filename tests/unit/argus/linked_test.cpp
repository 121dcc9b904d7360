// SPDX-License-Identifier: Apache-2.0
#include "data/argus/linked.h"

#include <gtest/gtest.h>

#include <cmath>

namespace lacuna::argus {
namespace {

CodeList list_of(const std::string& name,
                 std::vector<std::string> codes,
                 std::vector<std::int32_t> parents) {
  CodeList list;
  list.variable = name;
  list.codes = std::move(codes);
  list.parents = std::move(parents);
  list.missing.assign(list.codes.size(), false);
  return list;
}

// Values row by row, the total first; every cell is safe with ten contributors.
Table table_of(std::vector<CodeList> lists, const std::vector<Units>& values) {
  Table table;
  table.variables = std::move(lists);
  for (const CodeList& list : table.variables)
    table.spec.explanatory.push_back({list.variable, {}});
  table.response = table.spec.response.text = "Resp";
  for (const Units value : values) {
    Cell cell;
    cell.response = cell.shadow = value;
    cell.cost = static_cast<double>(value);
    cell.frequency = 10;
    cell.status = CellStatus::kSafe;
    table.cells.push_back(cell);
  }
  return table;
}

CodeList regions() {
  return list_of("Region", {"Total", "N", "S"}, {-1, 0, 0});
}

Table by_size() {
  return table_of({regions(), list_of("Size", {"Total", " 1", " 2"}, {-1, 0, 0})},
                  {100, 60, 40, 55, 35, 20, 45, 25, 20});
}

Table by_sector() {
  return table_of({list_of("Sector", {"Total", "a", "b"}, {-1, 0, 0}), regions()},
                  {100, 55, 45, 70, 40, 30, 30, 15, 15});
}

void make_unsafe(Cell& cell, int lower, int upper) {
  cell.status = CellStatus::kUnsafeRule;
  cell.levels = ProtectionLevels{mpq_class(lower), mpq_class(upper)};
}

TEST(LinkTables, OneTableHasItsCellsAndSums) {
  const Table table = by_size();
  const auto linked = link_tables({&table}, {"table 1"}, {});
  ASSERT_TRUE(linked) << linked.error().text();
  EXPECT_EQ(linked->job.problem.table().num_cells(), 9);
  EXPECT_EQ(linked->job.problem.table().num_equations(), 6);
  EXPECT_EQ(linked->job.problem.table().dimensions()[1].code(1), "1");  // blanks are of the file
}

TEST(LinkTables, ContributorsWithoutFrequencies) {
  Table table = by_size();
  table.frequencies = false;
  table.cells[4].largest = {30, 5};  // all of its 35
  table.cells[5].largest = {12, 5};  // of 20
  const auto linked = link_tables({&table}, {"table 1"}, {});
  ASSERT_TRUE(linked) << linked.error().text();
  const auto contributors = [&](std::size_t cell) {
    return linked->job.problem.table().cell(CellId{linked->cells[0][cell]}).frequency;
  };
  EXPECT_EQ(contributors(4), 2);
  EXPECT_EQ(contributors(5), -1);
  EXPECT_EQ(contributors(0), -1);
}

TEST(LinkTables, CellsOfEqualCodesAreOne) {
  const Table first = by_size();
  const Table second = by_sector();
  const auto linked = link_tables({&first, &second}, {"table 1", "table 2"}, {});
  ASSERT_TRUE(linked) << linked.error().text();
  EXPECT_EQ(linked->job.problem.table().num_cells(), 15);  // the three of Region alone are shared
  EXPECT_EQ(linked->cells[0][3], linked->cells[1][1]);     // N
  EXPECT_EQ(linked->job.tables.size(), 2U);
}

TEST(LinkTables, UnsafeInOneIsUnsafeInAllWithTheHighestLevels) {
  Table first = by_size();
  Table second = by_sector();
  make_unsafe(first.cells[3], 5, 2);
  make_unsafe(second.cells[1], 3, 7);
  const auto linked = link_tables({&first, &second}, {"table 1", "table 2"}, {});
  ASSERT_TRUE(linked) << linked.error().text();
  const AprioriEntry& entry =
      linked->job.contributions->given[static_cast<std::size_t>(linked->cells[0][3])];
  EXPECT_EQ(entry.status, AprioriStatus::kUnsafe);
  EXPECT_EQ(entry.lower, 5);
  EXPECT_EQ(entry.upper, 7);
}

TEST(LinkTables, TablesThatDisagreeAreRefused) {
  const Table first = by_size();
  Table second = by_sector();
  second.cells[1].response = 56;
  const auto linked = link_tables({&first, &second}, {"table 1", "table 2"}, {});
  ASSERT_FALSE(linked);
  EXPECT_NE(linked.error().text().find("table 1 and table 2 share the cell, but not its value"),
            std::string::npos);
}

TEST(LinkTables, WithheldHereAndPublishedThereIsRefused) {
  Table first = by_size();
  Table second = by_sector();
  make_unsafe(first.cells[3], 5, 5);
  second.cells[1].status = CellStatus::kProtected;
  EXPECT_FALSE(link_tables({&first, &second}, {"table 1", "table 2"}, {}));
}

TEST(LinkTables, ACoarseTreeBesideADeepOne) {
  const CodeList deep = list_of("Region", {"Total", "N", "N1", "N2", "S"}, {-1, 0, 1, 1, 0});
  const Table first = table_of({deep}, {100, 55, 30, 25, 45});
  const Table second = by_sector();
  const auto linked = link_tables({&first, &second}, {"table 1", "table 2"}, {});
  ASSERT_TRUE(linked) << linked.error().text();
  EXPECT_EQ(linked->job.problem.table().num_cells(), 11);
  // Total = N + S for Total, a and b; N = N1 + N2; Total = a + b for Total, N and S.
  EXPECT_EQ(linked->job.problem.table().num_equations(), 7);
}

TEST(LinkTables, TreesThatContradictAreRefused) {
  const CodeList other = list_of("Region", {"Total", "N", "S"}, {-1, 0, 1});
  const Table first = by_size();
  const Table second = table_of({other}, {100, 100, 100});
  EXPECT_FALSE(link_tables({&first, &second}, {"table 1", "table 2"}, {}));
}

TEST(LinkTables, WhatEveryoneKnows) {
  Table table = by_size();
  make_unsafe(table.cells[4], 50, 200);
  const auto linked = link_tables({&table}, {"table 1"}, {});
  ASSERT_TRUE(linked);
  const AprioriEntry& unsafe = linked->job.contributions->given[4];
  EXPECT_EQ(unsafe.lower, 35);         // cut at zero
  EXPECT_EQ(unsafe.upper_bound, 235);  // widened beyond 150
  EXPECT_EQ(linked->job.contributions->given[5].upper_bound, 150);
  const auto near = link_tables({&table}, {"table 1"}, {40, false});
  ASSERT_TRUE(near);
  EXPECT_EQ(near->job.contributions->given[5].lower_bound, 12);
  EXPECT_EQ(near->job.contributions->given[5].upper_bound, 28);
}

TEST(LinkTables, LevelsAreRoundedUp) {
  Table table = by_size();
  make_unsafe(table.cells[4], 1, 1);
  table.cells[4].levels->upper = mpq_class(36, 5);
  const auto linked = link_tables({&table}, {"table 1"}, {});
  ASSERT_TRUE(linked);
  EXPECT_EQ(linked->job.contributions->given[4].upper, 8);
}

TEST(LinkTables, EmptyCellsAreNoCells) {
  Table table = by_size();
  table.cells[4].status = CellStatus::kEmpty;
  table.cells[4].response = 0;
  EXPECT_FALSE(link_tables({&table}, {"table 1"}, {}));  // 55 = 20 does not hold
  table.cells[3].response = 20;
  table.cells[7].response = 60;
  table.cells[6].response = 80;
  const auto linked = link_tables({&table}, {"table 1"}, {});
  ASSERT_TRUE(linked) << linked.error().text();
  EXPECT_EQ(linked->cells[0][4], -1);
  EXPECT_EQ(linked->job.problem.table().num_cells(), 8);
}

TEST(WeightOf, LambdaIsAPowerOrALogarithm) {
  Table table = by_size();
  EXPECT_DOUBLE_EQ(weight_of(table, table.cells[1]), 60);
  table.spec.lambda = 0.5;
  EXPECT_DOUBLE_EQ(weight_of(table, table.cells[1]), std::sqrt(60));
  table.spec.lambda = 0;
  EXPECT_DOUBLE_EQ(weight_of(table, table.cells[1]), std::log(61));
  table.cells[1].cost = 0;
  EXPECT_GT(weight_of(table, table.cells[1]), 0);  // a cell that costs nothing costs a little
}

}  // namespace
}  // namespace lacuna::argus
