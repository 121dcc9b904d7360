// SPDX-License-Identifier: Apache-2.0
#include "branching/gap_rule.h"

#include <algorithm>
#include <cmath>

namespace lacuna::inline branching {

double GapRule::cutoff(double cost) const {
  return std::isfinite(cost) ? cost * (1 - std::max(rounding, pruned)) - step : ceiling;
}

bool GapRule::met(double cost, double bound) const {
  return std::isfinite(cost) && bound >= cost * (1 - rounding) - step;
}

bool GapRule::reached(double cost, double bound) const {
  return std::isfinite(cost) && (bound >= cutoff(cost) || cost - bound <= gap * (cost + offset));
}

StopReason GapRule::why(double cost, double bound, const RunContext& run) const {
  if (met(cost, bound))
    return StopReason::kOptimal;
  return reached(cost, bound) ? StopReason::kGapReached : ended_by(run);
}

}  // namespace lacuna::inline branching
