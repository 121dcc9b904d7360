// SPDX-License-Identifier: Apache-2.0
// Numbers inside a slack that a reader can rule out: a cell that is one of a_1 < a_2 < ... (the
// candidates of a perturbation table, say) is none of those between. As displacements z = y - a,
//   z_i in [-down_i, up_i] less the holes [from, to] of cell i.
// An end of a slack that falls into a hole moves inward to its edge; so a case z <= k | z >= k + 1
// at a hole leaves it out, and evidence in whole numbers needs no other words for holes.
#pragma once

#include <algorithm>
#include <map>
#include <span>
#include <vector>

#include "judge/attack/slack.h"
#include "lacuna/evidence.h"

namespace lacuna::attack {

struct Hole {  // from <= z <= to is ruled out
  Units from = 0, to = 0;
};

class Holes {
 public:
  bool empty() const { return by_cell_.empty(); }
  // Of a cell with this true value that is one of these numbers, rising.
  void add(CellId cell, Units value, std::span<const Units> among);
  void add(CellId cell, std::span<const Hole> holes);
  std::span<const Hole> of(CellId cell) const;

  const Hole* around(CellId cell, const Integer& move) const;  // null: it is no hole
  Slack snapped(CellId cell, Slack slack) const;
  // Whether a whole displacement avoids all holes.
  bool admit(const Displacement& witness) const;
  // How many numbers of [-down, up] are ruled out.
  Integer missing(CellId cell, const Integer& down, const Integer& up) const;

 private:
  std::map<CellId, std::vector<Hole>> by_cell_;  // rising, apart
};

}  // namespace lacuna::attack
