// SPDX-License-Identifier: Apache-2.0
#include "data/files/csv.h"

#include <gtest/gtest.h>

#include "core/base/confidential.h"
#include "core/base/random.h"
#include "support/random_problem.h"

namespace lacuna::files {
namespace {

std::string error_of(const std::string& text) {
  const auto file = CsvFile::parse(text, "t.csv", ';');
  return file ? "no error" : base::in_full(file.error().text());
}

TEST(Csv, ReadsQuotesLineBreaksAndByteOrderMark) {
  const auto file = CsvFile::parse(
      "\xEF\xBB\xBF"
      "a;\"b \"\"c\"\"\"\r\n1;\"x;y\r\nz\"\r\n\r\n;\"\"\r\n é ;2",
      "t.csv",
      ';');
  ASSERT_TRUE(file) << file.error().text();
  ASSERT_EQ(file->num_columns(), 2U);
  ASSERT_EQ(file->num_rows(), 3U);
  EXPECT_EQ(file->header(0), "a");
  EXPECT_EQ(file->header(1), "b \"c\"");
  EXPECT_EQ(file->field(0, 1), "x;y\r\nz");
  EXPECT_EQ(file->field(1, 0), "");
  EXPECT_EQ(file->field(1, 1), "");
  EXPECT_EQ(file->field(2, 0), " é ");
  EXPECT_EQ(file->where(2, 1), "t.csv:6:5");
}

TEST(Csv, PlacesEveryError) {
  EXPECT_EQ(error_of("\n\n"), "t.csv:3:1: the file has no header line");
  EXPECT_EQ(error_of("a;b\n1;\"2\n"), "t.csv:2:3: the quote that opens here is never closed");
  EXPECT_EQ(error_of("a;b\n1;\"2\"3\n"),
            "t.csv:2:6: expected the separator ';' after a quoted field: is it another one "
            "(separator = \",\")?");
  EXPECT_EQ(error_of("a;b\n1;2;3\n"),
            "t.csv:2:1: the row has 3 fields, but the header has 2: the column of row names has no "
            "name (in R, write.csv with row.names = FALSE)");
  EXPECT_EQ(
      error_of("a;b\n1;\xE9\n"),
      "t.csv:2:3: this byte is not UTF-8 text: convert the file to UTF-8, or name its encoding "
      "(encoding = \"windows-1252\" in [input] of a job over a table)");
}

TEST(Csv, TakesColumnsOfOtherFormats) {
  const std::vector<std::string> names{"region", "value"};
  const std::vector<std::vector<std::string>> columns{{"", "b\nc"}, {"1.5", ""}};
  const CsvFile file = CsvFile::from_columns(names, columns, "t.parquet");
  ASSERT_EQ(file.num_columns(), 2U);
  ASSERT_EQ(file.num_rows(), 2U);
  EXPECT_EQ(file.header(1), "value");
  EXPECT_EQ(file.field(0, 0), "");
  EXPECT_EQ(file.field(1, 0), "b\nc");
  EXPECT_EQ(file.field(0, 1), "1.5");
  EXPECT_EQ(file.where(1, 1), "t.parquet, row 2, column value");
  EXPECT_EQ(file.where(2, 0), "t.parquet");
  EXPECT_EQ(file.where_header(), "t.parquet");
  EXPECT_EQ(file.row_lines(), (std::vector<std::size_t>{1, 2}));
}

TEST(Csv, QuotingRoundTrips) {
  base::Random random(testing::seed_in_use(13));
  const std::string alphabet = "ab;\"\n\r, \t'=-+@1";
  for (int i = 0; i < 500; ++i) {
    std::string field;
    for (std::int64_t n = random.between(0, 8); n > 0; --n)
      field += alphabet[static_cast<std::size_t>(
          random.between(0, static_cast<std::int64_t>(alphabet.size()) - 1))];
    const auto file = CsvFile::parse("h;k\n" + csv_quoted(field, ';') + ";1\n", "t.csv", ';');
    ASSERT_TRUE(file) << file.error().text();
    EXPECT_EQ(file->field(0, 0), field);
  }
}

// A spreadsheet computes what begins so, and a code may come from anyone.
TEST(Csv, TextsThatWouldBeFormulasGetAnApostrophe) {
  for (const char* text : {"=cmd|'/c calc'!A1",
                           "@SUM(A1)",
                           "+cmd|'/c calc'!A1",
                           "-2+3+cmd|' /C calc'!A0",
                           "\t=1",
                           "=",
                           "-x",
                           "+-1",
                           "--5",
                           "-1e",
                           "'=1",
                           "''@x"}) {
    EXPECT_EQ(csv_quoted(text, ';'), "'" + std::string(text)) << text;
  }
  EXPECT_EQ(csv_quoted("=a;b", ';'), "\"'=a;b\"");
  EXPECT_EQ(csv_quoted("\r1", ';'), "\"'\r1\"");
  for (const char* text :
       {"-5", "+3.2", "-1,234.5", "-1e-05", "-", "+", "65+", "10-19", "A=B", "'", "'a", "", "C10"})
    EXPECT_EQ(csv_quoted(text, ';'), text);
}

TEST(Csv, TheApostropheIsTakenBack) {
  for (const char* text :
       {"=1", "'=1", "''=1", "@x", "'a", "'", "-5", "'-5", "-x", "'-x", "=a;b", "'\t"}) {
    const auto file = CsvFile::parse("h;k\n" + csv_quoted(text, ';') + ";1\n", "t.csv", ';');
    ASSERT_TRUE(file) << file.error().text();
    EXPECT_EQ(file->field(0, 0), text);
  }
}

}  // namespace
}  // namespace lacuna::files
