// SPDX-License-Identifier: Apache-2.0
// The interval problem as one LP (Figure 6 of Salazar-Gonzalez 2002; (3) of Castro and Via): for
// every requirement one displacement f up and one displacement g down, both within the published
// intervals and the attacker's own bounds. Its size is cells times requirements, so it serves small
// tables: the bench that redraws the numbers of Castro and Via, and tests, as the oracle of the
// cutting planes.
#pragma once

#include <string>
#include <vector>

#include "lacuna/lp.h"
#include "protect/interval/model.h"

namespace lacuna::models {

struct CompactModel {
  LpModel lp;
  std::vector<std::int32_t> column_of_end;  // -1: not a variable
};

CompactModel compact_model(const interval::Model& model);

// The least cost in the user's unit; kInfeasible if no intervals meet the requirements.
struct CompactResult {
  LpStatus status = LpStatus::kNumericalTrouble;
  double cost = 0;
  std::vector<double> z;  // by end
};
Result<CompactResult> solve_compact(const interval::Model& model,
                                    const std::string& engine,
                                    const RunContext& run);

}  // namespace lacuna::models
