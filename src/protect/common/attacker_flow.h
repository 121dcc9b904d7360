// SPDX-License-Identifier: Apache-2.0
// The attacker problem of attacker_solver.h where the equations are nodes and the cells arcs
// (table/network.h): a displacement is a circulation, s z_p is a largest flow between the ends of
// p's arc over the other arcs (flow/largest_flow.h), and d is the smallest cut that the flow
// leaves: 1 for arcs out of the side of the source, -1 for arcs into it.
#pragma once

#include <vector>

#include "flow/largest_flow.h"
#include "protect/common/attacker_solver.h"
#include "table/network.h"

namespace lacuna::inline common {

class AttackerFlow : public AttackerSolver {
 public:
  AttackerFlow(const SuppressModel& model, const Network& network);

  Answer push(const Target& target, const Capacities& capacities, const RunContext& run) override;

 private:
  const SuppressModel& model_;
  LargestFlow<double> flow_;  // arcs by local cell; the last node is the ground
  std::vector<double> up_, down_;
};

}  // namespace lacuna::inline common
