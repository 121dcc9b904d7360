// SPDX-License-Identifier: Apache-2.0
// What a reader of counts takes from a release (docs/counts.md, section 1). With a the truth, t the
// threshold, and [s, t] what is said of a cell:
//   withheld, any                  [0, inf)
//   withheld, nonzero              [1, inf)
//   withheld, rule: a primary      [1, t - 1], from 0 where zeros are sensitive
//   withheld, rule: another cell   [t, inf)
//   an interval                    as stated; from 1 where zeros are never hidden
//   rounded to a multiple v        (v - r, v + r) with r = (steps + 1) base: what is a multiple
//                                  already stays as it is, so the ends themselves are excluded
//   altered                        as stated
// within the bounds that everyone knows and those that the attacker knows. An interval or altered
// cell that is one of some numbers (cell keys: the candidates of the number) is none between them.
#pragma once

#include <vector>

#include "judge/attack/holes.h"
#include "judge/attack/view.h"
#include "lacuna/counts.h"
#include "lacuna/draft.h"
#include "lacuna/problem.h"
#include "lacuna/result.h"

namespace lacuna::attack {

// What the rule alone tells of a cell that is withheld or published as an interval; nothing of
// cells in other states. A cell whose value it does not contain may not be hidden so.
Bounds implied_by_rule(const Table& table,
                       const CountRules& rules,
                       CellId cell,
                       StatementKind state);

struct CountSlacks {
  std::vector<Slack> slacks;  // of every cell, no end in a hole
  Holes holes;
};

// The slacks of an attacker. The problem has counts. Errors: a release at odds with what readers
// are told of withheld cells, such as a withheld zero where zeros are never withheld.
Result<CountSlacks> count_slacks(const Problem& problem,
                                 const Draft& draft,
                                 const Attacker& attacker);

}  // namespace lacuna::attack
