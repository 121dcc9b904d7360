// SPDX-License-Identifier: Apache-2.0
#include "core/base/rational.h"

#include <array>
#include <cstdint>

#include "core/base/check.h"
#include "core/base/decimal.h"

namespace lacuna::base {
namespace {

// How GMP is told the order of words and of the bytes in them.
constexpr int kLowWordFirst = -1;
constexpr int kOwnByteOrder = 0;

}  // namespace

Wide gcd(Wide a, Wide b) {
  if (a < 0)
    a = -a;
  if (b < 0)
    b = -b;
  while (b != 0) {
    const Wide rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

mpz_class to_integer(Wide value) {
  const bool negative = value < 0;
  __extension__ using Unsigned = unsigned __int128;
  const Unsigned magnitude =
      negative ? Unsigned{0} - static_cast<Unsigned>(value) : static_cast<Unsigned>(value);
  const std::array<std::uint64_t, 2> words{static_cast<std::uint64_t>(magnitude),
                                           static_cast<std::uint64_t>(magnitude >> 64U)};
  mpz_class result;
  mpz_import(result.get_mpz_t(),
             words[1] == 0 ? 1 : 2,
             kLowWordFirst,
             sizeof(std::uint64_t),
             kOwnByteOrder,
             0,
             words.data());
  if (negative)
    mpz_neg(result.get_mpz_t(), result.get_mpz_t());
  return result;
}

bool fits_units(const mpz_class& number) {
  return mpz_sizeinbase(number.get_mpz_t(), 2) <= 63;
}

Units to_units(const mpz_class& number) {
  LACUNA_CHECK(fits_units(number));
  std::uint64_t magnitude = 0;  // stays if the number is 0
  mpz_export(
      &magnitude, nullptr, kLowWordFirst, sizeof(magnitude), kOwnByteOrder, 0, number.get_mpz_t());
  const auto units = static_cast<Units>(magnitude);
  return number < 0 ? -units : units;
}

std::size_t low_bits(const mpz_class& number) {
  return static_cast<std::size_t>(mpz_getlimbn(number.get_mpz_t(), 0));
}

mpq_class make_fraction(const mpz_class& numerator, const mpz_class& denominator) {
  mpq_class fraction(numerator, denominator);
  fraction.canonicalize();
  return fraction;
}

mpz_class ten_to_the(int exponent) {
  mpz_class power = 1;
  for (int digit = 0; digit < exponent; ++digit)
    power *= 10;
  return power;
}

mpq_class units_to_fraction(Wide units, int decimals) {
  return make_fraction(to_integer(units), ten_to_the(decimals));
}

mpq_class fraction_of(const Decimal& number) {
  return units_to_fraction(number.digits(), number.places());
}

Result<mpq_class> parse_fraction(std::string_view text) {
  LACUNA_TRY(const Decimal number, Decimal::parse(text));
  return fraction_of(number);
}

mpz_class rounded_down(const mpq_class& number) {
  mpz_class result;
  mpz_fdiv_q(result.get_mpz_t(), number.get_num_mpz_t(), number.get_den_mpz_t());
  return result;
}

mpz_class rounded_up(const mpq_class& number) {
  mpz_class result;
  mpz_cdiv_q(result.get_mpz_t(), number.get_num_mpz_t(), number.get_den_mpz_t());
  return result;
}

namespace {

template <class Number>
std::vector<Integer> over_one_denominator(const std::vector<Number>& values,
                                          mpz_class& denominator) {
  denominator = 1;
  for (const Number& value : values)
    mpz_lcm(denominator.get_mpz_t(), denominator.get_mpz_t(), gmp(value).get_den_mpz_t());
  std::vector<Integer> numerators;
  numerators.reserve(values.size());
  for (const Number& value : values)
    numerators.emplace_back(gmp(value).get_num() * (denominator / gmp(value).get_den()));
  return numerators;
}

}  // namespace

std::vector<Integer> to_common_denominator(const std::vector<mpq_class>& values,
                                           Integer& denominator) {
  return over_one_denominator(values, gmp(denominator));
}

std::vector<Integer> to_common_denominator(const std::vector<Fraction>& values,
                                           Integer& denominator) {
  return over_one_denominator(values, gmp(denominator));
}

std::string format_fraction(const mpq_class& units, int decimals) {
  constexpr int kMaxPlaces = 30;
  const mpq_class value = units / ten_to_the(decimals);
  // A fraction terminates if its denominator divides a power of ten.
  mpz_class scaled = value.get_num();
  mpz_class rest = value.get_den();
  int places = 0;
  for (; rest != 1 && places < kMaxPlaces; ++places) {
    const mpz_class common = gcd(rest, mpz_class(10));
    rest /= common;
    scaled *= 10 / common;
  }
  if (rest != 1)
    return value.get_num().get_str() + "/" + value.get_den().get_str();
  std::string digits = mpz_class(abs(scaled)).get_str();
  if (places > 0) {
    const auto width = static_cast<std::size_t>(places);
    if (digits.size() <= width)
      digits.insert(0, width + 1 - digits.size(), '0');
    digits.insert(digits.size() - width, 1, '.');
    digits.erase(digits.find_last_not_of('0') + 1);
    if (digits.back() == '.')
      digits.pop_back();
  }
  return scaled < 0 ? "-" + digits : digits;
}

}  // namespace lacuna::base
