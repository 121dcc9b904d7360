// SPDX-License-Identifier: Apache-2.0
// Numbers of the formats in this room: sign, digits, point, exponent, nothing else.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace lacuna::formats {

// The number with a point and without exponent, digit by digit as it stands: "1.50" stays so,
// "1.5E3" is 1500, "+7" is 7. Absent: no number, or one of more than 60 digits.
std::optional<std::string> plain_decimal(std::string_view text, char mark = '.');

}  // namespace lacuna::formats
