// SPDX-License-Identifier: Apache-2.0
// The attacker problem of attacker_solver.h where the equations are nodes and the cells arcs
// (table/network.h): a displacement is a circulation, s z_p is a largest flow between the ends of
// p's arc over the other arcs (Dinic 1970), and d is the smallest cut that the flow leaves: 1 for
// arcs out of the side of the source, -1 for arcs into it.
#pragma once

#include <vector>

#include "protect/common/attacker_solver.h"
#include "table/network.h"

namespace lacuna::inline common {

class AttackerFlow : public AttackerSolver {
 public:
  AttackerFlow(const SuppressModel& model, const Network& network);

  Answer push(const Target& target,
              std::span<const double> up,
              std::span<const double> down,
              const RunContext& run) override;

 private:
  struct HalfArc {
    std::int32_t to = 0;
    std::int32_t cell = 0;  // local
    bool forward = false;   // along the arc: z grows
  };
  double residual(const HalfArc& arc) const;
  bool layer(std::int32_t source, std::int32_t sink);  // distances; false if the sink is cut off
  double augment(std::int32_t node, std::int32_t sink, double limit);
  void add_arc(std::int32_t from, std::int32_t to, std::int32_t cell);

  const SuppressModel& model_;
  std::vector<std::int32_t> from_, to_;        // nodes of the arcs, by local cell
  std::vector<std::vector<HalfArc>> at_node_;  // the last node is the ground
  std::vector<double> up_, down_, moves_, dual_;
  std::vector<std::int32_t> distance_, queue_;
  std::vector<std::size_t> next_;
};

}  // namespace lacuna::inline common
