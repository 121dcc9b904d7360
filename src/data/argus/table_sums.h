// SPDX-License-Identifier: Apache-2.0
// Sums over the codes of a table: totals from their parts, and the sums that do not hold.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "data/argus/table.h"
#include "lacuna/result.h"

namespace lacuna::argus {

inline constexpr std::size_t kMostCells = 20'000'000;

// All combinations of codes. Errors: more than kMostCells, with the sizes.
Result<std::size_t> num_cells(const std::vector<CodeList>& variables);

bool add_to(Units& sum, Wide amount);  // false: the sum would not fit
Error sum_too_large(const Table& table, std::size_t cell);

// Keeps the list falling and no longer than `top`; of equal sizes the first stays first. `weights`
// (or null) goes along.
void offer_largest(std::vector<Units>& list,
                   Units size,
                   std::size_t top,
                   std::vector<Units>* weights,
                   Units weight);
void add_key(Table& table, std::size_t cell, const CellKeySums& part);
void keep_larger(RequestedShare& kept, const RequestedShare& offered);

// Every cell of a code with others below it becomes the sum of theirs: response, shadow, records,
// weights; the largest contributions and requests are those of its parts. Before, such cells hold
// nothing. `costs` may be empty.
Status add_up_totals(Table& table, std::vector<Units>& costs, std::size_t top);

// The first sums of the response that do not hold, at most so many, as text: "Age=Total|Sex=1 is
// 120, its 3 parts make 119".
std::vector<std::string> broken_sums(const Table& table, std::size_t most);

// Whether all of them hold as tau-ARGUS compares doubles: |a - b| < 2/10^14 |a + b|, or 1/10^14.
bool sums_nearly_hold(const Table& table);
// Cells with a code that has others below it.
std::vector<bool> totals_of(const Table& table);
// By cell: its cost, or the sum of those of its parts.
std::vector<double> summed_costs(const Table& table);
// The response of every such cell becomes the sum of its parts; nothing else changes.
Status set_responses_of_totals(Table& table);

}  // namespace lacuna::argus
