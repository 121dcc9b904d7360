// SPDX-License-Identifier: Apache-2.0
#include "data/files/number_style.h"

#include <algorithm>
#include <array>

namespace lacuna::files {
namespace {

// Blanks that stand between groups of digits: plain, no-break, narrow no-break, thin.
constexpr std::array<std::string_view, 4> kBlanks{" ", "\xC2\xA0", "\xE2\x80\xAF", "\xE2\x80\x89"};
constexpr std::size_t kGroup = 3;

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

std::size_t separator_length(std::string_view text, const std::string& thousands) {
  if (thousands.empty())
    return 0;
  if (thousands != " ")
    return text.starts_with(thousands) ? thousands.size() : 0;
  for (const std::string_view blank : kBlanks) {
    if (text.starts_with(blank))
      return blank.size();
  }
  return 0;
}

std::size_t digits_at(std::string_view text) {
  std::size_t count = 0;
  while (count < text.size() && is_digit(text[count]))
    ++count;
  return count;
}

// The whole part without separators; what is left of the text stays in `text`.
bool take_full_part(std::string_view& text, const std::string& thousands, std::string& out) {
  std::size_t digits = digits_at(text);
  out += text.substr(0, digits);
  text.remove_prefix(digits);
  if (digits == 0 || digits > kGroup)
    return true;  // no groups: whatever follows is not a separator
  while (const std::size_t length = separator_length(text, thousands)) {
    digits = digits_at(text.substr(length));
    if (digits != kGroup)
      return false;
    out += text.substr(length, digits);
    text.remove_prefix(length + digits);
  }
  return true;
}

bool take_exponent(std::string_view text, std::string& out) {
  if (text.empty())
    return true;
  if (text[0] != 'e' && text[0] != 'E')
    return false;
  std::size_t at = 1;
  if (at < text.size() && (text[at] == '+' || text[at] == '-'))
    ++at;
  const std::size_t digits = digits_at(text.substr(at));
  out += text;
  return digits > 0 && at + digits == text.size();
}

const std::array<NumberStyle, 8>& all_styles() {
  static const std::array<NumberStyle, 8> styles{{{'.', ""},
                                                  {',', ""},
                                                  {'.', ","},
                                                  {',', "."},
                                                  {'.', " "},
                                                  {',', " "},
                                                  {'.', "'"},
                                                  {',', "'"}}};
  return styles;
}

}  // namespace

std::optional<std::string> plain_number(std::string_view text, const NumberStyle& style) {
  std::string out;
  constexpr std::string_view kMinus = "\xE2\x88\x92";  // as typeset
  if (text.starts_with(kMinus)) {
    out = "-";
    text.remove_prefix(kMinus.size());
  } else if (!text.empty() && (text[0] == '-' || text[0] == '+')) {
    out = text[0] == '-' ? "-" : "";
    text.remove_prefix(1);
  }
  const std::size_t before = out.size();
  if (!take_full_part(text, style.thousands, out))
    return std::nullopt;
  bool any = out.size() > before;
  if (!text.empty() && text[0] == style.decimal_mark) {
    text.remove_prefix(1);
    const std::size_t digits = digits_at(text);
    out += "." + std::string(text.substr(0, digits));
    text.remove_prefix(digits);
    any = any || digits > 0;
  }
  if (!any || !take_exponent(text, out))
    return std::nullopt;
  return out;
}

std::optional<std::string> number_with_mark(std::string_view text, char decimal_mark) {
  for (const NumberStyle& style : all_styles()) {
    if (style.decimal_mark != decimal_mark)
      continue;
    if (auto plain = plain_number(text, style))
      return plain;
  }
  return std::nullopt;
}

std::vector<NumberStyle> possible_styles(std::span<const std::string_view> texts) {
  const auto fits = [&](const NumberStyle& style) {
    return std::all_of(texts.begin(), texts.end(), [&](std::string_view text) {
      return plain_number(text, style).has_value();
    });
  };
  // A style with marks that no text has says nothing new.
  const auto used = [&](const std::string& mark) {
    return std::any_of(texts.begin(), texts.end(), [&](std::string_view text) {
      if (mark != " ")
        return text.find(mark) != std::string_view::npos;
      return std::any_of(kBlanks.begin(), kBlanks.end(), [&](std::string_view blank) {
        return text.find(blank) != std::string_view::npos;
      });
    });
  };
  std::vector<NumberStyle> found;
  for (const NumberStyle& style : all_styles()) {
    const bool idle_mark = style.decimal_mark == ',' && !used(",");
    const bool idle_thousands = !style.thousands.empty() && !used(style.thousands);
    if (fits(style) && !idle_thousands && (!idle_mark || style.thousands == "."))
      found.push_back(style);
  }
  return found;
}

std::optional<NumberStyle> style_of(std::string_view text) {
  for (const NumberStyle& style : all_styles()) {
    if (plain_number(text, style))
      return style;
  }
  return std::nullopt;
}

}  // namespace lacuna::files
