// SPDX-License-Identifier: Apache-2.0
#include "data/formats/xml_books/leftover_numbers.h"

#include <algorithm>
#include <array>

#include "data/formats/sheet_cells.h"

namespace lacuna::formats {
namespace {

using namespace std::string_view_literals;

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

std::size_t significant_digits(std::string_view number) {
  std::string digits;
  std::copy_if(number.begin(), number.end(), std::back_inserter(digits), is_digit);
  const std::size_t first = digits.find_first_not_of('0');
  return first == std::string::npos ? 0 : digits.find_last_not_of('0') - first + 1;
}

std::string_view without_sign(std::string_view number) {
  return number.starts_with('-') ? number.substr(1) : number;
}

std::size_t digits_at(std::string_view text, std::size_t at) {
  const std::size_t begin = at;
  while (at < text.size() && is_digit(text[at]))
    ++at;
  return at - begin;
}

// Of 1,234,567 at its beginning: the digits alone, and how long it is. Nothing if it is not
// grouped.
std::pair<std::string, std::size_t> grouped(std::string_view text) {
  constexpr std::array kMarks{
      ","sv, "."sv, " "sv, "'"sv, "\xC2\xA0"sv, "\xE2\x80\xAF"sv, "\xE2\x80\x89"sv};
  const std::size_t head = digits_at(text, 0);
  if (head > 3)
    return {};
  for (const std::string_view mark : kMarks) {
    std::string digits(text.substr(0, head));
    std::size_t at = head;
    while (text.substr(at).starts_with(mark) && digits_at(text, at + mark.size()) == 3) {
      digits += text.substr(at + mark.size(), 3);
      at += mark.size() + 3;
    }
    if (digits.size() > head)
      return {digits, at};
  }
  return {};
}

}  // namespace

void LeftoverNumbers::add(std::string_view number) {
  constexpr std::size_t kTelling = 5;
  const std::string plain = plain_number_text(number);
  if (significant_digits(plain) >= kTelling)
    numbers_.emplace(without_sign(plain));
}

bool LeftoverNumbers::has(std::string_view number) const {
  return numbers_.contains(without_sign(number));
}

std::optional<std::string> LeftoverNumbers::find_in(std::string_view text) const {
  if (numbers_.empty())
    return std::nullopt;
  for (std::size_t at = 0; at < text.size();) {
    const bool begins =
        is_digit(text[at]) && (at == 0 || (!is_letter(text[at - 1]) && text[at - 1] != '.'));
    if (!begins) {
      at += is_digit(text[at]) ? digits_at(text, at) : 1;
      continue;
    }
    std::size_t length = digits_at(text, at);
    const std::size_t whole = length;
    if (at + length < text.size() && text[at + length] == '.' &&
        digits_at(text, at + length + 1) > 0)
      length += 1 + digits_at(text, at + length + 1);
    const auto [digits, size] = grouped(text.substr(at));
    if (has(plain_number_text(text.substr(at, length))) || has(text.substr(at, whole)))
      return std::string(text.substr(at, length));
    if (!digits.empty() && has(digits))
      return std::string(text.substr(at, size));
    at += whole;
  }
  return std::nullopt;
}

}  // namespace lacuna::formats
