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

namespace lacuna {

class ContributorFacts {
 public:
  ContributorFacts(int count, const RespondentTable* respondents) : top(count, respondents) {}
  void resize(std::size_t size) {
    contributors.resize(size, 0);
    absolute.resize(size, 0);
    top.resize(size);
  }
  void add(std::size_t at, const Share& share) {
    ++contributors[at];
    absolute[at] += share.amount < 0 ? -share.amount : share.amount;
    top.offer(at, share);
  }
  void merge(std::size_t at, const ContributorFacts& other, std::size_t from) {
    contributors[at] += other.contributors[from];
    absolute[at] += other.absolute[from];
    for (const Share& share : other.top.list(from))
      top.offer(at, share);
  }
  std::vector<std::int64_t> contributors;
  std::vector<Wide> absolute;
  TopLists top;
};

struct LeafShare {  // what a record adds to a leaf, by the number that all readers share
  std::uint32_t leaf_and_flags = 0;
  Units amount = 0;
};

// Records grouped by respondent.
struct SharesByRespondent {
  std::vector<std::size_t> start;  // by respondent, one more than there are
  std::vector<LeafShare> shares;
};

// Facts per cell. Error: the amounts of one respondent do not fit 63 bits.
Result<ContributorFacts> count_contributors(SharesByRespondent shares,
                                            const CellIndex& index,
                                            int top,
                                            const RespondentTable& respondents,
                                            const RunContext& run);

}  // namespace lacuna
