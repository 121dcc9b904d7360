// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <tuple>

#include "lacuna/report.h"
#include "support/tables.h"

namespace lacuna::report {
namespace {

Table one_way() {
  const Dimension region =
      Dimension::build("region", {"all", "Süd", "Nord"}, {{0, {1, 2}}}).value();
  TableBuilder builder(0, {region});
  const std::int32_t values[] = {30, 10, 20};
  for (std::int32_t c = 0; c < 3; ++c) {
    Cell cell{.value = values[c]};
    cell.status = c == 1 ? CellStatus::kPrimary : CellStatus::kFree;
    EXPECT_TRUE(builder.add_cell(cell, std::vector<std::int32_t>{c}));
  }
  EXPECT_TRUE(
      builder.add_equation(std::vector<Term>{{CellId{0}, -1}, {CellId{1}, 1}, {CellId{2}, 1}}));
  return std::move(builder).build().value();
}

TEST(TextGrid, TreesAreIndentedAndCharactersCounted) {
  EXPECT_EQ(text_grid(one_way(), {}, {.sensitive = true}).value(),
            "       |     \n-------+-----\nall    |  30 \n  Süd  |  10*\n  Nord |  20 \n");
}

TEST(TextGrid, LinkedTablesStandOneAfterTheOther) {
  const Dimension a = Dimension::build("a", {"all", "x", "y"}, {{0, {1, 2}}}).value();
  const Dimension b = Dimension::build("b", {"sum", "u", "v"}, {{0, {1, 2}}}).value();
  TableBuilder builder(0, {a, b});
  for (const auto& [code_a, code_b, value] :
       {std::tuple{0, 0, 30}, {1, 0, 10}, {2, 0, 20}, {0, 1, 5}, {0, 2, 25}})
    EXPECT_TRUE(builder.add_cell({.value = value}, std::vector<std::int32_t>{code_a, code_b}));
  const Table table = std::move(builder).build().value();
  TextGridOptions options;
  options.tables = {{"by a", {0}}, {"by b", {1}}};
  EXPECT_EQ(text_grid(table, {}, options).value(),
            "by a\n    |    \n----+----\nall |  30\n  x |  10\n  y |  20\n\n"
            "by b\n    |    \n----+----\nsum |  30\n  u |   5\n  v |  25\n");
}

TEST(TextGrid, ShowsWhatIsPublished) {
  Draft draft = testing::withholding({1});
  draft.publish_interval(CellId{2}, {15, 25});
  EXPECT_EQ(
      text_grid(one_way(), draft, {}).value(),
      "       |          \n-------+----------\nall    |        30\n  Süd  |         ×\n  Nord |  "
      "[15, 25]\n");
  EXPECT_NE(text_grid(one_way(), draft, {.color = true}).value().find("\033[31m"),
            std::string::npos);
}

TEST(TextGrid, WithoutCodesItIsAList) {
  const auto problem = testing::problem_of(testing::two_way({{1, 2, 3}, {1, 2, 3}}), {});
  EXPECT_EQ(text_grid(problem->table(), {}, {}).value(),
            "cell 0  1\ncell 1  2\ncell 2  3\ncell 3  1\ncell 4  2\ncell 5  3\n");
}

TEST(TextGrid, LargeTablesAreLeftToTheReport) {
  const auto text = text_grid(one_way(), {}, {.most = 2});
  ASSERT_FALSE(text);
  EXPECT_NE(text.error().message.find("lacuna report"), std::string::npos);
}

}  // namespace
}  // namespace lacuna::report
