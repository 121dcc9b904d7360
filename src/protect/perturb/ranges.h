// SPDX-License-Identifier: Apache-2.0
// The range of numbers that may be published of a cell, and what it tells a reader
// (docs/knowledge.md): |a - v| <= told(r), where r is the width of the range and
//   told(r) = the least of 1, 2, 5, 10, 20, 50, ... units that is not below r,
// because r itself would give away the level or the percentage, and with it a. The number of a
// sensitive cell is drawn from its range for the same reason. Zeros that are not sensitive are
// published as they are, so that a number with a range is none.
#pragma once

#include <cstdint>

#include "lacuna/perturb.h"
#include "protect/pattern/plan.h"

namespace lacuna::perturbation {

struct Drawn {
  std::uint64_t seed = 1;
  bool zeros_shown = true;  // no zero is sensitive
};
Drawn drawn_from(const Problem& problem, std::uint64_t seed);

// The grid in units of the table; 1 if none is given. Errors: it is no positive number of the
// table.
Result<Units> grid_of(const Table& table, const PerturbSettings& settings);

Units told_width(Units reach);

// Of a sensitive cell a few choices, of any other a slide; of one without any range the value
// itself. Errors: a range that does not contain the truth, or that a prescribed number is out of.
Result<pattern::CellPlan> perturbed_plan(const Problem& problem,
                                         const PerturbOptions& options,
                                         const Drawn& drawn,
                                         CellId cell);

}  // namespace lacuna::perturbation
