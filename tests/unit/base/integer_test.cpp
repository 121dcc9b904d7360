// SPDX-License-Identifier: Apache-2.0
#include "lacuna/integer.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <limits>
#include <set>

#include "core/base/exact.h"
#include "core/base/random.h"

namespace lacuna::base {
namespace {

constexpr std::int64_t kLowest = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kHighest = std::numeric_limits<std::int64_t>::max();

Integer read(const char* text) {
  return Integer::parse(text).value();
}

TEST(Integer, IsMadeOfAnyMachineNumber) {
  EXPECT_EQ(Integer().text(), "0");
  EXPECT_EQ(Integer(-7).text(), "-7");
  EXPECT_EQ(Integer(kLowest).text(), "-9223372036854775808");
  EXPECT_EQ(Integer(std::numeric_limits<std::uint64_t>::max()).text(), "18446744073709551615");
  EXPECT_EQ(Integer(std::int8_t{-128}).to_int64(), -128);
}

TEST(Integer, ReadsWhatItPrintsAndNothingElse) {
  for (const char* text : {"0", "-1", "9223372036854775808", "-123456789012345678901234567890"})
    EXPECT_EQ(read(text).text(), text);
  EXPECT_EQ(read("-0"), 0);
  EXPECT_EQ(read("007"), 7);
  for (const char* text : {"", "-", "+1", " 1", "1 ", "1 2", "1.0", "0x1", "--1", "1e3"})
    EXPECT_FALSE(Integer::parse(text)) << text;
}

TEST(Integer, KnowsWhetherItFits) {
  EXPECT_EQ(Integer(kLowest).to_int64(), kLowest);
  EXPECT_EQ(Integer(kHighest).to_int64(), kHighest);
  EXPECT_EQ(read("9223372036854775808").to_int64(), std::nullopt);
  EXPECT_EQ(read("-9223372036854775809").to_int64(), std::nullopt);
  EXPECT_EQ(read("-36893488147419103232").to_double(), -36893488147419103232.0);
}

TEST(Integer, IsRegular) {
  const Integer large = read("170141183460469231731687303715884105728");
  Integer copy = large;
  Integer moved = std::move(copy);
  EXPECT_EQ(moved, large);
  copy = 3;  // what was moved from can be given a number
  EXPECT_EQ(copy, 3);
  moved = copy;
  EXPECT_EQ(moved, Integer(3));
  EXPECT_NE(moved, large);
  const std::set<Integer> ordered{large, -5, 0, Integer(kLowest), 7};
  std::string all;
  for (const Integer& each : ordered)
    all += each.text() + ' ';
  EXPECT_EQ(all, "-9223372036854775808 -5 0 7 170141183460469231731687303715884105728 ");
  EXPECT_EQ(Integer(-5).sign(), -1);
  EXPECT_EQ(Integer(0).sign(), 0);
  EXPECT_EQ(large.sign(), 1);
}

TEST(Fraction, IsInLowestTerms) {
  EXPECT_EQ(Fraction().text(), "0");
  EXPECT_EQ(Fraction(6, -4).text(), "-3/2");
  EXPECT_EQ(Fraction(6, -4).numerator(), -3);
  EXPECT_EQ(Fraction(6, -4).denominator(), 2);
  EXPECT_EQ(Fraction(Integer(4)), Fraction(8, 2));
  EXPECT_LT(Fraction(1, 3), Fraction(1, 2));
  EXPECT_EQ(Fraction(-1, 4).to_double(), -0.25);
  EXPECT_EQ(Fraction(-1, 4).sign(), -1);
  EXPECT_THROW(Fraction(1, 0), std::exception);
  Fraction copy(1, 3);
  const Fraction moved = std::move(copy);
  copy = 2;
  EXPECT_EQ(copy, Fraction(2));
  EXPECT_EQ(moved, Fraction(1, 3));
}

// The operators of the library's own arithmetic, against 128-bit integers.
TEST(Exact, ComputesWithIntegersInPlace) {
  Random random(3);
  for (int i = 0; i < 300; ++i) {
    const std::int64_t a = random.between(-1000, 1000), b = random.between(-1000, 1000);
    const Integer x = a, y = b;
    const Fraction f(a, 7);
    EXPECT_EQ(Integer(x + y * 3 - 1), a + b * 3 - 1);
    EXPECT_EQ(Integer(-x * y), -a * b);
    EXPECT_EQ(Integer(abs(x)), std::abs(a));
    EXPECT_EQ(x < y, a < b);
    EXPECT_EQ(x >= 5, a >= 5);
    EXPECT_EQ(5 >= x, 5 >= a);
    EXPECT_EQ(x == mpz_class(y), a == b);
    EXPECT_EQ(Fraction(f * y + x), Fraction(a * b + 7 * a, 7));
    EXPECT_EQ(f > x, 7 * a < a);
    Integer sum = x;
    sum += y;
    sum *= 2;
    sum -= mpz_class(x);
    EXPECT_EQ(sum, a + 2 * b);
    if (b != 0) {
      EXPECT_EQ(Integer(x / y), a / b);
      EXPECT_EQ(Integer(x % y), a % b);
    }
  }
  Integer large = 1;
  for (int i = 0; i < 100; ++i)
    large *= 10;
  EXPECT_EQ(large.text(), "1" + std::string(100, '0'));
  const mpz_class& same = large;  // a reference to what is there, not a copy
  EXPECT_EQ(&same, &gmp(large));
}

}  // namespace
}  // namespace lacuna::base
