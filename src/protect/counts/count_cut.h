// SPDX-License-Identifier: Apache-2.0
// What an attack in whole numbers says of other patterns. Its evidence does not mention cells with
// d_i = 0 in a proof, a whole entry in a step, or outside the equations of a chain: it holds for
// every pattern that publishes the cells which it does mention. So of these at least one is
// withheld in every pattern that withholds what this one does and is safe:
//   sum over { i published : d_i != 0, or (f/q - M'h)_i not whole, or i in a chain } of x_i >= 1
// with d = s f - M'g (docs/counts.md). Cuts together are met by a cheap hitting set.
#pragma once

#include <functional>
#include <vector>

#include "lacuna/audit.h"

namespace lacuna::counts {

using CountCut = std::vector<CellId>;  // ascending; empty: no pattern will do

// Of a finding that is exposed; of one that is undecided the cells next to it, which proves
// nothing.
CountCut count_cut(const Problem& problem,
                   const Draft& draft,
                   const AuditReport& report,
                   const Finding& finding,
                   const std::function<bool(CellId)>& may_hide);

// Cells that meet every cut, cheap by the greedy rule (most cuts per weight) and none in vain.
std::vector<CellId> meet_cuts(const Table& table, const std::vector<CountCut>& cuts);

}  // namespace lacuna::counts
