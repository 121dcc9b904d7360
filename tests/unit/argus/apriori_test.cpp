// SPDX-License-Identifier: Apache-2.0
#include "data/argus/apriori.h"

#include <gtest/gtest.h>

#include "unit/argus/job_parts.h"

namespace lacuna::argus {
namespace {

Table small_table() {
  Table table;
  CodeList size;
  size.variable = "Size";
  size.codes = {"Total", " 1", "10"};
  size.parents = {-1, 0, 0};
  size.missing.assign(3, false);
  CodeList region;
  region.variable = "Reg";
  region.codes = {"All", "N", "N1", "S"};
  region.parents = {-1, 0, 1, 0};
  region.missing.assign(4, false);
  region.hierarchical = true;
  table.variables = {size, region};
  table.cells.resize(12);
  for (Cell& cell : table.cells) {
    cell.response = 100;
    cell.shadow = 100;
    cell.frequency = 5;
    cell.status = CellStatus::kSafe;
  }
  return table;
}

Apriori command(bool ignore = false, bool expand = false) {
  Apriori given;
  given.separator = ';';
  given.ignore_errors = ignore;
  given.expand_trivial = expand;
  return given;
}

TEST(ArgusApriori, AllActions) {
  Table table = small_table();
  const auto result = apply_apriori(table,
                                    command(),
                                    "1;S;u\r\n1;S;PL;2,5;3\n\"10\" ; S ; P\n;N1;c;0\n"
                                    "Total;All;W;7.5\n1;All;M\n10;All;ml\n",
                                    "a.hst");
  ASSERT_TRUE(result) << result.error().text();
  EXPECT_EQ(result->applied, 7);
  EXPECT_EQ(cell_at(table, {"1", "S"}).status, CellStatus::kUnsafeManual);
  EXPECT_EQ(cell_at(table, {"1", "S"}).levels->lower, mpq_class(5, 2));
  EXPECT_EQ(cell_at(table, {"1", "S"}).levels->upper, 3);
  EXPECT_EQ(cell_at(table, {"10", "S"}).status, CellStatus::kProtected);
  EXPECT_EQ(cell_at(table, {"Total", "N1"}).cost, 1);
  EXPECT_EQ(table.cells[0].cost, 7.5);
  EXPECT_EQ(cell_at(table, {"1", "All"}).status, CellStatus::kSecondaryManual);
  EXPECT_EQ(cell_at(table, {"10", "All"}).status, CellStatus::kSecondary);
}

// Levels, costs and what has moved into their places are the office's.
TEST(ArgusApriori, WhatIsRefusedShowsNoNumber) {
  for (const char* line : {"1;S;C;843211x\n",
                           "1;S;C;-843211\n",
                           "1;S;U\n1;S;PL;843211x;1\n",
                           "1;S;843211\n",
                           "843211;S;U\n",
                           "1;843211;U\n"}) {
    Table table = small_table();
    const auto result = apply_apriori(table, command(), line, "a.hst");
    ASSERT_FALSE(result) << line;
    EXPECT_NE(base::in_full(result.error().text()).find("843211"), std::string::npos) << line;
    EXPECT_EQ(base::without_confidential(result.error().text()).find("843211"), std::string::npos)
        << line;
  }
}

TEST(ArgusApriori, ByHandOrAsTheRulesSay) {
  Table table = small_table();
  table.rules.rules_given = true;
  table.rules.frequency[0] = Frequency{3, 30};
  Cell& few = table.cells[5];
  few.frequency = 2;
  few.status = CellStatus::kUnsafeFrequency;
  ASSERT_TRUE(apply_apriori(table, command(), "1;N;S\n", "a.hst"));
  EXPECT_EQ(few.status, CellStatus::kSafeManual);
  EXPECT_FALSE(few.levels);
  ASSERT_TRUE(apply_apriori(table, command(), "1;N;U\n1;S;U\n1;S;S\n", "a.hst"));
  EXPECT_EQ(few.status, CellStatus::kUnsafeFrequency);
  EXPECT_EQ(few.levels->upper, 30);
  EXPECT_EQ(cell_at(table, {"1", "S"}).status, CellStatus::kSafe);
}

TEST(ArgusApriori, TrivialLevelsAreExpanded) {
  Table table = small_table();
  ASSERT_TRUE(apply_apriori(table, command(false, true), "1;N1;U\n", "a.hst"));
  EXPECT_EQ(cell_at(table, {"1", "N1"}).status, CellStatus::kUnsafeManual);
  EXPECT_EQ(cell_at(table, {"1", "N"}).status, CellStatus::kUnsafeManual);
  EXPECT_EQ(cell_at(table, {"1", "All"}).status, CellStatus::kSafe);
}

TEST(ArgusApriori, AnErrorChangesNothing) {
  Table table = small_table();
  const auto fault = [&](const std::string& text) {
    const auto result = apply_apriori(table, command(), "1;S;U\n" + text, "a.hst");
    EXPECT_EQ(cell_at(table, {"1", "S"}).status, CellStatus::kSafe);
    return result ? std::string("no error") : base::in_full(result.error().text());
  };
  EXPECT_EQ(fault("11;S;U\n"), "a.hst:2:1: Size has no code '11'; did you mean '10'?");
  EXPECT_EQ(fault("10;S;X\n"),
            "a.hst:2:6: the action 'X' is not one of S, U, P, M, ML, C, W and PL");
  EXPECT_EQ(fault("1;S;P\n"),
            "a.hst:2:5: the cell Size=1|Reg=S is 'Unsafe (from manual)', which P may not change");
  EXPECT_EQ(fault("10;S;PL;1;1\n"),
            "a.hst:2:9: the cell Size=10|Reg=S is 'Safe', and only unsafe cells have protection "
            "levels");
  EXPECT_EQ(fault("1;S;PL;1\n"), "a.hst:2:9: expected a protection level of 0 or more, not ''");
  EXPECT_EQ(fault("10;S;C;-1\n"), "a.hst:2:8: expected a cost of 0 or more, not '-1'");
  EXPECT_EQ(fault("10;S;AB;1;2\n"),
            "a.hst:2:6: AB (bounds of a cell) is not possible, as in tau-ARGUS");
  const auto other = apply_apriori(table, command(), "1,S,U\n", "a.hst");
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().text(), "a.hst:1:1: the first line has no separator ';'");
}

TEST(ArgusApriori, BadLinesAreSkippedIfTheJobSaysSo) {
  Table table = small_table();
  const auto result =
      apply_apriori(table, command(true), "1;S;U\n12;S;U\n10;S;PL;1;1\n1;S;PL;1;1\n", "a.hst");
  ASSERT_TRUE(result) << result.error().text();
  EXPECT_EQ(result->applied, 2);
  EXPECT_EQ(result->skipped, 2);
  EXPECT_EQ(result->notes.size(), 2U);
  EXPECT_EQ(cell_at(table, {"1", "S"}).levels->lower, 1);
  EXPECT_EQ(cell_at(table, {"10", "S"}).status, CellStatus::kSafe);
}

}  // namespace
}  // namespace lacuna::argus
