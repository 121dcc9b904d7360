// SPDX-License-Identifier: Apache-2.0
// Good senses fast. With every sensitive cell at the near end of its side, x_s = u_s or -l_s, the
// cost is x'Qx (sensitive_form.h), and turning one cell around changes it by
//   2 (x' - x)_s (Qx)_s + Q_ss (x' - x)_s^2,
// so a tabu search over single turns makes millions of moves per second. Its results are starts:
// what counts is the cost of the adjusted table, found by the interior point method.
#pragma once

#include <cstdint>
#include <vector>

#include "base/random.h"
#include "protect/adjust/kkt.h"
#include "protect/adjust/model.h"

namespace lacuna::cta {

class SenseSearch {
 public:
  // `start` holds the senses that are given; open ones may be turned.
  SenseSearch(const Part& part, const Matrix& q, const Senses& start);

  // The nearer side of each open cell.
  Senses round(const Vector& x, const Senses& senses) const;
  // Tabu search from these senses; returns the best senses seen. Turns only cells open in `start`.
  Senses improve(Senses senses, std::int64_t moves, Random& random) const;
  double cost(const Senses& senses) const;

 private:
  Vector place(const Senses& senses) const;

  const Matrix& q_;
  Vector up_, down_;  // x of the two sides
  std::vector<std::int32_t> open_;
};

}  // namespace lacuna::cta
