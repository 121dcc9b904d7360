// SPDX-License-Identifier: Apache-2.0
// Attacker problems in networks. If the equations are nodes and the cells arcs (table/network.h), a
// displacement is a circulation, and the farthest a cell can move is a largest flow from one end of
// its arc to the other over the remaining arcs, whose capacities are the rooms (Cox 1980; Kelly,
// Golden, Assad 1992). Augmenting along shortest paths (flow/largest_flow.h) in integers gives
// short, integral witnesses, and the nodes reached at the end are the smaller side of a cut whose
// indicator is the proof: no LP, nothing to round.
#pragma once

#include <cstdint>
#include <vector>

#include "attack/reach.h"
#include "attack/view.h"
#include "flow/largest_flow.h"
#include "lacuna/evidence.h"
#include "table/network.h"

namespace lacuna::inline attack {

class FlowSearch {
 public:
  // The network must hold at least the free cells of the view; both must outlive the search.
  FlowSearch(const AttackView& view, const Network& network);

  // Moves the cell in the direction as far as it goes, or by `stop` units. A witness, if it moves
  // at all; a proof, unless it was stopped; a ray, if there is no end.
  Reach push(std::int32_t free, Direction direction, Units stop);

 private:
  Displacement moved(std::int32_t free, Wide amount, Direction direction) const;
  Displacement path_ray(std::int32_t free, Direction direction) const;
  Multipliers cut(std::int32_t part) const;

  const AttackView& view_;
  const Network& network_;
  std::int32_t ground_ = 0;
  std::vector<std::int32_t> part_;  // of the free cells at a node; the ground's is of no use
  LargestFlow<Wide> flow_;          // arcs by free cell
};

}  // namespace lacuna::inline attack
