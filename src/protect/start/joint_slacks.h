// SPDX-License-Identifier: Apache-2.0
// Many attackers as one: a route that keeps to the least slack that any of them has in each cell
// serves all of them. Goals of one cell, direction and level are a bundle; each bundle of two and
// more gets such a joint attacker, who is nobody and is only searched for: whether a route serves a
// goal is always asked with the slacks of that goal's own attacker.
#pragma once

#include <vector>

#include "protect/start/pattern_state.h"
#include "protect/start/route_assignment.h"

namespace lacuna::start {

// Sets RouteGoal::joint; the joint attackers are the pattern state's.
void join_goals(PatternState& pattern_state, std::vector<RouteGoal>& goals);

}  // namespace lacuna::start
