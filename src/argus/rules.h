// SPDX-License-Identifier: Apache-2.0
// The safety rules as tau-ARGUS evaluates them, in exact numbers. With x1 >= x2 >= ... the largest
// contributions to the shadow total X: (n,k)-dominance is unsafe if 100 (x1 + ... + xn) > k X; p%
// and (p,q) if p/100 x1 + q/100 (x1 + ... + x(n+1) - X) > 0; a frequency if 0 < f < minimum.
#pragma once

#include "argus/table.h"

namespace lacuna::argus {

// Status and levels of every cell, by its rules or (without any) by the status that it has.
void apply_rules(Table& table);
// The levels of a cell that is unsafe by hand: MAN percent of its response.
ProtectionLevels manual_levels(const Table& table, const Cell& cell);

}  // namespace lacuna::argus
