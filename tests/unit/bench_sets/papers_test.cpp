// SPDX-License-Identifier: Apache-2.0
#include "bench/sets/papers.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "data/files/file.h"

namespace lacuna::bench {
namespace {

const std::string kFolder = std::string(LACUNA_SOURCE_DIR) + "/bench/sets/papers";

template <class Read>
std::string complaint(Read read, const char* name, const std::string& text) {
  const auto result = read(PaperText{name, text});
  return result ? "none" : result.error().text();
}

// The text of a paper with one part replaced.
std::string with(const char* name, const std::string& old, const std::string& put) {
  std::string text(paper_text(name).text);
  const std::size_t at = text.find(old);
  EXPECT_NE(at, std::string::npos) << old;
  return text.replace(at, old.size(), put);
}

TEST(Papers, TheProgramHasEveryFileWithItsSource) {
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(kFolder)) {
    ++files;
    const PaperText paper = paper_text(entry.path().stem().string());
    EXPECT_EQ(std::string(paper.text), files::read_file(entry.path().string()).value());
    EXPECT_TRUE(paper.text.starts_with("# ")) << paper.name;
  }
  EXPECT_EQ(files, 6U);
  EXPECT_EQ(files, paper_texts().size());
}

TEST(Papers, CastroAndVia) {
  const auto rows = read_castro_via(paper_text("castro_via")).value();
  ASSERT_EQ(rows.size(), 7U);
  EXPECT_EQ(rows[0].name, "targus");
  EXPECT_EQ(rows[0].columns, 0);
  EXPECT_EQ(rows[6].monolithic_cpu, "7816.61 a");
  for (const CastroViaRow& row : rows) {
    EXPECT_LT(row.sensitive, row.cells);
    EXPECT_LT(row.equations, row.cells);
    EXPECT_LE(row.open_least, row.open_most);
  }
}

TEST(Papers, Adjustment) {
  const auto rows = read_cta(paper_text("cta")).value();
  std::map<std::int32_t, int> count;
  for (const CtaRow& row : rows)
    ++count[row.table];
  const std::map<std::int32_t, int> printed{
      {4, 12}, {5, 36}, {6, 15}, {7, 16}, {8, 12}, {9, 36}, {10, 15}, {11, 12}, {12, 36}, {13, 16}};
  EXPECT_EQ(count, printed);
}

TEST(Papers, Serpell) {
  const auto rows = read_serpell(paper_text("serpell")).value();
  ASSERT_EQ(rows.size(), 20U);
  EXPECT_DOUBLE_EQ(rows[17].modified_seconds, 267.31);
  for (const SerpellRow& row : rows) {
    EXPECT_LE(row.exposed, row.primaries);
    EXPECT_LE(row.zeros + row.primaries, row.rows * row.columns);
    EXPECT_LE(row.modified_variables, row.classical_variables);
    EXPECT_LE(row.modified_constraints, row.classical_constraints);
    EXPECT_GT(row.modified_seconds, 0);
  }
}

TEST(Papers, Thesis) {
  const ThesisPaper thesis = read_thesis(paper_text("thesis")).value();
  ASSERT_EQ(thesis.tables.size(), 5U);
  EXPECT_EQ(thesis.instances.size(), 7U);
  EXPECT_EQ(thesis.variants.size(), 6U);
  for (const ThesisPaper::Cells& cells : thesis.tables) {
    ASSERT_EQ(cells.size(), 6U);
    for (const auto& line : cells)
      EXPECT_EQ(line.size(), 7U);
  }
  EXPECT_EQ(thesis.tables[3][5][3], "357.81");
}

TEST(Papers, Turnover) {
  const auto rows = read_turnover(paper_text("turnover")).value();
  ASSERT_EQ(rows.size(), 4U);
  int sum = 0;
  for (const TurnoverRow& row : rows)
    sum += row.modular;
  EXPECT_EQ(sum, 354);
}

TEST(Papers, Argus) {
  const auto rows = read_argus(paper_text("argus")).value();
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0].secondary, 4);
  EXPECT_EQ(rows[1].cost, 879799);
}

TEST(Papers, WhatIsWrongIsNamedWithItsPlace) {
  EXPECT_EQ(complaint(read_serpell, "serpell", with("serpell", "zeros", "zero")),
            "papers/serpell.csv:4:1: the columns must be "
            "rows,columns,zeros,primaries,exposed,classical_variables,classical_constraints,"
            "classical_seconds,modified_variables,modified_constraints,modified_seconds");
  EXPECT_EQ(complaint(read_serpell, "serpell", with("serpell", "5,5,3,8,", "5,5,-3,8,")),
            "papers/serpell.csv:5:5: this field must be a whole number from 0");
  EXPECT_EQ(complaint(read_serpell, "serpell", with("serpell", "4.32", "4:32")),
            "papers/serpell.csv:5:20: this field must be a number from 0");
  EXPECT_EQ(complaint(read_serpell, "serpell", with("serpell", "4.32,", "")),
            "papers/serpell.csv:5:1: the row has 10 fields, but the header has 11");
  EXPECT_EQ(complaint(read_castro_via, "castro_via", with("castro_via", "5.17", "")),
            "papers/castro_via.csv:6:18: this field must not be empty");
  EXPECT_EQ(complaint(read_turnover,
                      "turnover",
                      "# a\ntable,first_dimension,second_dimension,modular_secondaries\n"),
            "papers/turnover.csv:3:1: there are no rows");
}

TEST(Papers, RowsOfATableHaveItsColumns) {
  EXPECT_EQ(complaint(read_cta, "cta", with("cta", "4,10-20-3,- -", "4,10-20-3,-")),
            "papers/cta.csv:7:11: a row of this table has 16 numbers, '-' or '*'");
  EXPECT_EQ(complaint(read_cta, "cta", with("cta", "4,10-20-3,- -", "4,10-20-3,- ?")),
            "papers/cta.csv:7:11: a row of this table has 16 numbers, '-' or '*'");
  EXPECT_EQ(complaint(read_cta, "cta", with("cta", "4,10-20-3,", "3,10-20-3,")),
            "papers/cta.csv:7:1: there are Tables 4 to 13");
}

TEST(Papers, TheTablesOfTheThesisAreComplete) {
  const std::string order =
      "the tables are B.1 to B.5, in this order, and have as many rows as the first";
  EXPECT_EQ(complaint(read_thesis, "thesis", with("thesis", "B.2,", "B.3,")),
            "papers/thesis.csv:12:1: " + order);
  EXPECT_EQ(complaint(read_thesis, "thesis", with("thesis", "B.1,Complete-Value", "B.1,Partial")),
            "papers/thesis.csv:13:5: every table has the same variants as the first, in the same "
            "order");
  std::string text(paper_text("thesis").text);
  const std::size_t last_of_two = text.find("B.2,Combined-Unity Value");
  std::string shorter = text;
  shorter.erase(last_of_two, text.find('\n', last_of_two) + 1 - last_of_two);
  EXPECT_EQ(complaint(read_thesis, "thesis", shorter), "papers/thesis.csv:17:1: " + order);
  text.erase(text.find("B.5,Combined-Unity Value"));
  EXPECT_EQ(complaint(read_thesis, "thesis", text),
            "papers/thesis.csv:35:1: there must be five tables of six variants");
}

}  // namespace
}  // namespace lacuna::bench
