// SPDX-License-Identifier: Apache-2.0
// Earlier releases of the same table: what they say of a cell is what every reader knows from then
// on, whatever comes next, so it becomes part of the prior. A number that was published stays
// published; an interval, a rounded or an altered number narrows what the next release can hide.
#pragma once

#include <string>
#include <vector>

#include "app/load/inputs.h"
#include "lacuna/problem.h"
#include "lacuna/result.h"

namespace lacuna::load {

// The problem as the readers of these releases see it, for methods and audits alike. Levels that
// the releases already break stay as they are: an audit then finds the cells exposed, and
// check_requirements() names the first. Errors: a file that is no release of this table; an
// adjusted release, whose numbers bound nothing.
Result<Problem> with_released(Problem problem,
                              const std::vector<std::string>& paths,
                              const Inputs& inputs = {});

}  // namespace lacuna::load
