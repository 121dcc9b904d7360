// SPDX-License-Identifier: Apache-2.0
// The one rule for gaps. A tree has a solution of cost c (infinite: none yet) and a bound b that no
// solution is below. What would not be cheaper than the cutoff is not looked for,
//   cutoff(c) = c - max(rounding, pruned) |c| - step,  and `ceiling` while there is no solution,
// so that all solutions left are below it; the gap that was asked for is proven as soon as
//   reached(c, b):  b >= cutoff(c)  or  c - b <= gap (c + offset);
// and cost and bound meet, up to what costs are known to, if b >= c - rounding |c| - step.
//
// The methods differ in the parameters alone:
//   suppression  whole weights: step 0.999, as what is cheaper is cheaper by one; other weights:
//                rounding. Nodes are pruned by these, never by the gap, which is relative to the
//                whole cost: that of the columns and `offset`, what is withheld in any case.
//   combined     rounding, and pruned = gap = the larger of it and the gap asked for: nothing is
//                looked for within it.
//   adjustment   pruned is a share of the gap asked for, as rounding the table needs the rest, and
//                gap is that share and an allowance for the rounding of sums. Without a table the
//                cost of the farthest one within the bounds is the ceiling.
//   whole questions have no cost: cases close by proofs.
#pragma once

#include <limits>

#include "lacuna/run_context.h"

namespace lacuna::branching {

struct GapRule {
  double rounding = 0;  // relative difference of two costs that is none
  double step = 0;      // what is cheaper at all is cheaper by more than this
  double pruned = 0;    // relative: what would be cheaper by less is not looked for
  double gap = 0;       // relative: asked for
  double offset = 0;    // cost outside the tree, to which the gap is relative, too
  double ceiling = std::numeric_limits<double>::infinity();

  double cutoff(double cost) const;
  bool met(double cost, double bound) const;
  bool reached(double cost, double bound) const;
  double settled(double cost, double bound) const {  // the cost, once the bound has met it
    return met(cost, bound) ? cost : bound;
  }
  // Why a search ended that has a solution, or that has none and has not proven it.
  StopReason why(double cost, double bound, const RunContext& run) const;
};

}  // namespace lacuna::branching
