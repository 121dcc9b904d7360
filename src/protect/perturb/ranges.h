// SPDX-License-Identifier: Apache-2.0
// The range of numbers that may be published of a cell, and what it tells a reader.
#pragma once

#include "lacuna/perturb.h"
#include "protect/pattern/plan.h"

namespace lacuna::inline perturbation {

// Of a sensitive cell one choice or two, of any other a slide; of one without any range the value
// itself. Errors: a range that does not contain the truth, or that a prescribed number is out of.
Result<pattern::CellPlan> perturbed_plan(const Problem& problem,
                                         const PerturbOptions& options,
                                         CellId cell);

}  // namespace lacuna::inline perturbation
