// SPDX-License-Identifier: Apache-2.0
#include "core/branching/gap_rule.h"

#include <cmath>

namespace lacuna::branching {

double GapRule::cutoff(double cost) const {
  if (!std::isfinite(cost))
    return ceiling;
  return (pruned >= rounding ? cost * (1 - pruned) : cost - rounding * std::abs(cost)) - step;
}

bool GapRule::met(double cost, double bound) const {
  return std::isfinite(cost) && bound >= cost - rounding * std::abs(cost) - step;
}

bool GapRule::reached(double cost, double bound) const {
  return std::isfinite(cost) && (bound >= cutoff(cost) || cost - bound <= gap * (cost + offset));
}

StopReason GapRule::why(double cost, double bound, const RunContext& run) const {
  if (met(cost, bound))
    return StopReason::kOptimal;
  return reached(cost, bound) ? StopReason::kGapReached : ended_by(run);
}

}  // namespace lacuna::branching
