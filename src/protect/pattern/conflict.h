// SPDX-License-Identifier: Apache-2.0
// Why nothing can be published: an irreducible set of equations, levels and limits that no pattern
// meets together, while it meets any of them left out. Found by a deletion filter over the rows of
// the master (Chinneck and Dravnieks 1991), in blocks that shrink to single rows.
#pragma once

#include <string>

#include "protect/pattern/master.h"

namespace lacuna::pattern {

// One sentence, with as many labels as a reader can take in. Where the sum of the equations alone
// shows the contradiction (all coefficients even, the constant odd, in steps of the base), it says
// so. With an end to the effort: what is left then is contradictory, but may not be irreducible.
std::string explain_conflict(const Plan& plan,
                             const Master& master,
                             const std::string& engine,
                             const RunContext& run);

}  // namespace lacuna::pattern
