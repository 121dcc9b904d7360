// SPDX-License-Identifier: Apache-2.0
// Which cell a text means.
#include "app/job/explain_job.h"

#include <gmock/gmock.h>

namespace lacuna::job {
namespace {

using ::testing::HasSubstr;

// Codes that hold the separators, and dimensions of which one's name ends as the other's.
Table odd_table() {
  const auto area = Dimension::build("area", {"T", "a,b", "a|b=c"}, {{0, {1, 2}}});
  const auto sub_area = Dimension::build("sub area", {"T", "x y", "area=T"}, {{0, {1, 2}}});
  EXPECT_TRUE(area && sub_area);
  TableBuilder builder(0, {*area, *sub_area});
  for (std::int32_t a = 0; a < 3; ++a) {
    for (std::int32_t s = 0; s < 3; ++s) {
      const std::vector<std::int32_t> codes{a, s};
      EXPECT_TRUE(builder.add_cell({.value = (a == 0 ? 2 : 1) * (s == 0 ? 2 : 1)}, codes));
    }
  }
  auto table = std::move(builder).build();
  EXPECT_TRUE(table);
  return std::move(table).value();
}

std::int32_t found(const Table& table, const std::string& text) {
  const auto cell = find_cell(table, text);
  EXPECT_TRUE(cell) << (cell ? "" : cell.error().text());
  return cell ? cell->value : -1;
}

std::string refusal(const Table& table, const std::string& text) {
  const auto cell = find_cell(table, text);
  EXPECT_FALSE(cell);
  return cell ? "" : cell.error().text();
}

TEST(FindCell, CodesInAnyOrder) {
  const Table table = odd_table();
  EXPECT_EQ(found(table, "area=a,b,sub area=x y"), 4);
  EXPECT_EQ(found(table, "sub area=x y|area=a,b"), 4);
}

TEST(FindCell, WhatIsNotNamedIsAtItsTotal) {
  const Table table = odd_table();
  EXPECT_EQ(found(table, "area=a,b"), 3);
  EXPECT_EQ(found(table, "sub area=x y"), 1);
  EXPECT_EQ(found(table, "sub area=x y , area=a|b=c"), 7);
  EXPECT_EQ(found(table, "area=T|sub area=x y"), 1);
  EXPECT_EQ(found(table, "8"), 8);
}

TEST(FindCell, EveryLabelIsFound) {
  const Table table = odd_table();
  for (std::int32_t c = 0; c < table.num_cells(); ++c) {
    EXPECT_EQ(found(table, table.label(CellId{c})), c);
  }
}

TEST(FindCell, Refusals) {
  const Table table = odd_table();
  EXPECT_THAT(refusal(table, "aera=T"),
              HasSubstr("the dimensions are area, sub area; did you mean"));
  EXPECT_THAT(refusal(table, "area=a,c"), HasSubstr("the dimension area has no code"));
  EXPECT_THAT(refusal(table, "area=T,area=T"), HasSubstr("is named twice"));
  EXPECT_THAT(refusal(table, "9"), HasSubstr("the cells are 0 to 8"));
  EXPECT_THAT(refusal(table, "-1"), HasSubstr("the cells are 0 to 8"));
  EXPECT_THAT(refusal(table, ""), HasSubstr("a cell is dimension=code"));
  TableBuilder builder(0);
  ASSERT_TRUE(builder.add_cell({.value = 1}));
  auto plain = std::move(builder).build();
  ASSERT_TRUE(plain);
  EXPECT_THAT(refusal(*plain, "area=T"), HasSubstr("give the index"));
}

}  // namespace
}  // namespace lacuna::job
