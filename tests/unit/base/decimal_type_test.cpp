// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <random>
#include <type_traits>

#include "core/base/check.h"
#include "core/base/rational.h"
#include "lacuna/decimal.h"

namespace lacuna::base {
namespace {

static_assert(!std::is_constructible_v<Decimal, double>, "12.5 in binary may be another number");
static_assert(!std::is_constructible_v<Decimal, bool>);

Decimal decimal_of(std::string_view text) {
  const auto number = Decimal::parse(text);
  EXPECT_TRUE(number) << text;
  return number.value();
}

TEST(DecimalType, HasOneTextForEachNumber) {
  for (const char* text : {"12.5", "+12.50", "012.500", "125e-1", "1.25E+1", "12.5e0"}) {
    EXPECT_EQ(decimal_of(text).text(), "12.5") << text;
    EXPECT_EQ(decimal_of(text), Decimal(125, 1)) << text;
  }
  EXPECT_EQ(decimal_of("-0.000").text(), "0");
  EXPECT_EQ(decimal_of("-0.000"), Decimal());
  EXPECT_EQ(decimal_of("300").text(), "300");
  EXPECT_EQ(decimal_of("3e2"), 300);
  EXPECT_TRUE(decimal_of("3e2").is_integer());
  EXPECT_EQ(decimal_of(".5").text(), "0.5");
  EXPECT_EQ(decimal_of("-7.").text(), "-7");
  EXPECT_EQ(Decimal(0, 7), 0);
}

TEST(DecimalType, IsExactWhereBinaryNumbersAreNot) {
  EXPECT_EQ(fraction_of(decimal_of("0.1")), mpq_class(1, 10));
  EXPECT_NE(decimal_of("0.1"), decimal_of("0.1000000000000000055"));
  EXPECT_LT(decimal_of("0.1"), decimal_of("0.1000000000000000055"));
  EXPECT_LT(decimal_of("9007199254740992"), decimal_of("9007199254740993"));
}

TEST(DecimalType, Extremes) {
  EXPECT_EQ(Decimal(kMaxUnits).text(), "4611686018427387903");
  EXPECT_EQ(decimal_of("-4611686018427387903"), Decimal(-kMaxUnits));
  EXPECT_EQ(decimal_of("1e-400").text(), "0." + std::string(399, '0') + "1");
  EXPECT_EQ(decimal_of(decimal_of("1e-400").text()), Decimal(1, 400));
  EXPECT_GT(decimal_of("1e-400"), 0);
  EXPECT_LT(decimal_of("-1e-400"), 0);
  EXPECT_LT(decimal_of("1e-400"), Decimal(kMaxUnits));
  EXPECT_THROW(Decimal(kMaxUnits + 1), InternalError);
  EXPECT_THROW(Decimal(1, -1), InternalError);
}

TEST(DecimalType, RefusesWhatIsNoNumber) {
  for (const char* text : {"",
                           " ",
                           "x",
                           "1x",
                           " 1",
                           "1 ",
                           "1,5",
                           "1.2.3",
                           "--1",
                           "+-1",
                           "e5",
                           "1e",
                           "nan",
                           "inf",
                           "0x10",
                           "50%",
                           "1/2"}) {
    const auto number = Decimal::parse(text);
    ASSERT_FALSE(number) << text;
    EXPECT_EQ(number.error().code, ErrorCode::kBadNumber) << text;
  }
  for (const char* text : {"4611686018427387904", "1e19", "1e401", "1.23456789012345678901"}) {
    const auto number = Decimal::parse(text);
    ASSERT_FALSE(number) << text;
    EXPECT_EQ(number.error().code, ErrorCode::kNumberTooLarge) << text;
  }
}

TEST(DecimalType, TextReadsBackAndOrderIsThatOfFractions) {
  std::mt19937_64 random(7);
  Decimal last;
  for (int round = 0; round < 2000; ++round) {
    const Units digits =
        static_cast<Units>(random() >> (random() % 60 + 2)) * (random() % 2 == 0 ? 1 : -1);
    const Decimal number(digits, static_cast<int>(random() % 25));
    EXPECT_EQ(decimal_of(number.text()), number) << number.text();
    EXPECT_EQ(number < last, fraction_of(number) < fraction_of(last));
    EXPECT_EQ(number == last, fraction_of(number) == fraction_of(last));
    last = number;
  }
}

}  // namespace
}  // namespace lacuna::base
