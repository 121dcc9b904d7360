// SPDX-License-Identifier: Apache-2.0
// A rounding base where nobody has chosen one: to compare methods, not to publish.
#pragma once

#include "lacuna/decimal.h"
#include "lacuna/problem.h"

namespace lacuna::job {

// The smallest of 1, 2, 5, 10, 20, ... units that is at least twice the largest protection level: a
// reader knows each cell up to one base, and on one side it may lie close to the true value.
Decimal suggested_base(const Problem& problem);

}  // namespace lacuna::job
