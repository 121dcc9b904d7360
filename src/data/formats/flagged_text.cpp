// SPDX-License-Identifier: Apache-2.0
// Numbers with a flag behind or before them, taken apart and put together again (agency_signs.h).
#include <array>
#include <optional>

#include "data/formats/agency_signs.h"

namespace lacuna::formats {
namespace {

constexpr std::array<std::string_view, 4> kBlanks{" ", "\t", "\xC2\xA0", "\xE2\x80\xAF"};
// Signs that stand in the place of a number and may have a flag themselves.
constexpr std::array<std::string_view, 7> kSignParts{
    ":", ".", "-", "\xE2\x80\x93", "\xE2\x80\x94", "\xE2\x80\xA6", "_"};
// Marks of footnotes, and what Eurostat has before a flag of confidentiality: dagger, double
// dagger, section, superscripts 1, 2, 3.
constexpr std::array<std::string_view, 12> kMarks{"*",
                                                  "@",
                                                  "#",
                                                  "^",
                                                  "~",
                                                  "!",
                                                  "\xE2\x80\xA0",
                                                  "\xE2\x80\xA1",
                                                  "\xC2\xA7",
                                                  "\xC2\xB9",
                                                  "\xC2\xB2",
                                                  "\xC2\xB3"};
constexpr std::string_view kMinus = "\xE2\x88\x92";  // U+2212
constexpr std::size_t kLongestFlag = 4;

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

std::size_t blank_at(std::string_view text, std::size_t at) {
  for (const std::string_view blank : kBlanks) {
    if (text.substr(at).starts_with(blank))
      return blank.size();
  }
  return 0;
}

std::size_t skip_blanks(std::string_view text, std::size_t at) {
  while (const std::size_t size = blank_at(text, at))
    at += size;
  return at;
}

std::string_view without_blanks(std::string_view text) {
  text.remove_prefix(skip_blanks(text, 0));
  for (bool changed = true; changed;) {
    changed = false;
    for (const std::string_view blank : kBlanks) {
      if (text.ends_with(blank)) {
        text.remove_suffix(blank.size());
        changed = true;
      }
    }
  }
  return text;
}

template <std::size_t N>
std::size_t one_of(const std::array<std::string_view, N>& parts, std::string_view text) {
  for (const std::string_view part : parts) {
    if (text.starts_with(part))
      return part.size();
  }
  return 0;
}

struct Flag {
  std::string text;
  char bracket = '\0';
};

// "(p)", "[r][e]".
std::optional<Flag> bracketed_flag(std::string_view text) {
  Flag flag{"", text.front()};
  const char close = flag.bracket == '(' ? ')' : ']';
  while (!text.empty()) {
    const std::size_t end = text.find(close);
    if (text.front() != flag.bracket || end == std::string_view::npos || end == 1)
      return std::nullopt;
    const std::string_view inside = text.substr(1, end - 1);
    for (const char c : inside) {
      if (!is_letter(c) && c != '*')
        return std::nullopt;  // "(123)" and "(see note)" are no flags
    }
    flag.text += (flag.text.empty() ? "" : " ") + std::string(inside);
    text.remove_prefix(end + 1);
    text.remove_prefix(skip_blanks(text, 0));
  }
  return flag;
}

// Letters, "b p", or marks of footnotes; a text that can be nothing else.
std::optional<Flag> flag_of(std::string_view text) {
  if (text.empty())
    return std::nullopt;
  if (text.front() == '(' || text.front() == '[')
    return bracketed_flag(text);
  std::size_t characters = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t mark = one_of(kMarks, text.substr(at));
    if (!is_letter(text[at]) && mark == 0 && text[at] != ' ')
      return std::nullopt;
    at += mark == 0 ? 1 : mark;
    characters += text[at - 1] == ' ' ? 0U : 1U;
  }
  if (characters > kLongestFlag)
    return std::nullopt;
  return Flag{std::string(text)};
}

// Behind digits, separators with a digit behind them, and an exponent.
std::size_t end_of_number(std::string_view text, std::size_t at) {
  while (at < text.size()) {
    if (is_digit(text[at])) {
      ++at;
      continue;
    }
    const bool mark = text[at] == '.' || text[at] == ',' || text[at] == '\'';
    const std::size_t blank = blank_at(text, at);
    const std::size_t next = at + (mark ? 1 : blank);
    if (next > at && next < text.size() && is_digit(text[next])) {
      at = next;
      continue;
    }
    if (text[at] != 'e' && text[at] != 'E')
      break;
    const bool has_sign = at + 1 < text.size() && (text[at + 1] == '+' || text[at + 1] == '-');
    const std::size_t digits = at + (has_sign ? 2 : 1);
    if (digits >= text.size() || !is_digit(text[digits]))
      break;
    at = digits;
  }
  return at;
}

// The sign and the point of a number that begins with this digit.
std::size_t begin_of_number(std::string_view text, std::size_t digit) {
  std::size_t begin = digit;
  if (begin > 0 && (text[begin - 1] == '.' || text[begin - 1] == ','))
    --begin;
  if (begin > 0 && (text[begin - 1] == '-' || text[begin - 1] == '+'))
    return begin - 1;
  return text.substr(0, begin).ends_with(kMinus) ? begin - kMinus.size() : begin;
}

std::optional<FlaggedText> number_and_flag(std::string_view text, std::size_t digit) {
  const std::size_t begin = begin_of_number(text, digit);
  const std::size_t end = end_of_number(text, digit);
  FlaggedText out;
  out.number = text.substr(begin, end - begin);
  if (begin == 0) {
    const std::size_t behind = skip_blanks(text, end);
    const std::optional<Flag> flag = flag_of(text.substr(behind));
    if (!flag)
      return std::nullopt;
    out.between = text.substr(end, behind - end);
    out.flag = flag->text;
    out.bracket = flag->bracket;
  } else {
    const std::string_view before = without_blanks(text.substr(0, begin));
    const std::optional<Flag> flag = flag_of(before);
    const bool apart = before.size() < begin || (flag && flag->bracket != '\0');
    if (!flag || !apart || end != text.size())
      return std::nullopt;
    out.between = text.substr(before.size(), begin - before.size());
    out.flag = flag->text;
    out.bracket = flag->bracket;
    out.before = true;
  }
  out.bracketed = out.bracket != '\0';
  return out;
}

std::optional<FlaggedText> sign_and_flag(std::string_view text) {
  std::size_t end = 0;
  while (const std::size_t size = end < text.size() ? one_of(kSignParts, text.substr(end)) : 0)
    end += size;
  const std::size_t behind = skip_blanks(text, end);
  const std::optional<Flag> flag = end == 0 ? std::nullopt : flag_of(text.substr(behind));
  if (!flag)
    return std::nullopt;
  FlaggedText out;
  out.number = text.substr(0, end);
  out.between = text.substr(end, behind - end);
  out.flag = flag->text;
  out.bracket = flag->bracket;
  out.bracketed = out.bracket != '\0';
  return out;
}

}  // namespace

FlaggedText split_flag(std::string_view text) {
  text = without_blanks(text);
  const std::size_t digit = text.find_first_of("0123456789");
  std::optional<FlaggedText> split;
  if (digit == std::string_view::npos)
    split = sign_and_flag(text);
  else if (end_of_number(text, digit) < text.size() || begin_of_number(text, digit) > 0)
    split = number_and_flag(text, digit);
  if (split)
    return *split;
  FlaggedText whole;
  whole.number = text;
  return whole;
}

std::string join_flag(const FlaggedText& flagged, std::string_view number) {
  std::string flag = flagged.flag;
  if (flagged.bracketed) {
    const std::string open(1, flagged.bracket);
    const std::string close = flagged.bracket == '(' ? ")" : "]";
    flag = open;
    for (const char c : flagged.flag)
      flag += c == ' ' ? close + open : std::string(1, c);
    flag += close;
  }
  if (flagged.flag.empty())
    return std::string(number);
  return flagged.before ? flag + flagged.between + std::string(number)
                        : std::string(number) + flagged.between + flag;
}

}  // namespace lacuna::formats
