// SPDX-License-Identifier: Apache-2.0
// The range that is written beside a published number.
#pragma once

#include <algorithm>

#include "lacuna/table.h"
#include "lacuna/units.h"

namespace lacuna::draft {

// A range of which everyone knows that it holds no negative number begins at 0 at the lowest. Of a
// bound above 0 nothing is told: that would publish it.
inline Bounds without_negative_part(Bounds range, const Cell& cell) {
  if (cell.prior.has_lower() && cell.prior.lower >= 0)
    range.lower = std::max<Units>(range.lower, 0);
  return range;
}

}  // namespace lacuna::draft
