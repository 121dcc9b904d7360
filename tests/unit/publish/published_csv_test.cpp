// SPDX-License-Identifier: Apache-2.0
// Protected tables as offices publish them: marks, flags, decimal commas, columns under other
// names, rows in any order.
#include "data/publish/published_csv.h"

#include <gtest/gtest.h>

#include "core/base/confidential.h"
#include "data/infer/flag_words.h"

namespace lacuna::publish {
namespace {

// Rows T, a, b by columns All, x1, x2 with one decimal:  T 3075 1025 2050 / a 1500 500 1000 / b
// 1575 525 1050
Table small_table() {
  const Dimension rows = Dimension::build("Product", {"T", "a", "b"}, {{0, {1, 2}}}).value();
  const Dimension columns = Dimension::build("Region", {"All", "x1", "x2"}, {{0, {1, 2}}}).value();
  TableBuilder builder(1, {rows, columns});
  const Units values[] = {30750, 10250, 20500, 15000, 5000, 10000, 15750, 5250, 10500};
  for (std::int32_t c = 0; c < 9; ++c) {
    Cell cell;
    cell.value = values[c];
    static_cast<void>(builder.add_cell(cell, std::vector<std::int32_t>{c / 3, c % 3}).value());
  }
  return std::move(builder).build().value();
}

// All nine rows; `change` replaces the values of some.
std::string rows_with(const std::string& header,
                      const std::vector<std::pair<int, std::string>>& change,
                      const std::string& more = "",
                      const std::string& separator = ";") {
  const char* codes[] = {"T", "a", "b"};
  const char* regions[] = {"All", "x1", "x2"};
  const char* values[] = {"3075", "1025", "2050", "1500", "500", "1000", "1575", "525", "1050"};
  std::string text = header + "\n";
  for (int c = 0; c < 9; ++c) {
    std::string value = values[c];
    for (const auto& [cell, other] : change)
      value = cell == c ? other : value;
    text += codes[c / 3] + separator + regions[c % 3] + separator + value + more + "\n";
  }
  return text;
}

std::string withheld_of(const std::string& text) {
  const auto draft = read_published_csv(text, "p.csv", small_table());
  return draft ? write_pattern(*draft).value() : draft.error().text();
}

TEST(ProtectedCsv, EveryMarkOfAWithheldCell) {
  for (const char* mark :
       {"",  "x",  "X",    "×",   ":",  ": c", ":c", "..",  "...", ".",   "c",     "C",
        "*", "**", "n.a.", "N/A", "NA", "-",   "–",  "(D)", "/",   " x ", "\u00a0"}) {
    EXPECT_EQ(withheld_of(rows_with("Product;Region;value", {{4, mark}, {8, mark}})), "4\n8\n")
        << mark;
  }
  EXPECT_EQ(
      base::in_full(withheld_of(rows_with("Product;Region;value", {{4, "maybe"}}))),
      "p.csv:6:6: 'maybe' is neither a number nor a mark of a withheld cell (blank, x, :, .., "
      "c, *, n.a.)");
}

TEST(ProtectedCsv, ADashBesideAZeroIsTheZero) {
  const Dimension rows = Dimension::build("R", {"T", "a", "b"}, {{0, {1, 2}}}).value();
  TableBuilder builder(0, {rows});
  for (std::int32_t c = 0; c < 3; ++c) {
    Cell cell;
    cell.value = c == 1 ? 0 : 5;
    static_cast<void>(builder.add_cell(cell, std::vector<std::int32_t>{c}).value());
  }
  const Table table = std::move(builder).build().value();
  const auto draft = read_published_csv("R;n\nT;5\na;-\nb;-\n", "p", table);
  ASSERT_TRUE(draft) << draft.error().text();
  EXPECT_EQ(write_pattern(*draft).value(), "2\n");
}

TEST(ProtectedCsv, SeparatorsAndDecimalMarks) {
  EXPECT_EQ(withheld_of(rows_with("Product,Region,value", {{4, "x"}}, "", ",")), "4\n");
  EXPECT_EQ(withheld_of(rows_with("Product\tRegion\tvalue", {{4, "x"}}, "", "\t")), "4\n");
  EXPECT_EQ(
      withheld_of(rows_with("Product;Region;value", {{0, "3075,0"}, {1, "1025,0"}, {4, "x"}})),
      "4\n");
  EXPECT_EQ(
      withheld_of(rows_with("Product;Region;value", {{0, "3.075,0"}, {1, "1.025"}, {4, "x"}})),
      "4\n");
  EXPECT_EQ(
      withheld_of(rows_with("Product;Region;value", {{0, "3,075.0"}, {1, "1,025"}, {4, "x"}})),
      "4\n");
  EXPECT_EQ(
      withheld_of(rows_with("Product;Region;value", {{0, "3 075"}, {1, "1\u00a0025"}, {4, ":"}})),
      "4\n");
  EXPECT_EQ(withheld_of("\xEF\xBB\xBF" + rows_with("Product;Region;value", {{4, "x"}})), "4\n");
}

TEST(ProtectedCsv, ColumnsByNameOrByWhatTheyHold) {
  EXPECT_EQ(withheld_of(rows_with("PRODUCT;region;Turnover", {{4, "x"}})), "4\n");
  EXPECT_EQ(withheld_of(rows_with("Erzeugnis;Land;Umsatz", {{4, "x"}})), "4\n");
  // Of two columns of numbers the one that has the table's is meant.
  EXPECT_EQ(withheld_of(rows_with("Product;Region;turnover;firms", {{4, "x"}}, ";12")), "4\n");
  EXPECT_EQ(withheld_of(rows_with("Product;Land;value;Land2", {{4, "x"}}, ";x1")),
            "p.csv:1:1: no column is named 'Region', and several hold its codes: 'Land', 'Land2'; "
            "rename the one that is meant");
  EXPECT_EQ(withheld_of("Product;value\nT;1\n"),
            "p.csv:1:1: no column is named 'Region', and none holds the codes of it alone");
}

TEST(ProtectedCsv, FlagsOfSeveralHouses) {
  const auto flagged =
      [](const std::string& name, const std::string& open, const std::string& shut) {
        std::string text = rows_with("Product;Region;value;" + name, {}, ";" + open);
        const std::string row = "a;x1;500;";
        text.replace(text.find(row), row.size() + open.size(), row + shut);
        return withheld_of(text);
      };
  EXPECT_EQ(flagged("flag", "V", "A"), "4\n");
  EXPECT_EQ(flagged("flag", "V", "D"), "4\n");
  EXPECT_EQ(flagged("Flag", "", "c"), "4\n");
  EXPECT_EQ(flagged("CONF_STATUS", "F", "N"), "4\n");
  EXPECT_EQ(flagged("sdcStatus", "s", "u"), "4\n");
  EXPECT_EQ(flagged("sdcStatus", "s", "x"), "4\n");
  EXPECT_EQ(flagged("suppressed", "FALSE", "TRUE"), "4\n");
  EXPECT_EQ(flagged("withheld", "0", "1"), "4\n");
  EXPECT_EQ(flagged("status", "published", "withheld"), "4\n");
  EXPECT_EQ(flagged("flag", "", "p"), "");         // provisional, and printed
  EXPECT_EQ(flagged("flag", "", "u"), "");         // of low reliability, and printed
  EXPECT_EQ(flagged("OBS_STATUS", "A", "Q"), "");  // says nothing of confidentiality
  EXPECT_NE(
      flagged("flag", "V", "wrong").find("column 'flag': the flags 'V', 'wrong' are of no set"),
      std::string::npos);
}

TEST(ProtectedCsv, ANumberBesideAFlagIsNoted) {
  std::vector<std::string> notes;
  std::string text = rows_with("Product;Region;value;flag", {{4, ""}}, ";V");
  text.replace(text.find("b;x2;1050;V"), 11, "b;x2;1050;D");
  const auto draft = read_published_csv(text, "p.csv", small_table(), &notes);
  ASSERT_TRUE(draft) << draft.error().text();
  EXPECT_EQ(write_pattern(*draft).value(), "4\n8\n");
  ASSERT_EQ(notes.size(), 1U);
  EXPECT_NE(notes[0].find("1 cell has a number next to a flag"), std::string::npos) << notes[0];
}

TEST(ProtectedCsv, EveryCellOnceAndWithTheTablesNumber) {
  const std::string all = rows_with("Product;Region;value", {{4, "x"}});
  EXPECT_EQ(withheld_of(all + "a;x1;x\n"),
            "p.csv:11:1: the cell Product=a|Region=x1 is listed twice");
  EXPECT_EQ(withheld_of(all + "new;x1;5\n"),
            "p.csv:11:1: the table has no cell Product=new|Region=x1");
  EXPECT_EQ(
      withheld_of(all.substr(0, all.rfind("b;x2"))),
      "p.csv: there is no row for Product=b|Region=x2, so it is not known what is published of it");
  EXPECT_EQ(
      withheld_of(rows_with("Product;Region;value", {{4, "x"}, {7, "530"}})),
      "p.csv:9:6: the number published of Product=b|Region=x1 is not the table's: it is of "
      "another table, or it was rounded or altered, which only a result JSON or a public file "
      "can say");
}

TEST(ProtectedCsv, AnEarlierTableHasOtherNumbersAndCells) {
  const auto earlier = read_earlier_csv(
      "Product;Region;value\nb;x2;x\nT;All;17\na;x1;99\ngone;x1;x\n", "p.csv", small_table());
  ASSERT_TRUE(earlier) << earlier.error().text();
  EXPECT_EQ(write_pattern(earlier->draft).value(), "8\n");
  EXPECT_EQ(earlier->gone, 1);
}

TEST(ProtectedCsv, AListOfIndicesHasNoColumns) {
  EXPECT_FALSE(has_columns("# withheld; and why\n\n1\n2\n"));
  EXPECT_FALSE(has_columns(""));
  EXPECT_TRUE(has_columns("a;b;value\n"));
  EXPECT_TRUE(has_columns("\r\na,b\n"));
}

}  // namespace
}  // namespace lacuna::publish
