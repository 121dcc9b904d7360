// SPDX-License-Identifier: Apache-2.0
// Attackers and sensitive cells that nobody was asked about as a pair, because there are far too
// many: contributors times sensitive cells. An attacker k differs from the outsider only in cells
// that it knows something of, so that a witness of the outsider for a sensitive cell p that keeps
// within what k knows of these is a witness of k as well, and the levels of p hold against k, too.
// Only witnesses that move a cell beyond what its contributors know leave something open, and those
// cells have few contributors. So all pairs are settled by looking at the witnesses alone, each
// with the few who know the cells that it moves; none of the product is written down.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "lacuna/audit.h"
#include "lacuna/draft.h"
#include "lacuna/problem.h"

namespace lacuna::audit {

struct PairsLeftOpen {
  // No witness of the report shows that the levels of the cell hold against the attacker: an index
  // into the problem's attackers, from their number on into the others.
  std::vector<std::pair<std::int32_t, CellId>> pairs;
  std::int64_t cells = 0, attackers = 0;  // of these
};

// Of the attackers of the problem, and of others who know some cells, with the sensitive cells that
// share no sum with a cell that they know: the pairs of which no witness of the report shows that
// the levels hold. The report is that of an audit of problem and draft.
PairsLeftOpen pairs_left_open(const Problem& problem,
                              const Draft& draft,
                              const AuditReport& report,
                              std::span<const Attacker> others);

// The same problem with these pairs asked one by one: the levels of each cell against everyone are
// asked of that attacker as well. Attackers who were not of the problem are by then; what is asked
// already is left out.
struct ProblemWithPairs {
  std::shared_ptr<const Problem> problem;
  std::vector<std::int32_t> added;  // indices of the requirements of the pairs, ascending
};
ProblemWithPairs with_pairs(const Problem& problem,
                            std::span<const Attacker> others,
                            std::span<const std::pair<std::int32_t, CellId>> pairs);

}  // namespace lacuna::audit
