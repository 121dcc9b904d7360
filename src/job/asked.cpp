// SPDX-License-Identifier: Apache-2.0
#include "job/asked.h"

#include "job/released.h"

namespace lacuna::inline job {
namespace {

void ask_the_least(Problem& problem) {
  for (Requirement& need : problem.requirements) {
    const Attacker& who = problem.attackers[static_cast<std::size_t>(need.attacker)];
    const bool known = known_bounds(problem.table, who, need.cell).is_point();
    need.lower = need.upper = 0;
    need.sliding = known ? 0 : 1;
    need.origin = LevelOrigin::kGiven;
  }
}

}  // namespace

Result<Problem> as_asked(Problem problem, const Asked& asked, const Inputs& inputs) {
  const bool minimal = asked.levels == "minimal" || asked.levels == "none";
  if (!minimal && !asked.levels.empty() && asked.levels != "file")
    return Error{ErrorCode::kBadOption,
                 "the levels are file or minimal, not '" + asked.levels + "'",
                 "--levels"};
  const bool stated = asked.zero_levels == "stated";
  if (!stated && asked.zero_levels != "raised")
    return Error{ErrorCode::kBadOption,
                 "zero levels are raised or stated, not '" + asked.zero_levels + "'",
                 "--zero-levels"};
  if (minimal)
    ask_the_least(problem);
  else if (stated)
    problem = with_zero_levels_stated(std::move(problem));
  return with_released(std::move(problem), asked.released, inputs);
}

HiddenOnly hidden_only(const Problem& problem) {
  HiddenOnly count;
  CellId last;
  for (const Requirement& need : problem.requirements) {
    if (!need.asks_nothing() || need.cell == last)
      continue;
    last = need.cell;
    const Attacker& who = problem.attackers[static_cast<std::size_t>(need.attacker)];
    const bool known = known_bounds(problem.table, who, need.cell).is_point();
    count.known += known ? 1 : 0;
    count.cells += known ? 0 : 1;
  }
  return count;
}

std::string hidden_only_text(const HiddenOnly& count) {
  std::string text;
  if (count.cells > 0)
    text = std::to_string(count.cells) +
           " sensitive cells have zero levels and only had to be hidden: totals may tell them";
  if (count.known > 0)
    text += (text.empty() ? "" : "; ") + std::to_string(count.known) +
            " sensitive cells are known to an attacker in advance: nothing can hide them";
  return text;
}

}  // namespace lacuna::inline job
