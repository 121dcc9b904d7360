// SPDX-License-Identifier: Apache-2.0
// From confirmed ends to a verdict. No tolerance: fractions are compared exactly.
#pragma once

#include <cstddef>
#include <vector>

#include "lacuna/audit.h"

namespace lacuna::inline audit {

// Whether the release states the value of the cell: exactly, or by a range that is a point.
bool is_published(const Table& table, const Draft& draft, CellId cell);

// The verdict of a requirement that stands: one that asks for nothing is not called protected.
Verdict met(const Requirement& need);

// The requirement against the two ends (thesis (3.5)); `published` if the draft shows the cell as
// it is, which no sensitive cell may be.
void judge(Finding& finding, bool published, int decimals);

// What is exposed is waived where the problem says so; nothing else is.
Verdict waived(const Problem& problem, Verdict found);

// The worst of all findings, those about counts among them; unasked if none asks anything.
Verdict overall(const AuditReport& report);

// Indices of the findings of each attacker, so that what belongs to an attacker is computed once.
std::vector<std::vector<std::size_t>> by_attacker(const std::vector<Finding>& findings,
                                                  std::size_t attackers);

}  // namespace lacuna::inline audit
