// SPDX-License-Identifier: Apache-2.0
// What a reader knows of counts because of how they were tabulated (docs/knowledge.md): a table
// without rows for empty cells has nobody's count in none of its rows,
//   y_i >= least_i,   least_i = 1 for every listed cell, and least of a sum that of its parts,
// where some kind of rows lists zeros (sums, say) the rows of every other kind for themselves,
// and an atom of areas (atoms.h) holds at least as many persons as it has inhabited units. It is
// common knowledge, so it goes where that stands, the bounds of the cells: the audit in real and in
// whole numbers, certificates, the JSON of problems and both verifiers take it from there.
#pragma once

#include <span>
#include <vector>

#include "lacuna/linked_tables.h"
#include "lacuna/problem.h"
#include "lacuna/result.h"

namespace lacuna::table {

// The problem of readers who know that cell i is at least least[i], which is true of its value, and
// what follows for sums. Levels end there: nobody can be made to believe in less. Questions about
// counts stay.
Result<Problem> with_least(const Problem& problem, std::span<const Units> least);

// The same with what least_by_rows() has found; no list at all leaves the problem as it is.
Result<Problem> knowing_rows(Problem problem, std::span<const Units> least);

// The same with 1 for every cell that is listed; those that nobody publishes may be empty.
Result<Problem> knowing_none_is_empty(const Problem& problem);

// What becomes of the rows of empty cells.
enum class EmptyRows {
  kUnknown,  // the rows tell: they are left out where none is zero and some combination has no row
  kLeftOut,  // they have no row, whether or not there is one that could
};

// What the rows that are listed tell of their counts: 1, or kUnboundedBelow for nothing. Rows of
// one kind, all of them, those with the same dimensions at their totals, or those of the same
// levels, are not empty if none is listed as zero and some combination of their codes, in a table
// that is not open, has no row. Empty: nothing of any cell.
std::vector<Units> least_by_rows(const Table& table,
                                 std::span<const LinkedTable> tables,
                                 EmptyRows empty = EmptyRows::kUnknown);

}  // namespace lacuna::table
