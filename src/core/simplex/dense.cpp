// SPDX-License-Identifier: Apache-2.0
#include "core/simplex/dense.h"

namespace lacuna::simplex {
namespace {

[[gnu::always_inline]] inline void subtract(double* __restrict y,
                                            const double* __restrict x,
                                            double factor,
                                            std::size_t size) {
  for (std::size_t i = 0; i < size; ++i)
    y[i] -= factor * x[i];
}

// In eight sums, which the machine adds side by side.
[[gnu::always_inline]] inline double length(const double* x, std::size_t size) {
  constexpr std::size_t kSums = 8;
  double sums[kSums] = {};
  std::size_t i = 0;
  for (; i + kSums <= size; i += kSums) {
    for (std::size_t k = 0; k < kSums; ++k)
      sums[k] += x[i + k] * x[i + k];
  }
  for (; i < size; ++i)
    sums[0] += x[i] * x[i];
  return ((sums[0] + sums[1]) + (sums[2] + sums[3])) + ((sums[4] + sums[5]) + (sums[6] + sums[7]));
}

void subtract_plain(double* y, const double* x, double factor, std::size_t size) {
  subtract(y, x, factor, size);
}

double length_plain(const double* x, std::size_t size) {
  return length(x, size);
}

#if defined(__x86_64__) && defined(__GNUC__)

[[gnu::target("avx2")]] void subtract_wide(double* y,
                                           const double* x,
                                           double factor,
                                           std::size_t size) {
  subtract(y, x, factor, size);
}

[[gnu::target("avx2")]] double length_wide(const double* x, std::size_t size) {
  return length(x, size);
}

bool has_wide() {
  __builtin_cpu_init();
  return __builtin_cpu_supports("avx2") != 0;
}

#else

constexpr SubtractMultiple subtract_wide = subtract_plain;
constexpr SquaredLength length_wide = length_plain;

bool has_wide() {
  return false;
}

#endif

}  // namespace

const SubtractMultiple subtract_multiple = has_wide() ? subtract_wide : subtract_plain;
const SquaredLength squared_length = has_wide() ? length_wide : length_plain;

}  // namespace lacuna::simplex
