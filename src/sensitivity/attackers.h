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

#include "lacuna/problem.h"
#include "sensitivity/judge.h"
#include "tabulate/tabulation.h"

namespace lacuna::inline sensitivity {

struct SensitiveCell {
  CellId cell;
  std::vector<Hit> hits;
  Levels levels;         // for everyone who did not contribute
  bool by_hand = false;  // the levels do not come from the hits
};

struct AttackerCounts {
  std::int64_t respondents = 0;  // that contribute visibly to a sensitive cell
  std::int64_t anonymous = 0;    // of them: contributions of nobody knows whom, each its own
  std::int64_t coalitions = 0;   // of two and more
  std::int64_t largest_coalition = 0;
  bool all_cells = false;         // they know their contributions to all cells
  std::int64_t kept = 0;          // attackers besides the outsider
  std::int64_t merged = 0;        // whose requirements all follow from those of others
  std::int64_t requirements = 0;  // of kept attackers
  std::int64_t implied = 0;       // requirements that follow from others
  std::int64_t out_of_reach = 0;  // left out by the option attacker-reach = equation
};

struct AttackerList {
  std::vector<Attacker> attackers;        // the outsider first
  std::vector<Requirement> requirements;  // the outsider's are all there
  AttackerCounts counts;
};

// `sensitive` by rising cell. With `signed_contributions` an own contribution is no lower bound of
// a cell.
AttackerList make_attackers(const Tabulation& tabulation,
                            const Table& table,
                            std::span<const SensitiveCell> sensitive,
                            const SensitivityRules& rules,
                            bool signed_contributions);

}  // namespace lacuna::inline sensitivity
