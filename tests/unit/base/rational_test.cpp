// SPDX-License-Identifier: Apache-2.0
#include "core/base/rational.h"

#include <gtest/gtest.h>

#include "core/base/check.h"
#include "core/base/decimal.h"
#include "core/base/random.h"

namespace lacuna::base {
namespace {

std::string text(long numerator, unsigned long denominator, int decimals) {
  return format_fraction(make_fraction(numerator, denominator), decimals);
}

TEST(MakeFraction, IsInLowestTerms) {
  EXPECT_EQ(make_fraction(6, 4), mpq_class(3, 2));
  EXPECT_EQ(make_fraction(-6, 4).get_num(), -3);
  EXPECT_EQ(make_fraction(0, 7).get_den(), 1);
}

TEST(Fractions, AreReadAndScaledExactly) {
  EXPECT_EQ(ten_to_the(20).get_str(), "100000000000000000000");
  EXPECT_EQ(units_to_fraction(-125, 2), mpq_class(-5, 4));
  EXPECT_EQ(*parse_fraction("-1.250"), mpq_class(-5, 4));
  EXPECT_FALSE(parse_fraction("1,25"));
  EXPECT_FALSE(parse_fraction("99999999999999999999"));
}

TEST(Fractions, AreRoundedTowardTheGivenSide) {
  EXPECT_EQ(rounded_up(mpq_class(-7, 2)), -3);
  EXPECT_EQ(rounded_down(mpq_class(-7, 2)), -4);
  EXPECT_EQ(rounded_up(mpq_class(3)), 3);
}

TEST(ToInteger, HoldsEverySizeOfWide) {
  EXPECT_EQ(to_integer(Wide{1} << 96).get_str(), "79228162514264337593543950336");
  EXPECT_EQ(to_integer(-(Wide{1} << 64)).get_str(), "-18446744073709551616");
  EXPECT_EQ(to_integer(0), 0);
  Random random(3);
  for (int i = 0; i < 2000; ++i) {
    const Wide value =
        (Wide{random.between(-kMaxUnits, kMaxUnits)} << 62) >> random.between(0, 123);
    EXPECT_EQ(to_integer(value).get_str(), format_wide(value));
  }
}

// Where a long of 32 bits, a double and a number of units end.
TEST(Units, GoThroughIntegersWhole) {
  for (const int power : {0, 31, 32, 33, 53, 62}) {
    for (const Units beside : {-2, -1, 0, 1, 2}) {
      const Units up = (Units{1} << power) + beside;
      for (const Units units : {up, -up}) {
        const mpz_class number = to_integer(units);
        EXPECT_EQ(number.get_str(), format_wide(units));
        EXPECT_TRUE(fits_units(number));
        EXPECT_EQ(to_units(number), units);
        EXPECT_EQ(to_units(number * to_integer(Wide{1} << 70) / to_integer(Wide{1} << 70)), units);
      }
    }
  }
  EXPECT_EQ(to_integer(kUnboundedBelow).get_str(), "-9223372036854775808");
  EXPECT_EQ(to_units(to_integer(kUnboundedAbove)), kUnboundedAbove);
}

TEST(Units, DoNotHoldWhatIsLarger) {
  for (const int power : {63, 64, 95, 96}) {
    EXPECT_FALSE(fits_units(to_integer(Wide{1} << power)));
    EXPECT_FALSE(fits_units(to_integer(-(Wide{1} << power))));
    EXPECT_THROW(to_units(to_integer((Wide{1} << power) + 1)), InternalError);
  }
}

TEST(LowBits, TellNumbersApart) {
  EXPECT_EQ(low_bits(0), 0U);
  EXPECT_EQ(low_bits(-7), 7U);
  EXPECT_NE(low_bits(to_integer(Units{1} << 31)), low_bits(to_integer((Units{1} << 31) + 1)));
}

TEST(Gcd, TakesAnySign) {
  EXPECT_EQ(gcd(12, -18), 6);
  EXPECT_EQ(gcd(0, -5), 5);
  EXPECT_EQ(gcd(0, 0), 0);
}

TEST(CommonDenominator, IsTheSmallest) {
  Integer denominator;
  const std::vector<Fraction> given{{1, 6}, {-3, 4}, 2};
  const auto values = to_common_denominator(given, denominator);
  EXPECT_EQ(denominator, 12);
  EXPECT_EQ(values, (std::vector<Integer>{2, -9, 24}));
  EXPECT_TRUE(to_common_denominator(std::vector<Fraction>{}, denominator).empty());
  EXPECT_EQ(denominator, 1);
}

TEST(FormatFraction, WritesDecimalsWhereTheyEnd) {
  EXPECT_EQ(text(5, 2, 0), "2.5");
  EXPECT_EQ(text(-5, 2, 1), "-0.25");
  EXPECT_EQ(text(10, 4, 2), "0.025");
  EXPECT_EQ(text(1, 1'000'000'000, 0), "0.000000001");
  EXPECT_EQ(text(300, 1, 2), "3");
  EXPECT_EQ(text(100, 1, 0), "100");
  EXPECT_EQ(text(0, 7, 3), "0");
  EXPECT_EQ(format_fraction(-3, 2, 1), "-0.15");
}

TEST(FormatFraction, WritesAFractionWhereTheyDoNot) {
  EXPECT_EQ(text(1, 3, 0), "1/3");
  EXPECT_EQ(text(-4, 6, 0), "-2/3");
  EXPECT_EQ(text(10, 3, 1), "1/3");
  EXPECT_EQ(text(1, 3, 2), "1/300");
}

TEST(FormatFraction, KeepsEveryDigit) {
  EXPECT_EQ(format_fraction((Wide{1} << 96) - 1, Wide{1} << 30, 0),
            "73786976294838206463.999999999068677425384521484375");
  EXPECT_EQ(format_fraction((Wide{1} << 62) - 1, 1024, 0), "4503599627370495.9990234375");
  EXPECT_EQ(format_fraction(1, Wide{1} << 31, 0), "1/2147483648");  // 31 digits
}

}  // namespace
}  // namespace lacuna::base
