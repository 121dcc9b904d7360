// SPDX-License-Identifier: Apache-2.0
// Largest flows in whole numbers (judge/attacker/flow.h) as evidence: short, integral witnesses,
// and the indicator of a smallest cut as proof, with nothing to round.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "core/table/network.h"
#include "judge/attack/reach.h"
#include "judge/attack/view.h"
#include "judge/attacker/flow.h"
#include "lacuna/evidence.h"

namespace lacuna::attack {

class FlowSearch {
 public:
  // The network must hold at least the free cells of the view; both must outlive the search.
  FlowSearch(const AttackView& view, const table::Network& network);

  // Moves the cell in the direction as far as it goes, or by `stop` units. A witness, if it moves
  // at all; a proof, unless it was stopped; a ray, if there is no end.
  Reach push(std::int32_t free, Direction direction, Units stop);

 private:
  static Displacement moved(std::vector<std::pair<CellId, Wide>> moves);
  Multipliers cut(std::int32_t part) const;

  const AttackView& view_;
  const table::Network& network_;
  std::vector<std::int32_t> part_;      // of the free cells at a node; the ground's is of no use
  attacker::NetworkSearch<Wide> flow_;  // by free cell
};

}  // namespace lacuna::attack
