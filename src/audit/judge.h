// SPDX-License-Identifier: Apache-2.0
// From confirmed ends to a verdict. No tolerance: fractions are compared exactly.
#pragma once

#include "lacuna/audit.h"

namespace lacuna {

// The requirement against the two ends (thesis (3.5)); `published` if the draft shows the cell as
// it is, which no sensitive cell may be.
void judge(Finding& finding, bool published, int decimals);

// The worst of all findings; protected if there are none.
Verdict overall(const std::vector<Finding>& findings);

}  // namespace lacuna
