// SPDX-License-Identifier: Apache-2.0
// Routes over withheld cells alone, where the table is a network (core/table/network.h): a largest
// flow shares a level out among many cells, which no single path (path_search.h) does. Nothing is
// withheld for such a route, so it comes before any that costs something: in a flat table of 16,520
// cells whose 4,923 sensitive cells protect each other, 440 secondaries of 36.0e6 became none.
#pragma once

#include <memory>
#include <optional>

#include "core/table/network.h"
#include "judge/attacker/flow.h"
#include "protect/start/pattern_state.h"
#include "protect/start/route_assignment.h"

namespace lacuna::start {

// Over all cells that are or may be withheld; null if that is no network, or one in which cells are
// in more than two equations.
std::shared_ptr<const table::Network> network_of(const PatternState& pattern_state);

class FlowRoutes {
 public:
  FlowRoutes(const PatternState& pattern_state, std::shared_ptr<const table::Network> network);

  // For all of the bundle if that can be; if `mirrored`, one with slack in both directions first.
  std::optional<Route> find(const RouteGoal& goal, bool mirrored);

 private:
  std::optional<Route> find_for(const RouteGoal& goal, std::int32_t attacker, bool mirrored);

  const PatternState& pattern_state_;
  std::shared_ptr<const table::Network> network_;
  attacker::NetworkSearch<Wide> flow_;  // by cell
};

}  // namespace lacuna::start
