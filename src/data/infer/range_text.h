// SPDX-License-Identifier: Apache-2.0
// What offices print in place of a small or rare number: a range that it lies in.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace lacuna::infer {

// "<5" and "fewer than 5" are below 5; "<=5", "5 or less" and "1-4" have their ends within.
struct RangeText {
  std::string lower, upper;  // numbers as written; empty: no end
  bool below = false;        // the upper end itself is not possible
  bool above = false;        // nor the lower one
  bool operator==(const RangeText&) const = default;
};

// Nothing if the text is no range: a number, a sign, a word. "1-4" is one here; whether it is a
// code of a size class instead, only its column can say.
std::optional<RangeText> range_of(std::string_view text);

}  // namespace lacuna::infer
