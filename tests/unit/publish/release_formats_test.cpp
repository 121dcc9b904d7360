// SPDX-License-Identifier: Apache-2.0
// Names and formats of released files. What the files hold is read back by
// tests/scripts/release_files_test.py.
#include "data/publish/release_formats.h"

#include <gtest/gtest.h>

#include "data/publish/xlsx.h"

namespace lacuna::publish {
namespace {

std::string error_of(const auto& result) {
  return result ? "no error" : result.error().text();
}

// Dimensions r and c; only the cells that stand at a total of either.
Table linked_table() {
  const Dimension rows = Dimension::build("r", {"T", "a", "b"}, {{0, {1, 2}}}).value();
  const Dimension columns = Dimension::build("c", {"T", "x"}, {{0, {1}}}).value();
  TableBuilder builder(0, {rows, columns});
  for (const auto& codes : std::vector<std::vector<std::int32_t>>{{2, 0}, {0, 1}, {1, 0}, {0, 0}}) {
    Cell cell;
    cell.value = 5;
    static_cast<void>(builder.add_cell(cell, codes).value());
  }
  return std::move(builder).build().value();
}

TEST(ReleaseFormats, TheEndingTellsTheFormat) {
  const auto ending = [](const std::string& path, Audience audience) {
    const auto format = release_format(path, audience);
    return format ? std::string((*format)->ending) : format.error().text();
  };
  EXPECT_EQ(ending("a.csv", Audience::kPublic), ".csv");
  EXPECT_EQ(ending("a.sdmx.csv", Audience::kPublic), ".sdmx.csv");
  EXPECT_EQ(ending("a.px", Audience::kPublic), ".px");
  EXPECT_EQ(ending("a.json.gz", Audience::kOffice), ".json");
  EXPECT_EQ(ending("-", Audience::kOffice), ".json");
  EXPECT_EQ(ending("/dev/null", Audience::kPublic), ".csv");
  EXPECT_EQ(ending("a.doc", Audience::kOffice).substr(0, 53),
            "-o a.doc: the ending of the name gives the format, an");
  EXPECT_NE(ending("a", Audience::kPublic).find(".px"), std::string::npos);
  EXPECT_EQ(ending("a.px", Audience::kOffice).find(".px,"), std::string::npos);
}

TEST(ReleaseFormats, TablesAreInTheOrderOfTheirCodes) {
  const Table table = linked_table();
  const std::vector<LinkedTable> tables{{"by r", {0}}, {"by c", {1}}};
  const auto views = files::views_of(table, tables, "job");
  ASSERT_EQ(views.size(), 2U);
  EXPECT_EQ(views[0].cells, (std::vector<CellId>{CellId{3}, CellId{2}, CellId{0}}));
  EXPECT_EQ(views[1].cells, (std::vector<CellId>{CellId{3}, CellId{1}}));
  EXPECT_EQ(files::whole_view(table, "").cells,
            (std::vector<CellId>{CellId{3}, CellId{1}, CellId{2}, CellId{0}}));
}

TEST(ReleaseFormats, AFilePerTable) {
  const Table table = linked_table();
  const std::vector<LinkedTable> tables{{"by r/all", {0}}, {"", {1}}};
  const auto files = output_files("o/{table}.csv", Audience::kPublic, table, tables, "job");
  ASSERT_TRUE(files) << files.error().text();
  ASSERT_EQ(files->size(), 2U);
  EXPECT_EQ((*files)[0].path, "o/by r_all.csv");
  EXPECT_EQ((*files)[1].path, "o/job_2.csv");
  const auto one = output_files("all.xlsx", Audience::kPublic, table, tables, "job");
  EXPECT_EQ(one.value().front().tables.size(), 2U);
  EXPECT_NE(error_of(output_files("all.px", Audience::kPublic, table, tables, "job"))
                .find("put {table} into the name"),
            std::string::npos);
  EXPECT_EQ(as_file_name(".."), "table");
  EXPECT_EQ(as_file_name("a/../b"), "a_.._b");
}

TEST(ReleaseFormats, DecimalsAreAddedAndNeverTakenAway) {
  EXPECT_EQ(files::with_shown_decimals("12", 2).value(), "12.00");
  EXPECT_EQ(files::with_shown_decimals("12.5", 2).value(), "12.50");
  EXPECT_EQ(files::with_shown_decimals("-0.25", -1).value(), "-0.25");
  EXPECT_EQ(files::with_shown_decimals("12", 0).value(), "12");
  EXPECT_FALSE(files::with_shown_decimals("12.5", 0));
}

TEST(ReleaseFormats, SeparatorsAreChecked) {
  files::OutputOptions options;
  EXPECT_TRUE(options.validate());
  options.csv_separator = "tab";
  options.csv_decimal_mark = "comma";
  EXPECT_TRUE(options.validate());
  EXPECT_EQ(files::sheet_csv({"t", {"a", "b\"c"}, {{{"x\ty"}, {"1.5", true}}}}, options),
            "a\t\"b\"\"c\"\n\"x\ty\"\t1,5\n");
  for (const char* bad : {"", "\"", "1", "--", "\n"}) {
    options.csv_separator = bad;
    EXPECT_FALSE(options.validate()) << bad;
  }
}

TEST(Xlsx, TheSameContentIsTheSameBytes) {
  const std::vector<files::Sheet> sheets{
      {"a very long name of a table that Excel cannot take", {"k"}, {}},
      {"A very long name of a table that Excel [cannot] take", {"k"}, {}},
      {"", {"k"}, {{{"12345678901234567890", true}}}}};
  const auto book = xlsx_workbook(sheets);
  ASSERT_TRUE(book) << book.error().text();
  EXPECT_EQ(*book, xlsx_workbook(sheets).value());
  EXPECT_EQ(book->substr(0, 4), "PK\x03\x04");
}

TEST(Xlsx, ASheetHasOnlySoManyRows) {
  std::vector<files::Sheet> sheets{{"t", {"k"}, {}}};
  sheets[0].rows.resize(1'048'576);
  EXPECT_NE(error_of(xlsx_workbook(sheets)).find("a sheet of .xlsx holds 1048575"),
            std::string::npos);
}

}  // namespace
}  // namespace lacuna::publish
