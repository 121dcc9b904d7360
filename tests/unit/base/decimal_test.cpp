// SPDX-License-Identifier: Apache-2.0
// Decimal text is read and written exactly, or not at all.
#include "core/base/decimal.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "core/base/confidential.h"
#include "core/base/random.h"

namespace lacuna::base {
namespace {

Units units(std::string_view text, int decimals) {
  const auto parsed = parse_units(text, decimals);
  EXPECT_TRUE(parsed) << text << ": " << (parsed ? "" : in_full(parsed.error().text()));
  return parsed ? *parsed : kUnboundedBelow;
}

std::string refusal(std::string_view text, int decimals) {
  const auto parsed = parse_units(text, decimals);
  EXPECT_FALSE(parsed) << text;
  return parsed ? "" : in_full(parsed.error().text());
}

TEST(ParseUnits, KeepsEveryDigit) {
  EXPECT_EQ(units("0", 0), 0);
  EXPECT_EQ(units("-0", 5), 0);
  EXPECT_EQ(units("12.5", 1), 125);
  EXPECT_EQ(units("12.5", 4), 125000);
  EXPECT_EQ(units("+.5", 1), 5);
  EXPECT_EQ(units("5.", 1), 50);
  EXPECT_EQ(units("-0.000000000000000001", 18), -1);
  EXPECT_EQ(units("00000000000000000000000000000000000000000000000007", 0), 7);
  EXPECT_EQ(units("0.1", 17), 10'000'000'000'000'000);  // 0.1 is no double
}

TEST(ParseUnits, ReadsExponents) {
  EXPECT_EQ(units("3e2", 0), 300);
  EXPECT_EQ(units("3E+2", 0), 300);
  EXPECT_EQ(units("1.25e1", 1), 125);
  EXPECT_EQ(units("12500e-4", 2), 125);
  EXPECT_EQ(units("1230000000000000000000e-20", 1), 123);
  EXPECT_EQ(units("0e999999999999", 3), 0);
}

TEST(ParseUnits, HoldsSixtyTwoBits) {
  EXPECT_EQ(units("4611686018427387903", 0), kMaxUnits);
  EXPECT_EQ(units("-4611686018427387903", 0), -kMaxUnits);
  EXPECT_EQ(units("46116860184.27387903", 8), kMaxUnits);
  const std::string said =
      "the number 4611686018427387904 does not fit 63 bits with 0 decimals; use fewer decimals or "
      "a "
      "larger unit";
  EXPECT_EQ(refusal("4611686018427387904", 0), said);
  for (const char* huge : {"-4611686018427387904",
                           "9223372036854775808",
                           "1e19",
                           "1e400",
                           "1e2147483647",
                           "1e99999999999999999999",
                           "340282366920938463463374607431768211456",
                           "99999999999999999999999999999999999999999999999999999999999999"}) {
    EXPECT_NE(refusal(huge, 0).find("does not fit 63 bits"), std::string::npos) << huge;
  }
  EXPECT_NE(refusal("5", 18).find("does not fit 63 bits with 18 decimals"), std::string::npos);
}

TEST(ParseUnits, RefusesWhatItWouldHaveToRound) {
  EXPECT_EQ(refusal("1.25", 1), "the number 1.25 has more than 1 decimals");
  EXPECT_EQ(refusal("1e-3", 2), "the number 1e-3 has more than 2 decimals");
  for (const char* tiny : {"1e-401", "0.1e-2147483648", "1e-99999999999999999999"})
    EXPECT_NE(refusal(tiny, 2), "") << tiny;
  EXPECT_EQ(units("1.250000", 2), 125);  // trailing zeros say nothing
}

TEST(ParseUnits, RefusesWhatIsNoNumber) {
  EXPECT_EQ(refusal("nan", 0), "'nan' is not a number");
  for (const char* text : {"",     "+",    "-",     ".",   "e5",  "1e",  "1e+",  "1e+-5", "1e 5",
                           "NaN",  "inf",  "-inf",  "0x1", "1,5", "1 2", " 1",   "1 ",    "--1",
                           "1.2.", "1e5.", "1'000", "1_0", "½",   "१",   "1e5e5"}) {
    EXPECT_NE(refusal(text, 3).find("is not a number"), std::string::npos) << text;
  }
  EXPECT_EQ(refusal(std::string_view("1\0", 2), 0), "'1?' is not a number");
}

TEST(DecimalsNeeded, CountsDigitsThatMatter) {
  EXPECT_EQ(*decimals_needed("1.250"), 2);
  EXPECT_EQ(*decimals_needed("3e2"), 0);
  EXPECT_EQ(*decimals_needed("3e-2"), 2);
  EXPECT_EQ(*decimals_needed("0.000"), 0);
  EXPECT_EQ(*decimals_needed("100"), 0);
  EXPECT_EQ(*decimals_needed("1.5e1"), 0);
  EXPECT_FALSE(decimals_needed("nan"));
  EXPECT_FALSE(decimals_needed("1e-2147483648"));
}

TEST(FormatUnits, IsTheShortestExactText) {
  EXPECT_EQ(format_units(125, 2), "1.25");
  EXPECT_EQ(format_units(-5, 1), "-0.5");
  EXPECT_EQ(format_units(30000, 2), "300");
  EXPECT_EQ(format_units(0, 18), "0");
  EXPECT_EQ(format_units(-1, 18), "-0.000000000000000001");
  EXPECT_EQ(format_units(kMaxUnits, 0), "4611686018427387903");
  EXPECT_EQ(format_units(kUnboundedAbove, 2), "inf");
  EXPECT_EQ(format_units(kUnboundedBelow, 2), "-inf");
}

TEST(FormatUnits, IsReadBackToTheSameNumber) {
  Random random(11);
  for (int i = 0; i < 20'000; ++i) {
    const Units value = random.between(-kMaxUnits, kMaxUnits) >> random.between(0, 61);
    const int decimals = static_cast<int>(random.between(0, 18));
    EXPECT_EQ(units(format_units(value, decimals), decimals), value);
  }
}

TEST(FormatWide, WritesAllSizes) {
  EXPECT_EQ(format_wide(0), "0");
  EXPECT_EQ(format_wide(-7), "-7");
  EXPECT_EQ(format_wide((Wide{1} << 96) - 1), "79228162514264337593543950335");
  EXPECT_EQ(format_wide(Wide{1} << 126), "85070591730234615865843651857942052864");
}

TEST(FormatDouble, IsReadBackToTheSameDouble) {
  EXPECT_EQ(format_double(3), "3");
  EXPECT_EQ(format_double(-0.1), "-0.1");
  EXPECT_EQ(format_double(1e300), "1e+300");
  for (const double value : {1.0 / 3, 1e-300, 9007199254740993.0, -2.5e17}) {
    const auto read = parse_double(format_double(value));
    ASSERT_TRUE(read);
    EXPECT_EQ(*read, value);
  }
}

TEST(ParseDouble, RefusesWhatIsNotFinite) {
  for (const char* text : {"nan", "inf", "-inf", "1e999", "", "+", "+-1", "++1", "1x", " 1"})
    EXPECT_FALSE(parse_double(text)) << text;
  EXPECT_EQ(*parse_double("+1.5"), 1.5);
}

TEST(UnitsToDouble, IsInfiniteWhereUnbounded) {
  EXPECT_EQ(units_to_double(125, 2), 1.25);
  EXPECT_TRUE(std::isinf(units_to_double(kUnboundedAbove, 0)));
  EXPECT_LT(units_to_double(kUnboundedBelow, 0), 0);
}

}  // namespace
}  // namespace lacuna::base
