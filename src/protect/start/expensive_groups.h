// SPDX-License-Identifier: Apache-2.0
// Expensive groups: a few displacements that carry a good part of the cost. A cell is expensive if
// it makes up a noticeable share of what all secondaries cost; the displacements in use through it
// are a group that could publish it again, and with them those through further expensive cells, the
// most expensive first, as long as the group stays small. What only the group needs is at stake:
// groups with too little at stake are none. Each group is routed anew as one program
// (joint_program.h).
#pragma once

#include <cstdint>
#include <vector>

#include "protect/start/route_assignment.h"

namespace lacuna::start {

struct ExpensiveGroup {
  CellId cell;                              // the expensive cell that it began with
  std::vector<std::int32_t> shared_routes;  // of the assignment, ascending
  double stake = 0;                         // cost of the cells that only these goal
  bool operator==(const ExpensiveGroup&) const = default;
};

// By falling cost of the cell, no group of shared routes twice.
std::vector<ExpensiveGroup> expensive_groups(const RouteAssignment& assignment);

// Shared routes in use through the cell, ascending.
std::vector<std::int32_t> shared_routes_in_use(const RouteAssignment& assignment, CellId cell);

}  // namespace lacuna::start
