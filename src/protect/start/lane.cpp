// SPDX-License-Identifier: Apache-2.0
#include "protect/start/lane.h"

namespace lacuna::start {

bool Lane::find(const RouteGoal& goal, bool mirrored, double budget, SearchKind kind) {
  if (goal.joint < 0)
    return find_for(goal, goal.attacker, mirrored, budget, kind);
  const bool for_all = find_for(goal, goal.joint, mirrored, budget, kind) &&
                       fits(pattern_state, router.steps(), goal);
  return for_all || find_for(goal, goal.attacker, mirrored, budget, kind);
}

bool Lane::find_for(const RouteGoal& goal,
                    std::int32_t attacker,
                    bool mirrored,
                    double budget,
                    SearchKind kind) {
  const SearchLimits& limits = kTuning.searches.of(kind);
  router.set_effort(limits.steps, limits.share, limits.slack);
  RouteQuery query{goal.cell, goal.direction, goal.level, attacker, budget, mirrored};
  ++searches;
  const RouteOutcome outcome = router.find(query);
  if (outcome == RouteOutcome::kFound)
    return true;
  // What is lost in one direction is mostly lost in the other, too.
  if (!mirrored || (kind == SearchKind::kBrief && outcome == RouteOutcome::kGivenUp))
    return false;
  query.mirrored = false;
  ++searches;
  return router.find(query) == RouteOutcome::kFound;
}

}  // namespace lacuna::start
