// SPDX-License-Identifier: Apache-2.0
// Between 128-bit integers and GMP's numbers of any size.
#pragma once

#include <gmpxx.h>

#include <string>
#include <vector>

#include "lacuna/units.h"

namespace lacuna::inline base {

Wide gcd(Wide a, Wide b);
mpz_class to_integer(Wide value);
mpq_class make_fraction(const mpz_class& numerator, const mpz_class& denominator);  // lowest terms

// The values as integers over one positive denominator, the smallest there is.
std::vector<mpz_class> to_common_denominator(const std::vector<mpq_class>& values,
                                             mpz_class& denominator);

// A number of units at these decimals: exact decimal text if it terminates within 30 digits, else
// "num/den" in lowest terms.
std::string format_fraction(const mpq_class& units, int decimals);

}  // namespace lacuna::inline base
