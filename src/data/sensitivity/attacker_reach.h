// SPDX-License-Identifier: Apache-2.0
// How far attackers reach: every contributor must be kept from every sensitive cell, which are
// contributors times sensitive cells requirements. Where these are too many to be asked one by one,
// and the job does not say how far they reach, each is kept from the cells in the sums of its own,
// which is where a subtraction begins; and it is said (docs/sensitivity.md).
#pragma once

#include <span>
#include <string>
#include <vector>

#include "lacuna/apriori.h"
#include "lacuna/problem.h"
#include "lacuna/result.h"
#include "lacuna/sensitivity.h"

namespace lacuna::sensitivity {

// make_sensitive_problem() with the reach of the options if that is stated, else with the widest
// that there is room for, which the options then have. Adds a note if that is not the whole table.
Result<Problem> problem_in_reach(const Tabulation& tabulation,
                                 SensitivityOptions& options,
                                 bool reach_is_stated,
                                 std::span<const AprioriEntry> apriori,
                                 SensitivityReport& report,
                                 std::vector<std::string>& notes);

// What is said where the memory is not enough: the likely cause, and what to change.
Error out_of_memory();

}  // namespace lacuna::sensitivity
