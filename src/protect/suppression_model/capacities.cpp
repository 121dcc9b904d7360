// SPDX-License-Identifier: Apache-2.0
#include "protect/suppression_model/capacities.h"

#include <algorithm>

#include "core/base/work.h"

namespace lacuna::suppression_model {

attacker::RealSlack Capacities::of(std::int32_t cell) const {
  const double share = this->share(cell);
  if (attacker_ < 0)
    return {share, share};
  const attacker::RealSlack slack = model_.slack(cell, attacker_);
  return {std::min(slack.down / level_, 1.0) * share, std::min(slack.up / level_, 1.0) * share};
}

void Capacities::list(std::span<attacker::RealSlack> slacks) const {
  base::count_work(5 * slacks.size());
  for (std::size_t i = 0; i < slacks.size(); ++i)
    slacks[i] = of(static_cast<std::int32_t>(i));
}

}  // namespace lacuna::suppression_model
