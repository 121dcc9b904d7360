// SPDX-License-Identifier: Apache-2.0
#include "job/levels.h"

namespace lacuna::inline job {

Result<Problem> with_levels(Problem problem, const std::string& levels) {
  if (levels.empty() || levels == "file")
    return problem;
  if (levels != "none" && levels != "minimal")
    return Error{
        ErrorCode::kBadOption, "the levels are file or minimal, not '" + levels + "'", "--levels"};
  for (Requirement& need : problem.requirements) {
    const Attacker& who = problem.attackers[static_cast<std::size_t>(need.attacker)];
    const bool known = known_bounds(problem.table, who, need.cell).is_point();
    need.lower = need.upper = 0;
    need.sliding = known ? 0 : 1;
  }
  return problem;
}

}  // namespace lacuna::inline job
