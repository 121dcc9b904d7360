// SPDX-License-Identifier: Apache-2.0
#include "data/formats/sheet_cells.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <charconv>
#include <cmath>

namespace lacuna::formats {
namespace {

TEST(PlainNumber, HasNoExponentAndReadsBack) {
  EXPECT_EQ(plain_number(0.1), "0.1");
  EXPECT_EQ(plain_number(0.1F), "0.1");
  EXPECT_EQ(plain_number(-0.0), "0");
  EXPECT_EQ(plain_number(1e21), "1000000000000000000000");
  EXPECT_EQ(plain_number(-1.25e-7), "-0.000000125");
  EXPECT_EQ(plain_number(123456.75), "123456.75");
  EXPECT_EQ(plain_number(HUGE_VAL), "");
  EXPECT_EQ(plain_number_text("1.1000000000000001"), "1.1");
  EXPECT_EQ(plain_number_text("1E3"), "1000");
  EXPECT_EQ(plain_number_text("12 (p)"), "12 (p)");
}

TEST(PlainNumber, AnyDoubleReadsBack) {
  std::uint64_t state = 42;
  for (int i = 0; i < 20'000; ++i) {
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    const double value = std::bit_cast<double>(state);
    const std::string text = plain_number(value);
    double again = 0;
    std::from_chars(text.data(), text.data() + text.size(), again);
    if (std::isfinite(value)) {
      ASSERT_EQ(again, value) << text;
    }
    ASSERT_EQ(text.find('e'), std::string::npos);
  }
}

TEST(NumberFormat, DatesAreKnownByTheirLetters) {
  for (const char* code :
       {"dd/mm/yyyy", "[$-407]d. mmmm yyyy;@", "mmm\\-yy", "yyyy", "d\" of \"mmm"}) {
    EXPECT_TRUE(number_format(code).has_date) << code;
    EXPECT_FALSE(number_format(code).has_time) << code;
  }
  EXPECT_TRUE(number_format("hh:mm:ss").has_time);
  EXPECT_TRUE(number_format("[h]:mm").has_time);
  EXPECT_FALSE(number_format("[h]:mm").has_date);
  for (const char* code : {"General", "0.00", "#,##0\\ \"days\"", "[Red]0", "0.0%", "@", "# ?/?"}) {
    EXPECT_FALSE(number_format(code).has_date) << code;
    EXPECT_FALSE(number_format(code).has_time) << code;
  }
}

TEST(NumberFormat, ShownDecimals) {
  EXPECT_EQ(number_format("#,##0").decimals, 0);
  EXPECT_EQ(number_format("#,##0.0;[Red]-#,##0.0").decimals, 1);
  EXPECT_EQ(number_format("0.0%").decimals, 3);
  EXPECT_EQ(number_format("General").decimals, -1);
  EXPECT_EQ(number_format("#,##0,").decimals, -1);  // in thousands
  EXPECT_EQ(number_format("0.00E+00").decimals, -1);
  EXPECT_EQ(built_in_format(4).decimals, 2);
  EXPECT_TRUE(built_in_format(14).has_date);
}

TEST(ExcelTime, CountsAsExcelDoes) {
  const NumberFormat date = number_format("yyyy-mm-dd"), both = number_format("yyyy-mm-dd hh:mm");
  EXPECT_EQ(excel_time(46342, date, false), "2026-11-16");
  EXPECT_EQ(excel_time(46342 - 1462, date, true), "2026-11-16");
  EXPECT_EQ(excel_time(1, date, false), "1900-01-01");
  EXPECT_EQ(excel_time(59, date, false), "1900-02-28");
  EXPECT_EQ(excel_time(60, date, false), "60");  // Excel's 29 February 1900
  EXPECT_EQ(excel_time(61, date, false), "1900-03-01");
  EXPECT_EQ(excel_time(46342.5, both, false), "2026-11-16 12:00:00");
  EXPECT_EQ(excel_time(0.25, number_format("hh:mm"), false), "06:00:00");
  EXPECT_EQ(excel_time(-1, date, false), "-1");
  EXPECT_EQ(excel_time(1e300, date, false), plain_number(1e300));
}

TEST(SheetCells, CellsFarApartAreNoTable) {
  SheetBudget budget(1'000);
  SheetCells cells("b.xlsx", "S", budget);
  ASSERT_TRUE(cells.add(0, 0, "a"));
  ASSERT_TRUE(cells.add(1'048'575, 16'383, "b"));
  const auto grid = cells.grid(false);
  ASSERT_FALSE(grid);
  EXPECT_EQ(grid.error().text(),
            "b.xlsx, sheet S: the cells lie between A1 and XFD1048576, and hardly any of them has "
            "content: delete what lies far from the table");
  EXPECT_FALSE(cells.add(std::uint64_t{1} << 40U, 0, "c"));
}

TEST(SheetCells, TextIsLimited) {
  SheetBudget budget(0);
  SheetCells cells("b.xlsx", "S", budget);
  const std::string text(std::size_t{1} << 20U, 'x');
  Status last = ok_status();
  for (std::uint64_t i = 0; i < 200 && last; ++i)
    last = cells.add(i, 0, text);
  ASSERT_FALSE(last);
  EXPECT_THAT(last.error().text(), ::testing::HasSubstr("far more text than the file has bytes"));
}

TEST(FitsDouble, FifteenDigits) {
  EXPECT_TRUE(fits_double("123456789012345"));
  EXPECT_TRUE(fits_double("0.000123456789012345"));
  EXPECT_TRUE(fits_double("1000000000000000000"));
  EXPECT_FALSE(fits_double("1234567890123456"));
}

}  // namespace
}  // namespace lacuna::formats
