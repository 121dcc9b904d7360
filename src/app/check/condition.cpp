// SPDX-License-Identifier: Apache-2.0
#include "app/check/condition.h"

#include <algorithm>
#include <array>
#include <utility>

#include "core/base/exact.h"
#include "core/base/quotes.h"
#include "core/base/rational.h"
#include "core/base/text.h"

namespace lacuna::checking {
namespace {

std::optional<Fraction> number_of(std::string_view text) {
  text = base::trimmed(text);
  if (text.empty() || text.find_first_not_of("0123456789.-+") != std::string_view::npos)
    return std::nullopt;
  const auto read = base::parse_fraction(text);
  if (!read)
    return std::nullopt;
  return Fraction(*read);
}

std::string without(std::string_view text, std::string_view part) {
  std::string result(text);
  for (std::size_t at = result.find(part); at != std::string::npos; at = result.find(part, at))
    result.erase(at, part.size());
  return result;
}

// "(30, 45]" as programs print the classes that they cut.
std::optional<NumberRange> cut_range(std::string_view text) {
  if (text.size() < 5 || (text.front() != '[' && text.front() != '(') ||
      (text.back() != ']' && text.back() != ')'))
    return std::nullopt;
  const std::size_t comma = text.find(',');
  if (comma == std::string_view::npos)
    return std::nullopt;
  NumberRange range;
  range.low = number_of(text.substr(1, comma - 1));
  range.high = number_of(text.substr(comma + 1, text.size() - comma - 2));
  range.low_within = text.front() == '[';
  range.high_within = text.back() == ']';
  const bool open_low = base::trimmed(text.substr(1, comma - 1)) == "-inf";
  const bool open_high = base::trimmed(text.substr(comma + 1, text.size() - comma - 2)) == "inf";
  if ((!range.low && !open_low) || (!range.high && !open_high) || (open_low && open_high))
    return std::nullopt;
  return range;
}

struct Comparison {
  std::string_view sign;
  bool is_below, is_within;
};
constexpr std::array<Comparison, 4> kComparisons{
    {{">=", false, true}, {"<=", true, true}, {">", false, false}, {"<", true, false}}};

std::optional<NumberRange> compared_range(std::string_view text) {
  for (const Comparison& each : kComparisons) {
    if (!text.starts_with(each.sign))
      continue;
    const auto number = number_of(text.substr(each.sign.size()));
    if (!number)
      return std::nullopt;
    NumberRange range;
    (each.is_below ? range.high : range.low) = number;
    (each.is_below ? range.high_within : range.low_within) = each.is_within;
    return range;
  }
  return std::nullopt;
}

// "18-29", "18 to 29", "65+", "65 and over", "under 18", ">=65".
std::optional<NumberRange> range_of_code(std::string_view given) {
  const std::string lower = base::lower_case(base::trimmed(given));
  std::string text = without(without(lower, "years"), "\xE2\x80\x93").size() == lower.size()
                         ? lower
                         : without(lower, "years");
  if (const std::size_t dash = text.find("\xE2\x80\x93"); dash != std::string::npos)
    text.replace(dash, 3, "-");
  text = std::string(base::trimmed(text));
  if (auto range = cut_range(text))
    return range;
  if (auto range = compared_range(text))
    return range;
  for (const std::string_view end : {"+", "and over", "and older", "or more", "or older"}) {
    if (!text.ends_with(end))
      continue;
    if (const auto low = number_of(text.substr(0, text.size() - end.size())))
      return NumberRange{low, std::nullopt, true, true};
  }
  for (const std::string_view start : {"under ", "below "}) {
    if (!text.starts_with(start))
      continue;
    if (const auto high = number_of(text.substr(start.size())))
      return NumberRange{std::nullopt, high, true, false};
  }
  for (const std::string_view between : {" to ", "-"}) {
    const std::size_t at = text.find(between, 1);
    if (at == std::string::npos)
      continue;
    const auto low = number_of(text.substr(0, at));
    const auto high = number_of(text.substr(at + between.size()));
    if (low && high && *low < *high)
      return NumberRange{low, high, true, true};
  }
  return std::nullopt;
}

// ---- ranges

bool within_low(const NumberRange& inner, const NumberRange& outer) {
  if (!outer.low)
    return true;
  if (!inner.low)
    return false;
  return *outer.low < *inner.low ||
         (*outer.low == *inner.low && (outer.low_within || !inner.low_within));
}

bool within_high(const NumberRange& inner, const NumberRange& outer) {
  if (!outer.high)
    return true;
  if (!inner.high)
    return false;
  return *inner.high < *outer.high ||
         (*outer.high == *inner.high && (outer.high_within || !inner.high_within));
}

bool ends_before(const NumberRange& one, const NumberRange& other) {
  if (!one.high || !other.low)
    return false;
  return *one.high < *other.low ||
         (*one.high == *other.low && !(one.high_within && other.low_within));
}

std::optional<NumberRange> numbers_of(const Condition& condition) {
  if (condition.range || condition.is_not)
    return condition.range;
  const auto number = number_of(condition.code);
  return number ? std::optional(NumberRange{number, number, true, true}) : std::nullopt;
}

// ---- filters

Result<Condition> condition_of_part(std::string_view part, const std::string& where) {
  Condition condition;
  for (const std::string_view sign : {"!=", ">=", "<=", "==", "=", ">", "<"}) {
    const std::size_t at = part.find(sign);
    if (at == std::string_view::npos || at == 0)
      continue;
    const std::string name(base::trimmed(part.substr(0, at)));
    std::string value(base::trimmed(part.substr(at + sign.size())));
    if (value.size() > 1 && (value.front() == '\'' || value.front() == '"') &&
        value.back() == value.front())
      value = value.substr(1, value.size() - 2);
    if (value.empty())
      return Error{ErrorCode::kJobValue,
                   "the comparison " + base::in_quotes(part) + " has nothing behind its sign",
                   where};
    condition.variable = compared(name);
    condition.code = compared(value);
    condition.is_not = sign == "!=";
    const bool is_equal = sign == "=" || sign == "==";
    condition.text = name + std::string(is_equal ? "=" : sign) + value;
    if (!is_equal && !condition.is_not) {
      condition.range = compared_range(std::string(sign) + value);
      condition.code.clear();
      if (!condition.range)
        return Error{ErrorCode::kJobValue,
                     base::in_quotes(value) + " must be a number, because it stands behind " +
                         std::string(sign),
                     where};
    }
    return condition;
  }
  condition.variable = "\x01" + compared(part);
  condition.code = "yes";
  condition.text = std::string(base::trimmed(part));
  return condition;
}

std::vector<std::string> parts_of(const std::string& text) {
  std::vector<std::string> parts(1);
  const std::string lower = base::lower_case(text);
  for (std::size_t i = 0; i < text.size();) {
    const std::string_view rest = std::string_view(lower).substr(i);
    const std::size_t length = rest.starts_with(" and ") ? 5
                               : rest.starts_with("&&")  ? 2
                               : rest.starts_with("&")   ? 1
                               : rest.starts_with(";")   ? 1
                                                         : 0;
    if (length > 0) {
      parts.emplace_back();
      i += length;
    } else {
      parts.back() += text[i++];
    }
  }
  return parts;
}

}  // namespace

std::string compared(std::string_view text) {
  std::string result = base::lower_case(base::trimmed(text));
  const std::size_t point = result.find('.');
  if (point != std::string::npos && point > 0 && result.find_first_not_of("0123456789") == point &&
      result.find_first_not_of('0', point + 1) == std::string::npos)
    result.resize(point);
  return result;
}

Condition condition_of_code(const std::string& variable,
                            const std::string& shown,
                            const std::string& code) {
  Condition condition;
  condition.variable = variable;
  condition.code = compared(code);
  condition.text = shown + "=" + code;
  condition.range = range_of_code(code);
  condition.from_code = condition.range.has_value();
  return condition;
}

Result<std::vector<Condition>> conditions_of(const std::string& text, const std::string& where) {
  std::vector<Condition> conditions;
  const std::string all = compared(text);
  if (all.empty() || all == "all")
    return conditions;
  for (const std::string& part : parts_of(text)) {
    if (base::trimmed(part).empty())
      continue;
    LACUNA_TRY(Condition condition, condition_of_part(base::trimmed(part), where));
    condition.stated = true;
    conditions.push_back(std::move(condition));
  }
  return conditions;
}

bool same(const Condition& one, const Condition& other) {
  return one.variable == other.variable && follows(one, other) && follows(other, one);
}

bool follows(const Condition& one, const Condition& other) {
  if (one.variable != other.variable)
    return false;
  if (one.code == other.code && one.is_not == other.is_not && !one.code.empty())
    return true;
  if (other.is_not)
    return excludes(one, [&] {
      Condition equal = other;
      equal.is_not = false;
      return equal;
    }());
  const auto inner = numbers_of(one), outer = numbers_of(other);
  return inner && outer && within_low(*inner, *outer) && within_high(*inner, *outer);
}

bool excludes(const Condition& one, const Condition& other) {
  if (one.variable != other.variable)
    return false;
  if (one.is_not || other.is_not) {
    const Condition& negated = one.is_not ? one : other;
    const Condition& plain = one.is_not ? other : one;
    return !plain.is_not && !plain.code.empty() && plain.code == negated.code;
  }
  const auto first = numbers_of(one), second = numbers_of(other);
  if (first && second)
    return ends_before(*first, *second) || ends_before(*second, *first);
  return !one.range && !other.range && one.code != other.code;
}

std::optional<bool> holds_for(const Condition& condition, std::string_view value) {
  if (!condition.range)
    return (compared(value) == condition.code) != condition.is_not;
  if (condition.from_code && compared(value) == condition.code)
    return true;
  const auto number = number_of(value);
  if (!number)
    return std::nullopt;
  const NumberRange point{number, number, true, true};
  return within_low(point, *condition.range) && within_high(point, *condition.range);
}

}  // namespace lacuna::checking
