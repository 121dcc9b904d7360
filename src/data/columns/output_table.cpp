// SPDX-License-Identifier: Apache-2.0
#include "data/columns/output_table.h"

#include <algorithm>

namespace lacuna::columns {

int OutputColumn::precision() const {
  constexpr Units kEighteenDigits = 1'000'000'000'000'000'000;
  const bool fits = std::all_of(numbers.begin(), numbers.end(), [](Units number) {
    return number < kEighteenDigits && number > -kEighteenDigits;
  });
  return fits ? 18 : 38;
}

}  // namespace lacuna::columns
