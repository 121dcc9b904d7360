// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "lacuna/problem.h"
#include "lacuna/result.h"

namespace lacuna::table {

// Whether the numbers of a table can be counts: no decimals, nothing negative.
Status check_are_counts(const Table& table);

// Whether rules fit a problem: numbers within range, questions that name cells,
// attackers and requirements that are there, and forms that are those of their kinds.
Status check_count_rules(const Problem& problem, const CountRules& rules);

// The requirement that a question about levels stands for; null if it is not there.
const Requirement* requirement_about(const Problem& problem, CellId cell, std::int32_t attacker);

// Questions about levels of requirements that are gone.
void drop_levels_without_requirement(const Problem& problem, std::vector<CountQuestion>& questions);

// The form of a question: of all kinds but kAll and kGroup the cell itself.
LinearForm form_of_cell(CellId cell);
LinearForm form_of_rest(CellId group, std::vector<CellId> parts);  // y_group - sum of parts

}  // namespace lacuna::table
