// SPDX-License-Identifier: Apache-2.0
// By which published numbers a count is told: the areas and signs of a proof. With multipliers g
// and d = s f - M'g every table y has  f'y = s (d'y + g'b),  so that each published cell i counts
// s d_i times and the rest is bounded by what is known of the other cells. A chain is unrolled line
// by line: an end of a cell is a sum of the ends that its equation took.
#pragma once

#include <string>
#include <vector>

#include "lacuna/audit.h"
#include "lacuna/draft.h"
#include "lacuna/problem.h"

namespace lacuna::report {

struct CountSource {
  CellId cell;  // published
  Fraction times;
  bool operator==(const CountSource&) const = default;
};

// What the evidence of one end takes from the release, by rising cell; nothing if it has none, is a
// distinction of cases, or the release is one by cell keys.
std::vector<CountSource> sources_of(const Problem& problem,
                                    const Draft& draft,
                                    const AuditReport& report,
                                    const Finding& finding,
                                    Direction direction);

// "ward 7 - (district 3 + district 4)", without what all have in common with the cell in question.
// Of more than four terms three are named and the others counted: "ward 7 + ward 8 + ward 9 and 44
// more".
std::string sources_text(const Table& table, CellId about, const std::vector<CountSource>& sources);

}  // namespace lacuna::report
