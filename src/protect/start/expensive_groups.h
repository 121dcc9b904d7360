// SPDX-License-Identifier: Apache-2.0
// Expensive groups: a few displacements that carry a good part of the cost. A cell is expensive if
// it makes up a noticeable share of what all secondaries cost; the displacements in use through it
// are a group that could publish it again, and with them those through further expensive cells, the
// most expensive first, as long as the group stays small. What only the group needs is at stake:
// groups with too little at stake are none. Each group is routed anew as one program
// (joint_program.h).
#pragma once

#include <cstdint>
#include <set>
#include <utility>
#include <vector>

#include "protect/start/route_assignment.h"

namespace lacuna::start {

struct ExpensiveGroup {
  CellId cell;                              // the expensive cell that it began with
  std::vector<std::int32_t> shared_routes;  // of the assignment, ascending
  double stake = 0;                         // cost of the cells that only these need
  bool operator==(const ExpensiveGroup&) const = default;
};

// By falling cost of the cell, no group of shared routes twice.
std::vector<ExpensiveGroup> expensive_groups(const RouteAssignment& assignment);

// Which of them have their turn, and how much work they may take: a share of what is done for all
// else, so tables that are soon done have no program at all.
class GroupTurns {
 public:
  // `begun_at`: reading of work_done() when the construction began.
  explicit GroupTurns(std::int64_t begun_at) : begun_at_(begun_at) {}

  std::int64_t work_left() const;
  // Those that were not tried as they are now: with the same goals behind them and as much at
  // stake. None while there is too little work for one.
  std::vector<ExpensiveGroup> untried(const RouteAssignment& assignment) const;
  void note_trial(const RouteAssignment& assignment, const ExpensiveGroup& group);
  void add_work(std::int64_t work) { work_ += work; }

 private:
  using Trial = std::pair<std::vector<std::int32_t>, double>;  // goals, stake
  static Trial trial_of(const RouteAssignment& assignment, const ExpensiveGroup& group);

  std::int64_t begun_at_;
  std::int64_t work_ = 0;  // of the programs
  std::set<Trial> tried_;
};

// Shared routes in use through the cell, ascending.
std::vector<std::int32_t> shared_routes_in_use(const RouteAssignment& assignment, CellId cell);

}  // namespace lacuna::start
