// SPDX-License-Identifier: Apache-2.0
#include "data/files/number_text.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "core/base/confidential.h"
#include "core/base/decimal.h"
#include "core/base/text.h"
#include "data/files/position.h"
#include "lacuna/table.h"

namespace lacuna::files {
namespace {

constexpr double kInfiniteFrom = 1e20;    // what solvers of the trade write for "no bound"
constexpr double kLargestAsUnits = 4e18;  // a little below kMaxUnits
constexpr double kLargestExact = 9007199254740992.0;  // 2^53

bool is_plain_number(std::string_view text) {  // no point and no exponent
  return text.find_first_of(".eE") == std::string_view::npos;
}

double as_double(std::string_view text) {
  double value = 0;
  const char* begin = text.data() + (!text.empty() && text[0] == '+' ? 1 : 0);
  const auto parsed = std::from_chars(begin, text.data() + text.size(), value);
  if (parsed.ec == std::errc::result_out_of_range) {
    const std::size_t exponent = text.find_first_of("eE");
    const bool tiny = exponent != std::string_view::npos && exponent + 1 < text.size() &&
                      text[exponent + 1] == '-';
    return tiny ? 0 : (text[0] == '-' ? -HUGE_VAL : HUGE_VAL);
  }
  return parsed.ec == std::errc() && parsed.ptr == text.data() + text.size() ? value : 0;
}

// -1, 0, +1
int infinity_sign(std::string_view text) {
  constexpr std::size_t kLongestFinite = 20;  // digits of a number below 1e20
  if (text.size() < 3)
    return 0;
  const bool may_be_huge = text.size() > kLongestFinite || !is_plain_number(text);
  const char first = text[0] == '-' || text[0] == '+' ? text[1] : text[0];
  const bool digit = (first >= '0' && first <= '9') || first == '.';
  if (digit) {
    if (!may_be_huge)
      return 0;
    const double value = as_double(text);
    return value >= kInfiniteFrom ? 1 : value <= -kInfiniteFrom ? -1 : 0;
  }
  const std::string word = base::lower_case(text);
  if (word == "-inf" || word == "-infinity")
    return -1;
  const bool infinite =
      word == "inf" || word == "+inf" || word == "infinity" || word == "+infinity";
  return infinite ? 1 : 0;
}

bool is_unbounded_word(std::string_view text) {  // the length first: this is asked of every number
  constexpr std::string_view kWord = "unbounded";
  return text.size() == kWord.size() && base::lower_case(text) == kWord;
}

// "1.25e-3" as "0.00125": sign, digits, point, digits.
std::string without_exponent(std::string_view text) {
  const std::size_t e = text.find_first_of("eE");
  if (e == std::string_view::npos)
    return std::string(text);
  int exponent = 0;
  std::string_view digits = text.substr(e + 1);
  if (!digits.empty() && digits[0] == '+')
    digits.remove_prefix(1);
  std::from_chars(digits.data(), digits.data() + digits.size(), exponent);
  std::string mantissa(text.substr(0, e));
  std::string sign;
  if (mantissa[0] == '-' || mantissa[0] == '+') {
    sign = mantissa.substr(0, 1);
    mantissa.erase(0, 1);
  }
  std::size_t point = mantissa.find('.');
  if (point == std::string::npos)
    point = mantissa.size();
  else
    mantissa.erase(point, 1);
  const auto moved = static_cast<std::ptrdiff_t>(point) + exponent;
  if (moved <= 0) {
    mantissa.insert(0, static_cast<std::size_t>(-moved), '0');
    return sign + "0." + mantissa;
  }
  const auto place = static_cast<std::size_t>(moved);
  if (place > mantissa.size())
    mantissa.append(place - mantissa.size(), '0');
  return sign + mantissa.substr(0, place) + "." + mantissa.substr(place);
}

}  // namespace

bool is_infinite_text(std::string_view text) {
  return infinity_sign(text) != 0 || is_unbounded_word(text);
}

Result<Units> parse_bound(std::string_view text, int decimals, bool is_lower) {
  const int sign = infinity_sign(text);
  const bool either_side = is_unbounded_word(text);
  if (sign == 0 && !either_side)
    return base::parse_units(text, decimals);
  if (!either_side && (sign < 0) != is_lower) {
    return Error{ErrorCode::kBadNumber,
                 is_lower ? "a lower bound cannot be plus infinity"
                          : "an upper bound cannot be minus infinity",
                 ""};
  }
  return is_lower ? kUnboundedBelow : kUnboundedAbove;
}

bool is_zero_number(std::string_view text) {
  const auto number = base::parse_units(text, TableBuilder::kMaxDecimals);
  return number.has_value() && *number == 0;
}

Result<Units> parse_level_upward(std::string_view text, int decimals) {
  LACUNA_TRY(const int needed, base::decimals_needed(text));
  if (needed <= decimals)
    return base::parse_units(text, decimals);
  const std::string plain = without_exponent(text);
  const std::size_t kept = plain.find('.') + 1 + static_cast<std::size_t>(decimals);
  LACUNA_TRY(const Units down,
             base::parse_units(std::string_view(plain).substr(0, kept), decimals));
  return down + (down < kMaxUnits && text[0] != '-' ? 1 : 0);
}

void DecimalsChooser::note_size(std::string_view text) {
  largest_ = std::max(largest_, std::abs(as_double(text)));
}

Status DecimalsChooser::add_number(std::string_view text) {
  note_size(text);
  if (is_plain_number(text))
    return ok_status();  // whether it is a number at all shows when it is read
  LACUNA_TRY(const int needed, base::decimals_needed(text));
  if (needed > TableBuilder::kMaxDecimals) {
    return Error{ErrorCode::kBadNumber,
                 "the number " + base::confidential(base::in_quotes(text)) + " has more than " +
                     std::to_string(TableBuilder::kMaxDecimals) + " decimals",
                 ""};
  }
  number_decimals_ = std::max(number_decimals_, needed);
  return ok_status();
}

Status DecimalsChooser::add_level(std::string_view text) {
  note_size(text);
  if (is_plain_number(text))
    return ok_status();
  LACUNA_TRY(const int needed, base::decimals_needed(text));
  level_decimals_ = std::max(level_decimals_, needed);
  return ok_status();
}

int DecimalsChooser::decimals() const {
  const int wanted = std::max(number_decimals_, level_decimals_);
  const auto size_at = [&](int decimals) { return largest_ * std::pow(10.0, decimals); };
  if (wanted == number_decimals_ ||
      (wanted <= TableBuilder::kMaxDecimals && size_at(wanted) <= kLargestAsUnits))
    return wanted;
  int decimals = number_decimals_;
  while (decimals < std::min(wanted, TableBuilder::kMaxDecimals) &&
         size_at(decimals + 1) <= kLargestExact)
    ++decimals;
  return decimals;
}

std::string rounded_levels_note(const std::string& filename, int decimals) {
  return (filename.empty() ? "" : filename + ": ") +
         "protection levels have more digits than the table can hold; they were rounded up to " +
         std::to_string(decimals) + " decimals";
}

Status check_levels_fit(const Cell& cell, const Requirement& need, int decimals) {
  const Wide no_limit = Wide{kUnboundedAbove} * 2;
  const Wide up = cell.prior.has_upper() ? Wide{cell.prior.upper} - cell.value : no_limit;
  const Wide down = cell.prior.has_lower() ? Wide{cell.value} - cell.prior.lower : no_limit;
  const auto refuse = [&](const char* name, Units level) {
    return Error{ErrorCode::kLevelMisfit,
                 std::string("no release can meet the ") + name + " protection level " +
                     base::confidential(base::format_units(level, decimals)) +
                     ": the cell's bounds are closer",
                 ""};
  };
  if (need.lower > down)
    return refuse("lower", need.lower);
  if (need.upper > up)
    return refuse("upper", need.upper);
  if (need.sliding > up + down)
    return refuse("sliding", need.sliding);
  return ok_status();
}

}  // namespace lacuna::files
