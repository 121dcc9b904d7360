// SPDX-License-Identifier: Apache-2.0
#include "data/tabulate/number.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <string>

#include "core/base/confidential.h"
#include "core/base/decimal.h"
#include "core/base/spelling.h"

namespace lacuna::tabulation {
namespace {

constexpr std::size_t kShown = 40;
constexpr int kSafeDigits = 18;  // 10^18 is below kMaxUnits

constexpr std::array<Units, kSafeDigits + 1> powers_of_ten() {
  std::array<Units, kSafeDigits + 1> powers{};
  powers[0] = 1;
  for (std::size_t i = 1; i < powers.size(); ++i)
    powers[i] = powers[i - 1] * 10;
  return powers;
}
constexpr auto kPower = powers_of_ten();

Units power(int exponent) {
  return kPower[static_cast<std::size_t>(exponent)];
}

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

// The text with a point as decimal mark; a point that is not the mark makes it no number.
std::string with_point(std::string_view text, char mark) {
  std::string plain(text);
  if (mark != '.') {
    std::replace(plain.begin(), plain.end(), '.', '?');
    std::replace(plain.begin(), plain.end(), mark, '.');
  }
  return plain;
}

// Any text that core/base/decimal.h takes for a number, rounded to the decimals. Source: the
// schoolbook rule; only the first digit that falls away decides.
Result<Units> parse_rounded(const std::string& text, int decimals) {
  const auto exact_decimals = base::decimals_needed(text);
  if (!exact_decimals || *exact_decimals <= decimals)
    return base::parse_units(text, decimals);
  const std::size_t exponent_at = text.find_first_of("eE");
  int exponent = 0;
  if (exponent_at != std::string::npos)  // more decimals than none: the exponent has no plus sign
    std::from_chars(text.data() + exponent_at + 1 + (text[exponent_at + 1] == '+' ? 1 : 0),
                    text.data() + text.size(),
                    exponent);
  std::string digits;
  int after_point = 0;
  bool seen_point = false;
  for (const char c : std::string_view(text).substr(0, exponent_at)) {
    seen_point = seen_point || c == '.';
    if (!is_digit(c))
      continue;
    digits += c;
    after_point += seen_point ? 1 : 0;
  }
  const int cut = after_point - exponent - decimals;  // digits that fall away, at least one
  if (cut > static_cast<int>(digits.size()))
    return Units{0};
  const std::size_t kept = digits.size() - static_cast<std::size_t>(cut);
  const bool up = digits[kept] >= '5';
  LACUNA_TRY(const Units size, base::parse_units("0" + digits.substr(0, kept), 0));
  const Units rounded = size + (up ? 1 : 0);
  return text.front() == '-' ? -rounded : rounded;
}

NumberOutcome parse_slowly(std::string_view text, const NumberFormat& format, Units& number) {
  const std::string plain = with_point(text, format.mark);
  const auto parsed = format.round ? parse_rounded(plain, format.decimals)
                                   : base::parse_units(plain, format.decimals);
  if (parsed) {
    number = *parsed;
    return NumberOutcome::kDone;
  }
  const auto needed = base::decimals_needed(plain);
  return needed && *needed > format.decimals ? NumberOutcome::kMoreDecimals : NumberOutcome::kWrong;
}

}  // namespace

NumberOutcome parse_number(std::string_view text, const NumberFormat& format, Units& number) {
  const char* at = text.data();
  const char* const end = at + text.size();
  const bool negative = at != end && *at == '-';
  at += negative ? 1 : 0;
  Units mantissa = 0;
  int digits = 0;
  int after_point = 0;
  const char* const first = at;
  for (; at != end && is_digit(*at) && digits < kSafeDigits; ++at, ++digits)
    mantissa = mantissa * 10 + (*at - '0');
  if (at != first && at != end && *at == format.mark) {
    for (++at; at != end && is_digit(*at) && digits < kSafeDigits; ++at, ++digits, ++after_point)
      mantissa = mantissa * 10 + (*at - '0');
  }
  const int shift = format.decimals - after_point;
  if (at != end || digits == 0 || digits + std::max(shift, 0) > kSafeDigits)
    return parse_slowly(text, format, number);
  if (shift >= 0) {
    mantissa *= power(shift);
  } else {
    const Units unit = power(-shift);
    const Units rest = mantissa % unit;
    if (rest != 0 && !format.round)
      return NumberOutcome::kMoreDecimals;
    mantissa = mantissa / unit + (rest >= unit - rest && rest != 0 ? 1 : 0);
  }
  number = negative ? -mantissa : mantissa;
  return NumberOutcome::kDone;
}

bool is_number(std::string_view text, const NumberFormat& format) {
  const bool stray_point = format.mark != '.' && text.find('.') != std::string_view::npos;
  return !stray_point && static_cast<bool>(base::decimals_needed(with_point(text, format.mark)));
}

Error number_error(std::string_view text, const NumberFormat& format) {
  const auto parsed = base::parse_units(with_point(text, format.mark), format.decimals);
  const bool stray_point = format.mark != '.' && text.find('.') != std::string_view::npos;
  if (parsed || stray_point) {
    return {ErrorCode::kBadNumber,
            base::confidential("'" + std::string(text.substr(0, kShown)) + "'") +
                " is not a number with this decimal mark",
            ""};
  }
  Error error = parsed.error();
  const auto needed = base::decimals_needed(with_point(text, format.mark));
  if (needed && *needed > format.decimals)
    error.message += "; allow more, or say " + base::named_setting("[input]", "round", "true");
  else if (needed && (*needed > 0 || format.decimals > 0))
    error.message += ", or say " + base::named_setting("decimals", "<number>") + " and " +
                     base::named_setting("[input]", "round", "true");
  return error;
}

int number_decimals(std::string_view text, const NumberFormat& format) {
  const auto needed = base::decimals_needed(with_point(text, format.mark));
  return needed ? *needed : format.decimals;
}

}  // namespace lacuna::tabulation
