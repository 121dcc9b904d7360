// SPDX-License-Identifier: Apache-2.0
// The verdict on an adjusted table, in integers alone. With x the published and a the true values:
//   the equations hold exactly for x, and x lies within the bounds that everyone knows;
//   a requirement of cell i is met if x_i >= a_i + u or x_i <= a_i - l, and x_i is not a_i, where u
//   and l are its levels, at least half of the sliding level
// ((6) of Castro, Frangioni and Gentile). The reader has no ranges, so there is nothing to attack
// with; what one who knows the method could guess is in the risk report of docs/adjustment.md.
#pragma once

#include <vector>

#include "lacuna/audit.h"

namespace lacuna::audit {

// Of a draft that passed check_draft. Errors: an equation that does not add up, a number out of
// bounds.
Status check_adjusted(const Table& table, const Draft& draft);

// Verdict and reason on a question about one cell.
void judge_adjusted(const Problem& problem, const Draft& draft, Finding& finding);

}  // namespace lacuna::audit
