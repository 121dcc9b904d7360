// SPDX-License-Identifier: Apache-2.0
#include "protect/suppression_model/capacities.h"

#include <algorithm>

#include "core/base/work.h"

namespace lacuna::suppression_model {

attacker::RealRoom Capacities::of(std::int32_t cell) const {
  const double share = this->share(cell);
  if (attacker_ < 0)
    return {share, share};
  const attacker::RealRoom room = model_.room(cell, attacker_);
  return {std::min(room.down / level_, 1.0) * share, std::min(room.up / level_, 1.0) * share};
}

void Capacities::list(std::span<attacker::RealRoom> rooms) const {
  base::count_work(5 * rooms.size());
  for (std::size_t i = 0; i < rooms.size(); ++i)
    rooms[i] = of(static_cast<std::int32_t>(i));
}

}  // namespace lacuna::suppression_model
