// SPDX-License-Identifier: Apache-2.0
#include "data/infer/shape.h"

#include <gtest/gtest.h>

#include "core/base/confidential.h"
#include "data/infer/open_table.h"
#include "data/infer/table_guess.h"

namespace lacuna::infer {
namespace {

using Texts = std::vector<std::string>;

Result<std::vector<OpenedTable>> opened(const std::string& text, const ShapeChoice& choice = {}) {
  TableFileStyle style;
  style.alone = true;
  style.shape = choice;
  return open_tables(text, "t.csv", style);
}

Texts column(const files::CsvFile& file, const std::string& name) {
  Texts texts;
  const std::size_t at = file.find_column(name);
  for (std::size_t row = 0; row < file.num_rows() && at < file.num_columns(); ++row)
    texts.emplace_back(file.field(row, at));
  return texts;
}

std::string error_of(const std::string& text, const ShapeChoice& choice = {}) {
  const auto made = opened(text, choice);
  return made ? "" : made.error().text();
}

constexpr const char* kTitled =
    "Table 1\n\nregion;north;south;all\nA;1;2;3\nB;4;5;9\nall;5;7;12\n\nSource: office\n";

TEST(Shape, FindsTheTableBetweenTitlesAndFootnotes) {
  const auto made = opened(kTitled);
  ASSERT_TRUE(made) << made.error().text();
  const ShapedTable& table = made->front().table;
  EXPECT_EQ(table.file.num_rows(), 3U);
  EXPECT_EQ(table.file.header(0), "region");
  EXPECT_EQ(column(table.file, "all"), (Texts{"3", "9", "12"}));
  EXPECT_EQ(table.block.titles, (Texts{"Table 1"}));
  EXPECT_EQ(table.block.footnotes, (Texts{"Source: office"}));
  EXPECT_EQ(table.file.where(1, 2), "t.csv:5:5");
}

TEST(Shape, MeltsWhatIsSaidToBeWide) {
  ShapeChoice choice;
  choice.wide = {"side"};
  const auto made = opened(kTitled, choice);
  ASSERT_TRUE(made) << made.error().text();
  const ShapedTable& table = made->front().table;
  EXPECT_TRUE(table.is_wide());
  EXPECT_EQ(table.file.num_rows(), 9U);
  EXPECT_EQ(column(table.file, "side"),
            (Texts{"north", "south", "all", "north", "south", "all", "north", "south", "all"}));
  EXPECT_EQ(column(table.file, "value"), (Texts{"1", "2", "3", "4", "5", "9", "5", "7", "12"}));
  EXPECT_EQ(table.file.where(4, table.file.find_column("value")), "t.csv:5:5");
  EXPECT_EQ(table.cells[4].row, 4U);
  EXPECT_EQ(table.cells[4].column, 2U);
}

TEST(Shape, NamesTheDimensionByTheBeginningOfTheHeadings) {
  ShapeChoice choice;
  choice.wide = {};
  auto made = opened(
      "area,Tenure: All; measures: Value,Tenure: Owned; measures: Value,Tenure: Rented; measures: "
      "Value\nX,3,1,2\nY,7,3,4\n");
  ASSERT_TRUE(made) << made.error().text();
  auto tables = std::move(made).value();
  const auto table = std::make_shared<const ShapedTable>(std::move(tables.front().table));
  const auto melt = melted(table, wide_columns(*table, choice), choice);
  ASSERT_TRUE(melt) << melt.error().text();
  EXPECT_EQ(melt->wide, (Texts{"Tenure"}));
  EXPECT_EQ(column(melt->file, "Tenure"),
            (Texts{"All", "Owned", "Rented", "All", "Owned", "Rented"}));
}

TEST(Shape, TakesTwoRowsOfHeadingAsTwoDimensions) {
  formats::Grid grid;
  grid.where = "b.xlsx, sheet S";
  grid.is_sheet = true;
  grid.rows = {{"", "men", "", "women", ""},
               {"region", "young", "old", "young", "old"},
               {"A", "1", "2", "3", "4"},
               {"B", "5", "6", "7", "8"}};
  grid.merged = {{0, 1, 1, 2}, {0, 3, 1, 2}};
  auto raw = std::make_shared<RawTable>();
  raw->grid = grid;
  auto block = find_block(*raw, {});
  ASSERT_TRUE(block) << block.error().text();
  const auto table = std::make_shared<const ShapedTable>(table_of_block(raw, *block));
  ShapeChoice choice;
  choice.wide = {"sex", "age"};
  const auto melt = melted(table, wide_columns(*table, choice), choice);
  ASSERT_TRUE(melt) << melt.error().text();
  EXPECT_EQ(column(melt->file, "sex"),
            (Texts{"men", "men", "women", "women", "men", "men", "women", "women"}));
  EXPECT_EQ(column(melt->file, "age"),
            (Texts{"young", "old", "young", "old", "young", "old", "young", "old"}));
  EXPECT_EQ(melt->file.where(3, melt->file.find_column("value")), "b.xlsx, sheet S, cell E3");
}

TEST(Shape, KeepsTheChosenRows) {
  ShapeChoice choice;
  choice.only = {{"geo", {"AT*"}}, {"time", {"2019"}}};
  const auto made = opened("geo;time;v\nAT;2018;1\nAT;2019;2\nAT1;2019;3\nBE;2019;4\n", choice);
  ASSERT_TRUE(made) << made.error().text();
  EXPECT_EQ(column(made->front().table.file, "v"), (Texts{"2", "3"}));
  EXPECT_EQ(made->front().table.file.where(1, 2), "t.csv:4:10");
  choice.only = {{"geo", {"FR"}}};
  EXPECT_EQ(error_of("geo;time;v\nAT;2018;1\nAT;2019;2\n", choice),
            "t.csv:1:1: no row has 'FR' in the column 'geo'");
}

TEST(Shape, PutsFlagsIntoAColumnOfTheirOwn) {
  const auto made = opened("geo;v\nA;10 e\nB;20\nC;1 234 (p)\n");
  ASSERT_TRUE(made) << made.error().text();
  const files::CsvFile& file = made->front().table.file;
  EXPECT_EQ(column(file, "v"), (Texts{"10", "20", "1 234"}));
  EXPECT_EQ(column(file, "flag of v"), (Texts{"e", "", "p"}));
}

TEST(Shape, TakesALetterBehindOneNumberForASlip) {
  const auto slip = opened("geo;v\nA;10\nB;20\nC;40.2x\n");
  ASSERT_TRUE(slip) << slip.error().text();
  EXPECT_EQ(column(slip->front().table.file, "v"), (Texts{"10", "20", "40.2x"}));
  const auto flags = opened("geo;v\nA;10e\nB;20\nC;40.2e\n");
  ASSERT_TRUE(flags) << flags.error().text();
  EXPECT_EQ(column(flags->front().table.file, "v"), (Texts{"10", "20", "40.2"}));
}

TEST(Shape, LeavesCodesWithLettersAlone) {
  const auto made = opened("size;v\n1A;10\n2B;20\n85+;30\n");
  ASSERT_TRUE(made) << made.error().text();
  EXPECT_EQ(column(made->front().table.file, "size"), (Texts{"1A", "2B", "85+"}));
  EXPECT_EQ(made->front().table.file.num_columns(), 2U);
}

TEST(Shape, AsksWhatASignMeans) {
  EXPECT_NE(error_of("a;v\nA;x\nB;20\nC;30\n").find("may mean several things"), std::string::npos);
  ShapeChoice choice;
  choice.means = {{"x", "zero"}};
  const auto made = opened("a;v\nA;x\nB;20\nC;30\n", choice);
  ASSERT_TRUE(made) << made.error().text();
  EXPECT_EQ(column(made->front().table.file, "v"), (Texts{"0", "20", "30"}));
  choice.means = {{"x", "withheld"}};
  EXPECT_NE(error_of("a;v\nA;x\nB;20\nC;30\n", choice).find("is withheld"), std::string::npos);
}

TEST(Shape, ListsBlocks) {
  const std::string text = "a,b,c\nA,1,2\nB,3,4\nNext part,,\nA,5,6\nB,7,8\n";
  const auto raw = raw_csv(text, "t.csv", ',');
  ASSERT_TRUE(raw);
  const auto block = find_block(*raw, {});
  ASSERT_FALSE(block);
  EXPECT_NE(block.error().message.find("2-3"), std::string::npos);
  EXPECT_NE(block.error().message.find("5-6, below 'Next part'"), std::string::npos);
  ShapeChoice choice;
  choice.rows = "5-6";
  const auto made = opened(text, choice);
  ASSERT_TRUE(made) << made.error().text();
  EXPECT_EQ(column(made->front().table.file, "b"), (Texts{"5", "7"}));
}

TEST(Shape, TakesNoCutRowForAFootnote) {
  EXPECT_NE(error_of("Title\n\na;b;v\nA;x;1\nB;x;2\nC;x\n"), "");
}

TEST(Shape, ReadsRangesOfRows) {
  EXPECT_EQ((*row_range_of("16-22"))->first, 15U);
  EXPECT_EQ((*row_range_of("16-22"))->last, 21U);
  EXPECT_EQ((*row_range_of("5"))->last, 4U);
  EXPECT_FALSE(row_range_of("22-16"));
  EXPECT_FALSE(row_range_of("x"));
  EXPECT_FALSE(row_range_of("0-3"));
}

TEST(Shape, KnowsPeriods) {
  EXPECT_TRUE(are_periods({"2015", "2016"}));
  EXPECT_TRUE(are_periods({"2015-Q1", "2015M03", "2014/15"}));
  EXPECT_FALSE(are_periods({"2015", "total"}));
  EXPECT_FALSE(are_periods({"10", "20"}));
}

TEST(Shape, TellsTablesByTheirContent) {
  EXPECT_TRUE(is_table("a;b\nx;1\n", "t.unknown"));
  EXPECT_FALSE(is_table("[input]\ntable = \"t.csv\"\n", "t.unknown"));
  EXPECT_FALSE(is_table("# a job\noptions = 1\n", "t.unknown"));
  EXPECT_FALSE(is_table("{\"format\": 1}", "t.unknown"));
  EXPECT_TRUE(is_table("", "t.csv"));
}

TEST(Shape, AWideTableIsFoundByItsSums) {
  const auto job = guess_job("a,x,y,all\nA,1,2,3\nB,4,5,9\nall,5,7,12\n", "t.csv", "t.csv");
  ASSERT_TRUE(job) << job.error().text();
  EXPECT_EQ(job->job.input.wide, (Texts{"column"}));
  EXPECT_EQ(job->job.columns->value, "value");
  ASSERT_EQ(job->job.dimensions.size(), 2U);
  EXPECT_EQ(job->job.dimensions[1].total, "all");
}

TEST(Shape, TwoMeasuresAreNotTakenForOneDimension) {
  const auto job = guess_job("a,v,w\nA,1,20\nB,4,5\nall,5,25\n", "t.csv", "t.csv");
  ASSERT_FALSE(job);
  EXPECT_NE(base::in_full(job.error().message).find("--wide"), std::string::npos);
}

}  // namespace
}  // namespace lacuna::infer
