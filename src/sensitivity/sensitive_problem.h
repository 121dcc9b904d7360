// SPDX-License-Identifier: Apache-2.0
// From the tabulation of records to the problem of protecting it: cells with codes, statuses,
// bounds and weights, the equations of all linked tables, protection levels and attackers.
#pragma once

#include <span>
#include <vector>

#include "lacuna/problem.h"
#include "lacuna/result.h"
#include "sensitivity/attackers.h"
#include "sensitivity/judge.h"
#include "sensitivity/options.h"
#include "table/apriori.h"
#include "tabulate/tabulation.h"

namespace lacuna::inline sensitivity {

struct SensitivityReport {
  std::vector<std::vector<Explanation>> explanations;  // per cell: all that say no, or "manual"
  AttackerCounts attackers;
  std::int64_t sensitive = 0;
  std::int64_t widened = 0;  // cells whose bounds were widened so that a level fits
  std::int64_t cut = 0;      // cells whose levels were cut at the bounds
};

// Cells stand in the order of the tabulation. The entries are applied one after the other; what an
// entry may do depends on the status so far, as in tau-ARGUS: S and PL want no secondary, P and M a
// safe cell, levels a sensitive one. A cost by hand is the weight of the cell, unless the weights
// are a formula with "cost", which then uses it.
// Errors: bad options, a tabulation that keeps fewer contributions than the rules need, an entry
// for a cell that is not there or that its status does not allow, a level that does not fit the
// bounds.
Result<Problem> make_sensitive_problem(const Tabulation& tabulation,
                                       const SensitivityOptions& options,
                                       std::span<const AprioriEntry> apriori,
                                       SensitivityReport& report);

}  // namespace lacuna::inline sensitivity
