// SPDX-License-Identifier: Apache-2.0
#include "data/formats/grid.h"

#include <gtest/gtest.h>

namespace lacuna::formats {
namespace {

TEST(Grid, ColumnsHaveTheLettersOfASpreadsheet) {
  EXPECT_EQ(column_letters(0), "A");
  EXPECT_EQ(column_letters(25), "Z");
  EXPECT_EQ(column_letters(26), "AA");
  EXPECT_EQ(column_letters(701), "ZZ");
  EXPECT_EQ(column_letters(702), "AAA");
}

TEST(Grid, PlacesAreThoseOfTheFormat) {
  Grid sheet;
  sheet.where = "book.xlsx, sheet Sales";
  sheet.is_sheet = true;
  sheet.first_row = 2;
  EXPECT_EQ(sheet.place(4, 1), "book.xlsx, sheet Sales, cell B7");
  Grid data;
  data.where = "sample.sav";
  data.columns = {{"age", ColumnRole::kOpen}};
  EXPECT_EQ(data.place(16, 0), "sample.sav, row 17, column age");
}

}  // namespace
}  // namespace lacuna::formats
