// SPDX-License-Identifier: Apache-2.0
// What a cell-key release of counts tells by showing different numbers (docs/knowledge.md, "Cell
// keys"): the same units get the same noise, so cells with different numbers are different sets.
// With T a sum and c one of its parts, or a part of a part,
//   shown T != shown c                  =>  y_T - y_c >= 1                                     (1)
// because a rest of 0 would make them the same units; and with P and Q sums of which the blank
// cell c is a part of each,
//   shown P != shown Q                  =>  (y_P - y_c) + (y_Q - y_c) >= 1.                    (2)
// Where all cells between show numbers, (1) of single equations is all there is: of a chain of
// nested cells with different numbers at its ends, two neighbors differ. Blank cells are passed.
#pragma once

#include <vector>

#include "lacuna/counts.h"
#include "lacuna/draft.h"
#include "lacuna/table.h"

namespace lacuna::draft {

struct Difference {     // form >= 1, in whole numbers
  LinearForm form;      // rising cells
  EquationId equation;  // (1) of a single equation: the first that has both cells; else -1
};

// Those that the ranges of the cells, [prior and statement], do not imply by themselves, in the
// order of their cells, (1) before (2). A number of a release whose numbers all add up may have
// been moved for that; what is compared there is what it says of the truth. What is not true of the
// table was made by another rule and tells nothing.
std::vector<Difference> differences_shown(const Table& table, const Draft& draft);

}  // namespace lacuna::draft
