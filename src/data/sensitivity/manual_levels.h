// SPDX-License-Identifier: Apache-2.0
// What must stay open of a cell a that is called sensitive by hand: a share of its value, as the
// safety range of tau-ARGUS for manual cells (manual_range of [levels], 20 percent where a job says
// nothing),
//   upper = lower = manual_range / 100 * |a|,
// against everyone that the other sensitive cells are kept from. Whoever knows a part k of the cell
// in advance is kept from the same share of the rest, (a - k) / a of the levels.
#pragma once

#include <vector>

#include "lacuna/problem.h"
#include "lacuna/result.h"
#include "lacuna/sensitivity.h"

namespace lacuna::sensitivity {

// Against the outsider. Never beyond what everyone knows of the cell: no release can leave open
// more. Errors: options that are none, a level too large for a table number.
Result<Requirement> manual_level(const Table& table,
                                 const Cell& cell,
                                 CellId id,
                                 const SensitivityOptions& options);

// The same against all other attackers of the problem, as far as they reach. Who knows the cell
// already cannot be kept from it and is left out.
std::vector<Requirement> manual_levels_for_insiders(const Table& table,
                                                    const std::vector<Attacker>& attackers,
                                                    const Requirement& outside,
                                                    const SensitivityOptions& options);

}  // namespace lacuna::sensitivity
