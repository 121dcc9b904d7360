// SPDX-License-Identifier: Apache-2.0
// Whole moves that take a form to its level. With z = x+ - x-, both >= 0 and within the slacks,
//   M z = 0,  s f'z >= level,
// first the shortest move of the linear program, min sum x+ + x-: its vertices are made of few
// elementary moves of the table, and are whole more often than those far away; then any whole
// solution, by the engine's branch and bound. Either is only a suggestion, checked in integers.
// That the engine finds none proves nothing: proofs are the matter of integer_tree.h.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "judge/attack/slack.h"
#include "lacuna/evidence.h"
#include "lacuna/lp.h"
#include "lacuna/run_context.h"
#include "lacuna/table.h"

namespace lacuna::attack {

struct MoveQuery {
  const Table& table;
  std::span<const Slack> slacks;  // around the truth
  std::span<const Term> form;
  Direction direction = Direction::kHigh;
  Units level = 1;
};

std::optional<Displacement> shortest_move(const MoveQuery& question,
                                          LpSolver& solver,
                                          const RunContext& run);

// Nothing as well if the engine does not know integers or its work is used up.
std::optional<Displacement> any_integer_move(const MoveQuery& question,
                                             LpSolver& solver,
                                             const RunContext& run);

}  // namespace lacuna::attack
