// SPDX-License-Identifier: Apache-2.0
// Between 128-bit integers, decimal text and GMP's numbers of any size.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/exact.h"
#include "lacuna/decimal.h"
#include "lacuna/result.h"
#include "lacuna/units.h"

namespace lacuna::base {

Wide gcd(Wide a, Wide b);
// The ways between numbers of the table and GMP's. GMP's own take `long`, which has 32 bits on
// Windows and in browsers and would cut units in half there, so these use none of them, and nothing
// else may (scripts/check_style.py).
mpz_class to_integer(Wide value);
bool fits_units(const mpz_class& number);       // below 2^63 in absolute value
Units to_units(const mpz_class& number);        // of one that fits
std::size_t low_bits(const mpz_class& number);  // of the absolute value, for hashing
mpq_class make_fraction(const mpz_class& numerator, const mpz_class& denominator);  // lowest terms
mpz_class ten_to_the(int exponent);
mpq_class units_to_fraction(Wide units, int decimals);  // units * 10^-decimals
mpq_class fraction_of(const Decimal& number);
// The exact value of decimal text. Errors: no number, more digits than table values may have.
Result<mpq_class> parse_fraction(std::string_view text);
mpz_class rounded_down(const mpq_class& number);  // to a whole number, toward minus infinity
mpz_class rounded_up(const mpq_class& number);

// The values as integers over one positive denominator, the smallest there is.
std::vector<Integer> to_common_denominator(const std::vector<mpq_class>& values,
                                           Integer& denominator);
std::vector<Integer> to_common_denominator(const std::vector<Fraction>& values,
                                           Integer& denominator);

// A number of units at these decimals: exact decimal text if it terminates within 30 digits, else
// "num/den" in lowest terms.
std::string format_fraction(const mpq_class& units, int decimals);

}  // namespace lacuna::base
