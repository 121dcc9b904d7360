// SPDX-License-Identifier: Apache-2.0
// What a reader knows of counts because of how they were tabulated (docs/knowledge.md): a table
// without rows for empty cells has nobody's count in none of its rows,
//   y_i >= least_i,   least_i = 1 for every listed cell, and least of a sum that of its parts,
// and an atom of areas (atoms.h) holds at least as many persons as it has inhabited units. It is
// common knowledge, so it goes where that stands, the bounds of the cells: the audit in real and in
// whole numbers, certificates, the JSON of problems and both verifiers take it from there.
#pragma once

#include <span>

#include "lacuna/cross.h"
#include "lacuna/problem.h"
#include "lacuna/result.h"

namespace lacuna::inline table {

// The problem of readers who know that cell i is at least least[i], which is true of its value, and
// what follows for sums. Levels end there: nobody can be made to believe in less. Questions about counts stay.
Result<Problem> with_least(const Problem& problem, std::span<const Units> least);

// The same with 1 for every cell that is listed; those that nobody publishes may be empty.
Result<Problem> knowing_none_is_empty(const Problem& problem);

// Whether the tables leave out the rows of empty cells: none of their cells is zero, and some
// combination of codes of a table that is not open has no row.
bool leaves_out_empty(const Table& table, std::span<const CrossTable> tables);

}  // namespace lacuna::inline table
