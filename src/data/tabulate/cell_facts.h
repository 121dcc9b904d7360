// SPDX-License-Identifier: Apache-2.0
// Last steps of every tabulation, whether it began with records or with sums of a database: what is
// known of contributors goes to the cells.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "data/tabulate/contributors.h"
#include "data/tabulate/roll_up.h"
#include "data/tabulate/top_list.h"
#include "lacuna/result.h"
#include "lacuna/tabulate_options.h"
#include "lacuna/tabulation.h"

namespace lacuna::tabulation {

std::vector<LinkedTable> cross_tables(const TabulateOptions& options);

// The codes of a cell, for messages.
std::string label(const Tabulation& tabulation, std::size_t cell);
Error sum_does_not_fit(const Tabulation& tabulation, std::size_t cell);

// To a whole number, halves upward.
std::int64_t rounded(Wide sum, int decimals);

Contribution to_contribution(const Share& share);  // without the respondent

// Returns the numbers, in the order of Tabulation::respondents, that these have in the shares.
std::vector<std::uint32_t> fill_contributors(const ContributorFacts& facts,
                                             const RespondentTable& respondents,
                                             bool tagged,
                                             Tabulation& tabulation);

// Whether every listed cell is a count of at least 1, and known to be, since the others are not
// listed: records are counted (by whole weights where there are some), and there is no zero.
bool none_is_empty(const Tabulation& tabulation, const TabulateOptions& options);

// `shares` as count_contributors has left them.
std::shared_ptr<const LeafContributions> leaf_contributions_of(
    SharesByRespondent& shares, const std::vector<std::uint32_t>& named, CellIndex index);

}  // namespace lacuna::tabulation
