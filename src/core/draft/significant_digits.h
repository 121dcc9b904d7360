// SPDX-License-Identifier: Apache-2.0
// Ends of intervals with few significant digits, rounded outward: a wider interval is never less
// safe.
#pragma once

#include <cstdint>

#include "lacuna/units.h"

namespace lacuna::draft {

// The number with at most `digits` (at least 1) significant digits next to `value` in the direction
// of `sign`; the value itself if it has no more.
Units round_outward(Units value, int sign, std::int32_t digits);

}  // namespace lacuna::draft
