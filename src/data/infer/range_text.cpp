// SPDX-License-Identifier: Apache-2.0
#include "data/infer/range_text.h"

#include <algorithm>
#include <array>

#include "core/base/text.h"
#include "data/files/number_style.h"

namespace lacuna::infer {
namespace {

enum class Side { kBelow, kAtMost, kAbove, kAtLeast };

struct Sign {
  std::string_view text;
  Side side;
};

// Before the number; of two that begin alike the longer one stands first.
constexpr std::array kBefore = std::to_array<Sign>({
    {"<=", Side::kAtMost},
    {"=<", Side::kAtMost},
    {"≤", Side::kAtMost},
    {"<", Side::kBelow},
    {">=", Side::kAtLeast},
    {"=>", Side::kAtLeast},
    {"≥", Side::kAtLeast},
    {">", Side::kAbove},
    {"less than ", Side::kBelow},
    {"fewer than ", Side::kBelow},
    {"under ", Side::kBelow},
    {"below ", Side::kBelow},
    {"at most ", Side::kAtMost},
    {"up to ", Side::kAtMost},
    {"more than ", Side::kAbove},
    {"over ", Side::kAbove},
    {"at least ", Side::kAtLeast},
});

// Behind it.
constexpr std::array kBehind = std::to_array<Sign>({
    {" or less", Side::kAtMost},
    {" or fewer", Side::kAtMost},
    {" or more", Side::kAtLeast},
    {" and over", Side::kAtLeast},
});

constexpr std::array<std::string_view, 5> kBetween{" to ", "–", "—", "..", "-"};

// Digits with marks and separators, without a sign: "1 000", "2.5".
bool is_bare_number(std::string_view text) {
  return !text.empty() && text.front() >= '0' && text.front() <= '9' &&
         files::style_of(text).has_value();
}

RangeText of_side(Side side, std::string_view number) {
  RangeText range;
  const bool is_upper = side == Side::kBelow || side == Side::kAtMost;
  (is_upper ? range.upper : range.lower) = number;
  range.below = side == Side::kBelow;
  range.above = side == Side::kAbove;
  return range;
}

}  // namespace

std::optional<RangeText> range_of(std::string_view text) {
  const std::string word = base::lower_case(base::trimmed(text));
  const std::string_view all = word;
  for (const Sign& sign : kBefore) {
    if (!all.starts_with(sign.text))
      continue;
    const std::string_view number = base::trimmed(all.substr(sign.text.size()));
    return is_bare_number(number) ? std::optional(of_side(sign.side, number)) : std::nullopt;
  }
  for (const Sign& sign : kBehind) {
    if (!all.ends_with(sign.text))
      continue;
    const std::string_view number = base::trimmed(all.substr(0, all.size() - sign.text.size()));
    return is_bare_number(number) ? std::optional(of_side(sign.side, number)) : std::nullopt;
  }
  for (const std::string_view between : kBetween) {
    const std::size_t at = all.find(between);
    if (at == std::string_view::npos || at == 0)
      continue;
    const std::string_view lower = base::trimmed(all.substr(0, at));
    const std::string_view upper = base::trimmed(all.substr(at + between.size()));
    if (is_bare_number(lower) && is_bare_number(upper))
      return RangeText{std::string(lower), std::string(upper), false, false};
  }
  return std::nullopt;
}

}  // namespace lacuna::infer
