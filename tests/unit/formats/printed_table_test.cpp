// SPDX-License-Identifier: Apache-2.0
#include "data/formats/printed_table.h"

#include <gtest/gtest.h>

namespace lacuna::formats {
namespace {

std::string flat(const Grid& grid) {
  std::string text;
  for (const auto& row : grid.rows) {
    for (const std::string& field : row)
      text += field + ",";
    text.back() = ';';
  }
  return text;
}

std::string only(const std::string& text) {
  const auto grids = printed_tables(text, "t");
  EXPECT_EQ(grids.size(), 1U) << text;
  return grids.empty() ? "" : flat(grids.front());
}

TEST(PrintedTable, CrossTableOfPandas) {
  EXPECT_EQ(only("sex     F   M  All\nregion\nNorth  12  34   46\nAll    17  40   57\n"),
            "region,sex,Freq;North,F,12;North,M,34;North,All,46;All,F,17;All,M,40;All,All,57;");
}

TEST(PrintedTable, SeveralCodesPerRow) {
  EXPECT_EQ(only("sex             F    M\nregion year\nNorth  2010    12   34\n       2011     1  "
                 "NaN\nSouth  2010     7    8\n"),
            "region,year,sex,Freq;North,2010,F,12;North,2010,M,34;North,2011,F,1;North,2011,M,NaN;"
            "South,2010,F,7;South,2010,M,8;");
}

TEST(PrintedTable, TableOfR) {
  EXPECT_EQ(only("       sex\nregion    F   M\n  North  12  34\n  South   5   6\n"),
            "region,sex,Freq;North,F,12;North,M,34;South,F,5;South,M,6;");
  EXPECT_EQ(only("       year\nregion  2010 2011\n  North   12   34\n  South    5    6\n"),
            "region,year,Freq;North,2010,12;North,2011,34;South,2010,5;South,2011,6;");
  EXPECT_EQ(only("region\nNorth South \n   12    34 \n"), "region,Freq;North,12;South,34;");
}

TEST(PrintedTable, DataFrames) {
  EXPECT_EQ(only("  region sex   n\n0  North   F  12\n1  South   M  34\n"),
            "region,sex,n;North,F,12;South,M,34;");
  EXPECT_EQ(only("  region sex  n\n1  North   F 12\n2  South   M 34\n"),
            "region,sex,n;North,F,12;South,M,34;");
}

TEST(PrintedTable, TabulateOfStata) {
  EXPECT_EQ(only(". tabulate region sex\n\n           |        sex\n    region |     F      M |  "
                 "Total\n-----------+--------------+-------\n     North |    12     34 |     46\n"
                 "-----------+--------------+-------\n     Total |    12     34 |     46\n"),
            "region,sex,Freq;North,F,12;North,M,34;North,Total,46;Total,F,12;Total,M,34;"
            "Total,Total,46;");
  EXPECT_EQ(only("     region |      Freq.     Percent\n------------+-----------------------\n"
                 "      North |         12       25.00\n      South |         36       75.00\n"
                 "------------+-----------------------\n      Total |         48      100.00\n"),
            "region,Freq;North,12;South,36;Total,48;");
}

TEST(PrintedTable, OtherTextIsNone) {
  EXPECT_TRUE(printed_tables("", "t").empty());
  EXPECT_TRUE(printed_tables("This is a letter\nof three lines\nand no table 4\n", "t").empty());
  EXPECT_TRUE(printed_tables("a\n\nb\n", "t").empty());
}

}  // namespace
}  // namespace lacuna::formats
