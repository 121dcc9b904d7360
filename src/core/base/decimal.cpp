// SPDX-License-Identifier: Apache-2.0
// Decimal text <-> exact integers. A number sign digits[.digits][e exponent] is read as an integer
// mantissa times a power of ten, in 128 bits, so that nothing is ever rounded.
#include "core/base/decimal.h"

#include <charconv>
#include <cmath>

#include "core/base/check.h"
#include "core/base/confidential.h"
#include "core/base/rational.h"
#include "lacuna/decimal.h"

namespace lacuna::base {
namespace {

constexpr Wide kMantissaLimit = Wide{1} << 120;
constexpr int kMaxExponent = 400;

struct ParsedNumber {
  Wide mantissa = 0;  // with sign, trailing zeros removed
  int exponent = 0;   // value = mantissa * 10^exponent
  bool too_long = false;
};

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

Error not_a_number(std::string_view text) {
  constexpr std::size_t kShown = 40;
  std::string shown(text.substr(0, kShown));
  for (char& c : shown) {
    if (static_cast<unsigned char>(c) < 0x20)
      c = '?';
  }
  return {ErrorCode::kBadNumber, confidential("'" + shown + "'") + " is not a number", ""};
}

void append_digit(ParsedNumber& number, char c, bool after_point) {
  if (number.mantissa >= kMantissaLimit) {
    number.too_long = true;
    return;
  }
  number.mantissa = number.mantissa * 10 + (c - '0');
  if (after_point)
    --number.exponent;
}

Result<ParsedNumber> parse_number(std::string_view text) {
  ParsedNumber number;
  std::size_t i = 0;
  const bool negative = !text.empty() && text[0] == '-';
  if (!text.empty() && (text[0] == '-' || text[0] == '+'))
    ++i;
  bool any_digit = false;
  for (; i < text.size() && is_digit(text[i]); ++i) {
    append_digit(number, text[i], false);
    any_digit = true;
  }
  if (i < text.size() && text[i] == '.') {
    for (++i; i < text.size() && is_digit(text[i]); ++i) {
      append_digit(number, text[i], true);
      any_digit = true;
    }
  }
  if (!any_digit)
    return not_a_number(text);
  if (i < text.size() && (text[i] == 'e' || text[i] == 'E')) {
    ++i;
    if (i + 1 < text.size() && text[i] == '+' && is_digit(text[i + 1]))
      ++i;
    int exponent = 0;
    const auto [end, problem] =
        std::from_chars(text.data() + i, text.data() + text.size(), exponent);
    if (problem == std::errc::invalid_argument)
      return not_a_number(text);
    if (problem != std::errc() || exponent > kMaxExponent || exponent < -kMaxExponent) {
      number.too_long = true;
    } else {
      number.exponent += exponent;
    }
    i = static_cast<std::size_t>(end - text.data());
  }
  if (i != text.size())
    return not_a_number(text);
  if (number.mantissa == 0)
    return ParsedNumber{};
  while (number.mantissa % 10 == 0) {
    number.mantissa /= 10;
    ++number.exponent;
  }
  if (negative)
    number.mantissa = -number.mantissa;
  return number;
}

Error too_large(std::string_view text, int decimals) {
  return {ErrorCode::kNumberTooLarge,
          "the number " + confidential(text.substr(0, 60)) + " does not fit 63 bits with " +
              std::to_string(decimals) + " decimals; use fewer decimals or a larger unit",
          ""};
}

}  // namespace

Result<int> decimals_needed(std::string_view text) {
  LACUNA_TRY(const ParsedNumber number, parse_number(text));
  if (number.too_long)
    return too_large(text, 0);
  return number.exponent < 0 ? -number.exponent : 0;
}

Result<Units> parse_units(std::string_view text, int decimals) {
  LACUNA_TRY(const ParsedNumber number, parse_number(text));
  if (number.too_long)
    return too_large(text, decimals);
  const int shift = number.exponent + decimals;
  if (shift < 0) {
    return Error{ErrorCode::kBadNumber,
                 "the number " + confidential(text.substr(0, 60)) + " has more than " +
                     std::to_string(decimals) + " decimals",
                 ""};
  }
  Wide value = number.mantissa;
  for (int i = 0; i < shift; ++i) {
    value *= 10;
    if (value > kMaxUnits || value < -kMaxUnits)
      return too_large(text, decimals);
  }
  if (value > kMaxUnits || value < -kMaxUnits)
    return too_large(text, decimals);
  return static_cast<Units>(value);
}

std::string format_wide(Wide value) {
  if (value == 0)
    return "0";
  const bool negative = value < 0;
  std::string digits;
  while (value != 0) {
    const int digit = static_cast<int>(value % 10);
    digits.push_back(static_cast<char>('0' + (digit < 0 ? -digit : digit)));
    value /= 10;
  }
  if (negative)
    digits.push_back('-');
  return {digits.rbegin(), digits.rend()};
}

namespace {
// digits of an integer with the point moved `decimals` to the left, trailing zeros dropped
std::string place_point(Wide value, int decimals) {
  std::string text = format_wide(value < 0 ? -value : value);
  if (decimals > 0) {
    const auto places = static_cast<std::size_t>(decimals);
    if (text.size() <= places)
      text.insert(0, places + 1 - text.size(), '0');
    text.insert(text.size() - places, 1, '.');
    while (text.back() == '0')
      text.pop_back();
    if (text.back() == '.')
      text.pop_back();
  }
  return value < 0 ? "-" + text : text;
}

}  // namespace

std::string format_units(Units value, int decimals) {
  if (value == kUnboundedBelow)
    return "-inf";
  if (value == kUnboundedAbove)
    return "inf";
  return place_point(value, decimals);
}

std::string format_fraction(Wide numerator, Wide denominator, int decimals) {
  return format_fraction(make_fraction(to_integer(numerator), to_integer(denominator)), decimals);
}

double units_to_double(Units value, int decimals) {
  if (value == kUnboundedBelow)
    return -std::numeric_limits<double>::infinity();
  if (value == kUnboundedAbove)
    return std::numeric_limits<double>::infinity();
  return static_cast<double>(value) / std::pow(10.0, decimals);
}

std::string format_double(double value) {
  constexpr double kExactIntegers = 9007199254740992.0;  // 2^53
  char buffer[64];
  if (std::abs(value) < kExactIntegers && value == std::floor(value)) {
    const auto result =
        std::to_chars(buffer, buffer + sizeof buffer, static_cast<std::int64_t>(value));
    return {buffer, result.ptr};
  }
  const auto result = std::to_chars(buffer, buffer + sizeof buffer, value);
  return {buffer, result.ptr};
}

Result<double> parse_double(std::string_view text) {
  double value = 0;
  const char* begin = text.data();
  if (text.size() > 1 && text[0] == '+' && text[1] != '-')
    ++begin;
  const auto [end, problem] = std::from_chars(begin, text.data() + text.size(), value);
  if (problem != std::errc() || end != text.data() + text.size() || !std::isfinite(value)) {
    return not_a_number(text);
  }
  return value;
}

}  // namespace lacuna::base

namespace lacuna {

Decimal::Decimal(Units digits, int places) : digits_(digits), places_(digits == 0 ? 0 : places) {
  LACUNA_CHECK(digits >= -kMaxUnits && digits <= kMaxUnits && places >= 0);
  while (places_ > 0 && digits_ % 10 == 0) {
    digits_ /= 10;
    --places_;
  }
}

Result<Decimal> Decimal::parse(std::string_view text) {
  LACUNA_TRY(const int places, base::decimals_needed(text));
  LACUNA_TRY(const Units digits, base::parse_units(text, places));
  return Decimal(digits, places);
}

std::string Decimal::text() const {
  return base::format_units(digits_, places_);
}

std::strong_ordering Decimal::operator<=>(const Decimal& other) const {
  return cmp(base::fraction_of(*this), base::fraction_of(other)) <=> 0;
}

}  // namespace lacuna
