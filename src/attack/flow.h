// SPDX-License-Identifier: Apache-2.0
// Attacker problems in networks. If the equations are nodes and the cells arcs (table/network.h), a
// displacement is a circulation, and the farthest a cell can move is a largest flow from one end of
// its arc to the other over the remaining arcs, whose capacities are the rooms (Cox 1980; Kelly,
// Golden, Assad 1992). Augmenting along shortest paths (Edmonds and Karp 1972) in integers gives
// short, integral witnesses, and the nodes reached at the end are the smaller side of a cut whose
// indicator is the proof: no LP, nothing to round.
#pragma once

#include <cstdint>
#include <vector>

#include "attack/reach.h"
#include "attack/view.h"
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
  struct Arc {
    std::int32_t from = 0, to = 0;
  };
  struct Step {  // how a node was reached
    std::int32_t arc = -1;
    bool forward = false;
  };

  Units residual(std::int32_t arc, bool forward) const;  // kUnboundedAbove: no limit
  bool find_path(std::int32_t source, std::int32_t sink, std::int32_t without);
  Displacement moved(std::int32_t free, Wide amount, Direction direction) const;
  Displacement path_ray(std::int32_t source,
                        std::int32_t sink,
                        std::int32_t free,
                        Direction direction) const;
  Multipliers cut(std::int32_t part) const;
  void change(std::int32_t arc, Wide amount);

  const AttackView& view_;
  const Network& network_;
  std::int32_t ground_ = 0;
  std::vector<Arc> arcs_;                           // by free cell
  std::vector<std::vector<std::int32_t>> at_node_;  // arcs with an end there
  std::vector<std::int32_t> part_;  // of the free cells at a node; the ground's is of no use
  std::vector<Wide> move_;          // of the free cells, zero between pushes
  std::vector<std::int32_t> touched_;
  std::vector<Step> reached_by_;
  std::vector<std::int32_t> reached_;  // nodes, in order; mark_ is the round they belong to
  std::vector<std::int32_t> mark_;
  std::int32_t round_ = 0;
};

}  // namespace lacuna::inline attack
