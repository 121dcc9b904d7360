// SPDX-License-Identifier: Apache-2.0
#include "core/draft/significant_digits.h"

namespace lacuna::draft {
namespace {

Units power_of_ten(std::int32_t exponent) {
  Units power = 1;
  for (std::int32_t i = 0; i < exponent; ++i)
    power *= 10;
  return power;
}

}  // namespace

Units round_outward(Units value, int sign, std::int32_t digits) {
  std::int32_t length = 0;
  for (Units rest = value < 0 ? -value : value; rest > 0; rest /= 10)
    ++length;
  if (length <= digits)
    return value;
  const Units step = power_of_ten(length - digits);
  const Units below = value - ((value % step) + step) % step;
  if (below == value)
    return value;
  if (sign < 0)
    return below < -kMaxUnits ? -kMaxUnits : below;
  return below > kMaxUnits - step ? kMaxUnits : below + step;
}

}  // namespace lacuna::draft
