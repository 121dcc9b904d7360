// SPDX-License-Identifier: Apache-2.0
// The cheapest route of single cells, where every cell is in at most two equations and counts once
// in each (tables of two dimensions): equations are nodes, cells are arcs between them, or to the
// ground if they are in one alone, and a displacement that moves every cell on it by the level L is
// a circuit. Withheld cells cost a step, others their weight, cells with less slack than L are left
// out; shortest paths (Dijkstra 1959) from one end of the cell to the other, each node by the sign
// that its equation is out of balance with. What no single path can carry is for the router
// (route.h), which shares it out.
#pragma once

#include <cstdint>
#include <vector>

#include "protect/start/pattern_state.h"
#include "protect/start/route.h"
#include "protect/start/route_assignment.h"

namespace lacuna::start {

class PathSearch {
 public:
  explicit PathSearch(const PatternState& pattern_state, const Overlay& overlay)
      : pattern_state_(pattern_state), overlay_(overlay) {}

  static bool suits(const PatternState& pattern_state);
  // A path for the goal; if `mirrored`, with slack in both directions. `share`: price of a step, in
  // that of the cheapest open cell beside.
  bool find(const RouteGoal& goal, bool mirrored, double share);
  const Route& steps() const { return steps_; }
  void append_touched(std::vector<EquationId>& equations) const;

 private:
  struct State {
    double cost = 0;
    CellId by;               // the cell that was moved to get here
    std::int32_t from = -1;  // state, -1: where it began
    bool known = false, done = false;
  };
  struct Waiting {
    double cost = 0;
    std::int32_t state = -1;
    bool operator<(const Waiting& other) const {  // the cheapest is on top
      return cost != other.cost ? cost > other.cost : state > other.state;
    }
  };

  void begin();
  void set_step(double share);
  bool has_slack(CellId cell, int direction) const;
  double charge(CellId cell) const;
  void scan(std::int32_t state);
  void reach(std::int32_t state, double cost, CellId by, std::int32_t from);
  bool collect(std::int32_t state);
  // Out of balance by `sign` levels; the ground is the last node and takes all.
  std::int32_t state_of(std::int32_t equation, int sign) const {
    return equation == ground() ? 2 * ground() : 2 * equation + (sign > 0 ? 1 : 0);
  }
  std::int32_t ground() const { return pattern_state_.table().num_equations(); }

  const PatternState& pattern_state_;
  const Overlay& overlay_;
  RouteGoal goal_;
  bool mirrored_ = false;
  double step_ = 0;
  std::vector<State> states_;          // two per equation, and the ground
  std::vector<std::int32_t> reached_;  // states
  std::vector<Waiting> heap_;
  Route steps_;
};

}  // namespace lacuna::start
