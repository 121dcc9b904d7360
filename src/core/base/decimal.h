// SPDX-License-Identifier: Apache-2.0
// Decimal text to exact Units and back, without floating point and without the locale.
#pragma once

#include <string>
#include <string_view>

#include "lacuna/result.h"
#include "lacuna/units.h"

namespace lacuna::base {

// Digits after the point that the text needs ("1.250" needs 2, "3e2" needs 0). Errors: not a
// number, NaN, infinity.
Result<int> decimals_needed(std::string_view text);

// The number as a multiple of 10^-decimals. Accepts an optional sign, digits, a point, and an
// exponent. Errors: not a number, NaN, infinity, more decimals than given, too large for 63 bits
// at these decimals (the message names the remedy).
Result<Units> parse_units(std::string_view text, int decimals);

// Shortest exact text ("1.25", "-0.5", "300"); never an exponent.
std::string format_units(Units value, int decimals);
std::string format_wide(Wide value);

// units/denominator at these decimals: exact decimal text if it terminates within 30 digits,
// else "num/den" in lowest terms.
std::string format_fraction(Wide numerator, Wide denominator, int decimals);

// As double, for LPs and reports only.
double units_to_double(Units value, int decimals);

// An integer or decimal double, written with the fewest digits that read back to the same double.
std::string format_double(double value);
Result<double> parse_double(std::string_view text);  // finite numbers only

}  // namespace lacuna::base
