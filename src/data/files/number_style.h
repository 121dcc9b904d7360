// SPDX-License-Identifier: Apache-2.0
// Numbers as offices write them, "1 234,50" or "1.234.567", as the plain text that all readers
// understand: digits, a point, digits.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lacuna::files {

struct NumberStyle {
  char decimal_mark = '.';
  std::string thousands;  // "" (none), ",", ".", "'", or " " for blanks of any kind

  bool is_plain() const { return decimal_mark == '.' && thousands.empty(); }
  bool operator==(const NumberStyle&) const = default;
};

// Nothing if the text is not a number in this style. Groups after a thousands separator have three
// digits each.
std::optional<std::string> plain_number(std::string_view text, const NumberStyle& style);

// The same in whichever style has this decimal mark.
std::optional<std::string> number_with_mark(std::string_view text, char decimal_mark);

// The styles in which all texts are numbers, the plainest first. More than one: the texts alone do
// not tell what "1.234" means.
std::vector<NumberStyle> possible_styles(std::span<const std::string_view> texts);

// What else the text may be, for a message: the style in which it is a number.
std::optional<NumberStyle> style_of(std::string_view text);

}  // namespace lacuna::files
