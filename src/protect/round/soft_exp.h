// SPDX-License-Identifier: Apache-2.0
// The exponential function from additions and multiplications alone: that of the C library is
// chosen by the processor, and differs in the last digit. exp(x) = 2^n exp(r), |r| <= log(2) / 2,
// and exp(r) by its series up to r^11 / 11!, which is off by less than 1e-14.
#pragma once

#include <cmath>

namespace lacuna::rounding {

inline double soft_exp(double x) {
  constexpr double kLog2 = 0.6931471805599453;
  constexpr double kFar = 700;  // beyond, 0 or a number that counts as infinite
  const double near = x < -kFar ? -kFar : x > kFar ? kFar : x;
  const double n = std::floor(near / kLog2 + 0.5);
  const double r = near - n * kLog2;
  double sum = 1;
  for (int k = 11; k > 0; --k)
    sum = 1 + sum * r / k;
  return std::ldexp(sum, static_cast<int>(n));
}

}  // namespace lacuna::rounding
