// SPDX-License-Identifier: Apache-2.0
// A key as text: a decimal from 0 to below 1, exact to the digits of the modulus, or a whole number
// below it.
#pragma once

#include <cstdint>
#include <string_view>

#include "lacuna/keys.h"
#include "lacuna/result.h"

namespace lacuna::tabulation {

// Errors say what to change in [keys], without a place.
Result<std::uint64_t> parse_key(std::string_view text, const KeyOptions& options, char mark);

}  // namespace lacuna::tabulation
