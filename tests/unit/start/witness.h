// SPDX-License-Identifier: Apache-2.0
// Steps as evidence: scaled to the level of a goal, does the exact check accept them?
#pragma once

#include <gtest/gtest.h>

#include <vector>

#include "core/base/exact.h"
#include "judge/attack/evidence_check.h"
#include "judge/attack/view.h"
#include "protect/start/route_assignment.h"

namespace lacuna::testing {

// Within the slacks that the goal's attacker has if just these cells are withheld; `turn` -1: the
// mirrored one.
inline void expect_serves(const Problem& problem,
                          const start::Route& steps,
                          const start::RouteGoal& goal,
                          int turn) {
  const Units own = start::move_of(steps, goal.cell);
  ASSERT_NE(own, 0);
  Displacement witness;
  for (const start::RouteStep& step : steps) {
    witness.cells.push_back(step.cell);
    witness.moves.emplace_back(static_cast<long>(turn * step.move));
    witness.moves.back() *= static_cast<long>(goal.level);
  }
  witness.denominator = static_cast<long>(own > 0 ? own : -own);
  const Attacker& attacker = problem.attackers()[static_cast<std::size_t>(goal.attacker)];
  const auto slacks =
      attack::attacker_slacks(problem.table(), Draft::withholding(witness.cells), attacker);
  const Status holds = attack::check_displacement(problem.table(), slacks, witness);
  EXPECT_TRUE(holds) << holds.error().text();
  Fraction moved = attack::displacement_of(witness, goal.cell, goal.direction);
  EXPECT_EQ(abs(moved), static_cast<long>(goal.level));
}

}  // namespace lacuna::testing
