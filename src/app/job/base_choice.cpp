// SPDX-License-Identifier: Apache-2.0
#include "app/job/base_choice.h"

#include <algorithm>

namespace lacuna::job {

Decimal suggested_base(const Problem& problem) {
  Units level = 0;
  for (const Requirement& need : problem.requirements())
    level = std::max({level, need.lower, need.upper, need.half_sliding()});
  const Units wanted = std::min(level, kMaxUnits / 100) * 2;
  for (Units power = 1;; power *= 10) {
    for (const Units factor : {1, 2, 5}) {
      if (power * factor >= wanted)
        return {power * factor, problem.table().decimals()};
    }
  }
}

}  // namespace lacuna::job
