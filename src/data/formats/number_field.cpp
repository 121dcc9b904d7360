// SPDX-License-Identifier: Apache-2.0
#include "data/formats/number_field.h"

#include <algorithm>

namespace lacuna::formats {
namespace {

constexpr std::size_t kMostDigits = 60;

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

std::size_t end_of_digits(std::string_view text, std::size_t at) {
  while (at < text.size() && is_digit(text[at]))
    ++at;
  return at;
}

// The exponent behind an e, or absent.
std::optional<int> exponent_of(std::string_view text) {
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+'))
    text.remove_prefix(1);
  if (text.empty() || text.size() > 3 || end_of_digits(text, 0) != text.size())
    return std::nullopt;
  int value = 0;
  for (const char c : text)
    value = value * 10 + (c - '0');
  return negative ? -value : value;
}

// Digits with the point behind the first `whole` of them, which may lie before or after all.
std::string with_point_at(std::string digits, std::ptrdiff_t whole) {
  if (whole <= 0) {
    digits.insert(0, static_cast<std::size_t>(1 - whole), '0');
    whole = 1;
  }
  const auto place = static_cast<std::size_t>(whole);
  if (place > digits.size())
    digits.append(place - digits.size(), '0');
  const std::size_t zeros = std::min(digits.find_first_not_of('0'), place - 1);
  digits.erase(0, zeros);
  if (place - zeros < digits.size())
    digits.insert(place - zeros, 1, '.');
  return digits;
}

}  // namespace

std::optional<std::string> plain_decimal(std::string_view text, char mark) {
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+'))
    text.remove_prefix(1);
  const std::size_t whole = end_of_digits(text, 0);
  std::string digits(text.substr(0, whole));
  std::size_t at = whole;
  if (at < text.size() && text[at] == mark) {
    const std::size_t end = end_of_digits(text, at + 1);
    digits += text.substr(at + 1, end - at - 1);
    at = end;
  }
  if (digits.empty() || digits.size() > kMostDigits)
    return std::nullopt;
  std::string out;
  if (at == text.size()) {
    out = with_point_at(std::move(digits), static_cast<std::ptrdiff_t>(whole));
  } else {
    if (text[at] != 'e' && text[at] != 'E')
      return std::nullopt;
    const std::optional<int> exponent = exponent_of(text.substr(at + 1));
    if (!exponent || *exponent > static_cast<int>(kMostDigits) ||
        *exponent < -static_cast<int>(kMostDigits))
      return std::nullopt;
    out = with_point_at(std::move(digits), static_cast<std::ptrdiff_t>(whole) + *exponent);
  }
  // An exponent may have made it too long: what is plain stays as it is when it is read again.
  const bool has_point = out.find('.') != std::string::npos;
  if (out.size() > kMostDigits + (has_point ? 1 : 0))
    return std::nullopt;
  const bool is_zero = out.find_first_not_of("0.") == std::string::npos;
  return negative && !is_zero ? "-" + out : out;
}

}  // namespace lacuna::formats
