// SPDX-License-Identifier: Apache-2.0
// Who contributes to a cell: distinct contributors, the sum of the sizes of their contributions,
// and the largest of them, exactly. The records of a respondent are brought together first, one
// amount per leaf; each is one entry of its leaf, and the entries of leaves are merged upward. Only
// in cells that hold several leaves of the respondent (shared_cells.h) are amounts added up.
//
// With amounts that are not negative the k largest of every leaf suffice: who is not among them has
// k others before it in the leaf, and these are before it in every cell above where it has no other
// leaf, because their sums are no less there. Where amounts may be negative (sums can be smaller
// than their parts), or a respondent has very many leaves, a respondent with several leaves is no
// entry of leaves, and its amounts are added up in each cell above one of them.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "data/tabulate/roll_up.h"
#include "data/tabulate/shares.h"
#include "data/tabulate/top_list.h"
#include "lacuna/result.h"
#include "lacuna/run_context.h"
#include "lacuna/units.h"

namespace lacuna::tabulation {

struct CountPlan {
  int top = 0;
  const RespondentTable* respondents = nullptr;
  bool any_negative = false;  // if not, the sum of sizes is the sum, and is not made again
};

struct ContributorFacts {  // per cell
  ContributorFacts(std::size_t size, const CountPlan& plan)
      : contributors(size, 0),
        absolute(plan.any_negative ? size : 0, 0),
        top(plan.top, plan.respondents) {
    top.resize(size);
  }
  std::vector<std::int64_t> contributors;
  std::vector<Wide> absolute;  // empty unless there are negative amounts
  TopLists top;
};

// Makes the shares of a shard; each is asked for once, by any thread.
using ShardMaker = std::function<ShardShares(std::size_t shard)>;

// Facts per cell. Into `kept`, unless null, go the shares, those of each respondent sorted by leaf.
// Error: the amounts of one respondent do not fit 63 bits.
Result<ContributorFacts> count_contributors(const ShardMaker& make,
                                            SharesByRespondent* kept,
                                            const CellIndex& index,
                                            const CountPlan& plan,
                                            const RunContext& run);

}  // namespace lacuna::tabulation
