// SPDX-License-Identifier: Apache-2.0
// The safe patterns of a tiny problem as points of one part's model, for tests of inequalities.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "protect/suppression_model/suppress_model.h"
#include "support/enumerate.h"

namespace lacuna::testing {

struct SafePoint {
  std::vector<double> x;  // by column
  bool minimal = true;    // none of its cells can be published again
};

inline std::vector<SafePoint> safe_points(const suppression_model::SuppressModel& model,
                                          PatternEnumeration& all) {
  using Mask = PatternEnumeration::Mask;
  const std::vector<Mask> safe = all.safe_patterns();
  std::vector<SafePoint> found;
  for (const Mask mask : safe) {
    SafePoint pattern{std::vector<double>(static_cast<std::size_t>(model.num_columns()), 0), true};
    for (std::size_t k = 0; k < all.candidates().size(); ++k) {
      if ((mask >> k & 1U) == 0)
        continue;
      if (std::binary_search(safe.begin(), safe.end(), mask & ~(Mask{1} << k)))
        pattern.minimal = false;
      const std::int32_t local = model.local(all.candidates()[k]);
      if (local >= 0 && model.column_of(local) >= 0)
        pattern.x[static_cast<std::size_t>(model.column_of(local))] = 1;
    }
    found.push_back(std::move(pattern));
  }
  return found;
}

}  // namespace lacuna::testing
