// SPDX-License-Identifier: Apache-2.0
// Attackers from the contributions: every respondent of a sensitive cell, and coalitions of up to r
// respondents of one, each with what they know of all their cells (docs/sensitivity.md):
//   y_i >= own contribution, and y_i = own where nobody else contributes and they know that.
// All their cells, because cells that are not sensitive are withheld later. Lower bounds of sums
// that follow from those of the parts are not written down.
// Of a cell to which they did not contribute they must not learn more than anyone, thesis (3.1) and
// (3.2); of their own cells not more than what keeps the largest other contribution protected.
//
// A requirement follows from that of another attacker who knows at least as much and against whom
// the levels are at least as high; such requirements are left out, and attackers without any.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "data/sensitivity/rule_check.h"
#include "lacuna/problem.h"
#include "lacuna/tabulation.h"

namespace lacuna::sensitivity {

struct SensitiveCell {
  CellId cell;
  std::vector<Hit> hits;
  Levels levels;         // for everyone who did not contribute
  bool by_hand = false;  // the levels do not come from the hits
};

struct AttackerList {
  std::vector<Attacker> attackers;        // the outsider first
  std::vector<Requirement> requirements;  // the outsider's are all there
  std::vector<Attacker> covered;          // who have none of their own: others' cover theirs
  AttackerCounts counts;
};

// `sensitive` by rising cell. With `signed_contributions` an own contribution is no lower bound of
// a cell.
AttackerList make_attackers(const Tabulation& tabulation,
                            const Table& table,
                            std::span<const SensitiveCell> sensitive,
                            const SensitivityRules& rules,
                            bool signed_contributions);

}  // namespace lacuna::sensitivity
