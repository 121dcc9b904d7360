// SPDX-License-Identifier: Apache-2.0
// Witnesses of rounded tables without any search: one leaf moves, and with it every sum that it
// goes into. Rounding leaves room on both sides of nearly every cell, so that this is enough for
// levels well below the base, for a million cells as for ten. They are suggestions: the audit
// checks each in integers, and searches where they fall short.
#pragma once

#include <vector>

#include "lacuna/draft.h"
#include "lacuna/evidence.h"
#include "lacuna/problem.h"

namespace lacuna::rounding {

// For every requirement up to one displacement in each direction that its levels ask for.
std::vector<Displacement> leaf_witnesses(const Problem& problem, const Draft& draft);

}  // namespace lacuna::rounding
