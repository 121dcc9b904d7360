// SPDX-License-Identifier: Apache-2.0
#include "data/formats/eurostat_tsv.h"

#include <gtest/gtest.h>

#include "data/files/file.h"
#include "support/grid_text.h"
#include "support/test_data.h"

namespace lacuna::formats {
namespace {

using testing::grid_text;
using testing::joined;
using testing::signs_text;

Grid read(std::string_view text) {
  const auto grid = read_eurostat_tsv(text, "a.tsv");
  EXPECT_TRUE(grid) << grid.error().text();
  return grid ? *grid : Grid{};
}

std::string error_of(std::string_view text) {
  const auto grid = read_eurostat_tsv(text, "a.tsv");
  return grid ? "no error" : grid.error().text();
}

TEST(EurostatTsv, PeriodsBecomeRowsAndFlagsColumns) {
  const Grid grid = read(
      "freq,unit,geo\\TIME_PERIOD\t2018 \t2019 \nA,NR,AT\t12 e\t: \nA,NR,BE\t1.20 b\t: @C\n"
      "A,NR,DE\t: u\t7 bp@N\n");
  EXPECT_EQ(
      grid_text(grid),
      "unit:d|geo:d|TIME_PERIOD:t|value:v|CONF_STATUS:c|OBS_STATUS:o\nNR|AT|2018|12||e\n"
      "NR|AT|2019|:||\nNR|BE|2018|1.20||b\nNR|BE|2019|:|C|\nNR|DE|2018|:||u\nNR|DE|2019|7|N|bp");
  EXPECT_EQ(signs_text(grid), ": absent (not available (Eurostat))\n");
  EXPECT_EQ(joined(grid.notes),
            "column 'freq' is the frequency ('A' in all rows) and was left out\n");
  EXPECT_EQ(grid.place(2, 3), "a.tsv, cell NR | BE | 2018, column value");
}

TEST(EurostatTsv, TheOldLayoutWithTimeAndItsFlag) {
  EXPECT_EQ(
      grid_text(read("unit,geo\\time\t2019 \t2018 \r\nNR,AT\t12 \t: c\r\nNR,BE\t3\t4 \r\n")),
      "unit:d|geo:d|time:t|value:v|CONF_STATUS:c\nNR|AT|2019|12|\nNR|AT|2018|:|c\nNR|BE|2019|3|\n"
      "NR|BE|2018|4|");
}

TEST(EurostatTsv, OneDimensionOrAnotherAcross) {
  EXPECT_EQ(grid_text(read("geo\\TIME_PERIOD\t2019\nAT\t5\n")),
            "geo:d|TIME_PERIOD:t|value:v\nAT|2019|5");
  EXPECT_EQ(grid_text(read("unit,time\\geo\tAT\tBE\t\nNR,2019\t5\t\t\n")),
            "unit:d|time:t|geo:d|value:v\nNR|2019|AT|5\nNR|2019|BE|");
}

TEST(EurostatTsv, ErrorsNameThePlace) {
  EXPECT_EQ(error_of("a,b\tc\n1\t2\n"),
            "a.tsv:1:1: the first column of a file of Eurostat is named as in "
            "freq,unit,geo\\TIME_PERIOD");
  EXPECT_EQ(error_of("a\\t\t2019\n"), "a.tsv: the file has no line with figures");
  EXPECT_EQ(error_of("a\\t\t2019\nx\t1\t2\n"),
            "a.tsv:2:1: the line has 3 fields, but the header has 2");
  EXPECT_EQ(error_of("a,b\\t\t2019\nx\t1\n"),
            "a.tsv:2:1: the first field has 1 codes, but 2 dimensions are named");
  EXPECT_EQ(error_of("a\\t\t2018\t2019\nx\t1\t2..3 \n"),
            "a.tsv:2:5: \xE2\x81\xA1'2..3'\xE2\x81\xA3 is neither a number nor ':', with or "
            "without flags");
  EXPECT_EQ(error_of("a\\t\t2019\t2019\nx\t1\t2\n"), "a.tsv:1:10: the column '2019' occurs twice");
  EXPECT_EQ(error_of("a\\t\t\t2019\nx\t1\t2\n"), "a.tsv:1:5: a column has no name");
  EXPECT_EQ(error_of("a,a\\t\t2019\nx,y\t1\n"), "a.tsv:1:1: the dimension 'a' is named twice");
}

TEST(EurostatTsv, IsKnownByItsHeader) {
  EXPECT_TRUE(is_eurostat_tsv("freq,geo\\TIME_PERIOD\t2019 \n"));
  EXPECT_TRUE(is_eurostat_tsv("geo\\time\t2019"));
  EXPECT_FALSE(is_eurostat_tsv("a\tb\\c\n"));
  EXPECT_FALSE(is_eurostat_tsv("a,b\\c\n"));
  EXPECT_FALSE(is_eurostat_tsv(""));
}

TEST(EurostatTsv, ABulkFile) {
  LACUNA_NEEDS_SHARED("instances/day2/tour_occ_arn2.tsv");
  const Grid grid = read(
      files::read_file(testing::shared_data("instances/day2/tour_occ_arn2.tsv").string()).value());
  EXPECT_EQ(grid.rows.size(), 399U * 36);
  std::size_t confidential = 0, estimated = 0, numbers = 0;
  for (const auto& row : grid.rows) {
    confidential += row[6] == "C" ? 1U : 0U;
    estimated += row[7] == "e" ? 1U : 0U;
    numbers += row[5] != ":" ? 1U : 0U;
  }
  EXPECT_EQ(confidential, 25U);
  EXPECT_EQ(estimated, 210U);
  EXPECT_EQ(numbers, 4673U);
}

}  // namespace
}  // namespace lacuna::formats
