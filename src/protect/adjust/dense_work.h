// SPDX-License-Identifier: Apache-2.0
// What dense linear algebra takes, counted (core/base/work.h). Measured with Eigen on one core
// without wide vectors, 100 to 2,000 rows: a factor 0.04 to 0.07 ns per cubed row, an inverse 0.21
// to 0.29; a solve 0.2 to 0.45 ns per squared row and a product 0.17 to 0.3.
#pragma once

#include <Eigen/Core>

#include "core/base/work.h"

namespace lacuna::adjustment {

// Eigen splits products, and so orders their sums, by the caches of the machine unless it is told
// what they are: with these the same numbers come out everywhere.
inline void fix_block_sizes() {
  static const bool once = [] {
    Eigen::setCpuCacheSizes(32 << 10, 512 << 10, 4 << 20);
    return true;
  }();
  static_cast<void>(once);
}

inline void count_factor(Eigen::Index n) {
  base::count_work(std::int64_t{n * n * n / 20 + 3 * n * n});
}
inline void count_inverse(Eigen::Index n) {
  base::count_work(std::int64_t{n * n * n / 4 + 3 * n * n});
}
inline void count_solve(Eigen::Index n) {
  base::count_work(std::int64_t{2 * n * n / 5 + 20 * n});
}
inline void count_product(Eigen::Index n) {
  base::count_work(std::int64_t{n * n / 4 + 5 * n});
}

}  // namespace lacuna::adjustment
