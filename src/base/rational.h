// SPDX-License-Identifier: Apache-2.0
// Between 128-bit integers, fractions and GMP's numbers of any size.
#pragma once

#include <gmpxx.h>

#include <optional>
#include <vector>

#include "lacuna/evidence.h"
#include "lacuna/units.h"

namespace lacuna {

Wide gcd(Wide a, Wide b);
mpz_class to_integer(Wide value);
std::optional<Wide> to_wide(const mpz_class& value);  // nothing beyond 126 bits
mpq_class to_rational(const Fraction& fraction);
std::optional<Fraction> to_fraction(const mpq_class& value);

// The values over one denominator below 2^31, or nothing if there is none.
std::optional<std::vector<Wide>> to_common_denominator(const std::vector<mpq_class>& values,
                                                       Wide& denominator);

}  // namespace lacuna
