// SPDX-License-Identifier: Apache-2.0
#include "base/check.h"
#include "base/rational.h"
#include "lacuna/evidence.h"

namespace lacuna {
namespace {

constexpr Wide kNumeratorLimit = Wide{1} << 96;
constexpr Wide kDenominatorLimit = Wide{1} << 31;

bool fits(Wide numerator, Wide denominator) {
  return numerator < kNumeratorLimit && numerator > -kNumeratorLimit && denominator > 0 &&
         denominator < kDenominatorLimit;
}

}  // namespace

bool fits_fraction(Wide numerator, Wide denominator) {
  const Wide divisor = gcd(numerator, denominator);
  return divisor != 0 && fits(numerator / divisor, denominator / divisor);
}

Fraction make_fraction(Wide numerator, Wide denominator) {
  LACUNA_CHECK(denominator > 0);
  const Wide divisor = gcd(numerator, denominator);
  const Fraction fraction{numerator / divisor, denominator / divisor};
  LACUNA_CHECK(fits(fraction.numerator, fraction.denominator));
  return fraction;
}

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
  mpz_class result(static_cast<unsigned long>(magnitude >> 64U));
  result <<= 64;
  result += static_cast<unsigned long>(magnitude);
  return negative ? mpz_class(-result) : result;
}

std::optional<Wide> to_wide(const mpz_class& value) {
  if (mpz_sizeinbase(value.get_mpz_t(), 2) > 126)
    return std::nullopt;
  const mpz_class magnitude = abs(value);
  const mpz_class high = magnitude >> 64;
  const mpz_class low = magnitude - (high << 64);
  const Wide result = (static_cast<Wide>(high.get_ui()) << 64) + static_cast<Wide>(low.get_ui());
  return value < 0 ? -result : result;
}

mpq_class to_rational(const Fraction& fraction) {
  mpq_class result(to_integer(fraction.numerator), to_integer(fraction.denominator));
  result.canonicalize();
  return result;
}

std::optional<Fraction> to_fraction(const mpq_class& value) {
  const auto numerator = to_wide(value.get_num());
  const auto denominator = to_wide(value.get_den());
  if (!numerator || !denominator || !fits(*numerator, *denominator))
    return std::nullopt;
  return Fraction{*numerator, *denominator};
}

std::optional<std::vector<Wide>> to_common_denominator(const std::vector<mpq_class>& values,
                                                       Wide& denominator) {
  mpz_class common = 1;
  for (const mpq_class& value : values) {
    mpz_lcm(common.get_mpz_t(), common.get_mpz_t(), value.get_den_mpz_t());
    if (mpz_sizeinbase(common.get_mpz_t(), 2) > 31)
      return std::nullopt;
  }
  std::vector<Wide> numerators;
  numerators.reserve(values.size());
  for (const mpq_class& value : values) {
    const mpz_class scaled = value.get_num() * (common / value.get_den());
    const auto wide = to_wide(scaled);
    if (!wide || *wide >= kNumeratorLimit || *wide <= -kNumeratorLimit)
      return std::nullopt;
    numerators.push_back(*wide);
  }
  denominator = *to_wide(common);
  if (denominator >= kDenominatorLimit)
    return std::nullopt;
  return numerators;
}

}  // namespace lacuna
