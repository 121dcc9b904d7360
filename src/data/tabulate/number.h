// SPDX-License-Identifier: Apache-2.0
// Numbers of records as exact integers: a fast path for plain digits, core/base/decimal.h for the
// rest.
#pragma once

#include <string_view>

#include "lacuna/result.h"
#include "lacuna/units.h"

namespace lacuna::tabulation {

struct NumberFormat {
  int decimals = 0;    // the number is wanted as a multiple of 10^-decimals
  char mark = '.';     // the decimal mark
  bool round = false;  // half away from zero where there are more digits
};

enum class NumberOutcome { kDone, kMoreDecimals, kWrong };

// kMoreDecimals: a number that needs more decimals than the format has, and may not be rounded.
NumberOutcome parse_number(std::string_view text, const NumberFormat& format, Units& number);

// Whether the text is a number at all, however large and with however many decimals.
bool is_number(std::string_view text, const NumberFormat& format);
// What is wrong with a text that was not kDone.
Error number_error(std::string_view text, const NumberFormat& format);
// The decimals that a kMoreDecimals text needs.
int number_decimals(std::string_view text, const NumberFormat& format);

}  // namespace lacuna::tabulation
