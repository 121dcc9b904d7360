// SPDX-License-Identifier: Apache-2.0
#include "protect/suppression_model/capacities.h"

#include "core/base/work.h"

namespace lacuna::suppression_model {

attacker::RealSlack Capacities::of(std::int32_t cell) const {
  const double share = this->share(cell);
  if (without_slacks_)
    return {share, share};
  return within(model_.slack_within(cell, own_), share);
}

void Capacities::list(std::span<attacker::RealSlack> slacks) const {
  base::count_work(5 * slacks.size());
  for (std::size_t i = 0; i < slacks.size(); ++i) {
    const auto cell = static_cast<std::int32_t>(i);
    const double share = this->share(cell);
    slacks[i] = without_slacks_ ? attacker::RealSlack{share, share}
                                : within(model_.slack(cell, 0), share);
  }
  for (const SuppressModel::OwnSlack& own : own_)
    slacks[static_cast<std::size_t>(own.cell)] = within(own.slack, share(own.cell));
}

}  // namespace lacuna::suppression_model
