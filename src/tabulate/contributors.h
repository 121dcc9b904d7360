// SPDX-License-Identifier: Apache-2.0
// Who contributes to a cell: distinct contributors, the sum of the sizes of their contributions,
// and the largest of them, exactly. The records of a respondent are brought together first. If all
// lie in one leaf (the common case), the respondent is one entry of that leaf, and the entries of
// leaves are merged upward. Otherwise the respondent's amounts are added up in each cell apart.
#pragma once

#include <cstdint>
#include <vector>

#include "lacuna/result.h"
#include "lacuna/run_context.h"
#include "lacuna/units.h"
#include "tabulate/record_reader.h"
#include "tabulate/roll_up.h"
#include "tabulate/top_list.h"

namespace lacuna::inline tabulation {

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

struct LeafShare {  // what a record adds to a leaf, by the number that all readers share
  std::uint32_t leaf_and_flags = 0;
  Units amount = 0;
  std::uint32_t leaf() const { return leaf_and_flags >> RecordShare::kFlagBits; }
  std::uint32_t flags() const { return leaf_and_flags & ((1U << RecordShare::kFlagBits) - 1); }
};

// Records grouped by respondent.
struct SharesByRespondent {
  std::vector<std::size_t> start;  // by respondent, one more than there are
  std::vector<LeafShare> shares;
};

// Facts per cell; the shares of each respondent are sorted by leaf on the way. Error: the amounts
// of one respondent do not fit 63 bits.
Result<ContributorFacts> count_contributors(SharesByRespondent& shares,
                                            const CellIndex& index,
                                            const CountPlan& plan,
                                            const RunContext& run);

}  // namespace lacuna::inline tabulation
