// SPDX-License-Identifier: Apache-2.0
// What is public of a table before it is released, for a run against the owner of the program
// (docs/owner.md): sizes and weights from last period's public file, one width for every sensitive
// cell that follows from them, and, where a rule on values says what is sensitive, on which side of
// the rule each cell is. Nothing else may decide what the program does.
#pragma once

#include <vector>

#include "app/load/assessment.h"
#include "app/load/inputs.h"
#include "lacuna/problem.h"
#include "lacuna/result.h"
#include "protect/owner/public_course.h"

namespace lacuna::load {

// The problem with public widths in the place of all levels; a rule on counts is closed by zeros
// and a guard band, and everyone is taken to know which cells it makes sensitive. Errors: what
// would depend on hidden values; a width that nothing public gives.
Result<Problem> with_public_widths(Problem problem,
                                   const Assessment& asked,
                                   const Inputs& inputs);

// Of the problem as it was made by that.
Result<owner::PublicParts> public_parts(const Problem& problem,
                                        const Assessment& asked,
                                        const Inputs& inputs);

// What is said of no cell is estimated: of what a sum leaves, all its blanks have equal parts.
// `told`: by cell, kUnboundedBelow where nothing is told.
std::vector<Units> estimated_sizes(const Table& table, std::vector<Units> told);

}  // namespace lacuna::load
