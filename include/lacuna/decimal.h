// SPDX-License-Identifier: Apache-2.0
// A number exactly as a user wrote it: digits * 10^-places. Percentages, levels and bounds decide
// which cells are sensitive, so none of them passes through binary floating point: 0.1 is a tenth.
#pragma once

#include <compare>
#include <concepts>
#include <string>
#include <string_view>

#include "lacuna/export.h"
#include "lacuna/result.h"
#include "lacuna/units.h"

namespace LACUNA_API lacuna {

class Decimal {
 public:
  Decimal() = default;  // 0
  // A double is not accepted: it is rarely the number that was written.
  template <std::signed_integral Whole>
  Decimal(Whole whole) : Decimal(whole, 0) {}
  // Decimal(125, 1) is 12.5. At most kMaxUnits in absolute value, and places >= 0.
  Decimal(Units digits, int places);
  // Sign, digits, point and exponent: "12.5", "-3", "1e-3". Errors: no number; more digits than a
  // number of a table may have.
  static Result<Decimal> parse(std::string_view text);

  Units digits() const { return digits_; }  // without zeros at the end, if there are places
  int places() const { return places_; }    // as few as can be
  bool is_integer() const { return places_ == 0; }
  // One text for each number, and no exponent: "12.5" for "+12.50"; parse() reads it back.
  std::string text() const;

  bool operator==(const Decimal&) const = default;
  std::strong_ordering operator<=>(const Decimal& other) const;  // exact

 private:
  Units digits_ = 0;
  int places_ = 0;
};

}  // namespace lacuna
