// SPDX-License-Identifier: Apache-2.0
// Displacements in floating point made exact: evidence that the audit can take as it is. A move
// whose cells are whole units, halves, thirds, ... but for rounding is that; else all cells that
// may be chosen freely are rounded to units and the equations, solved by elimination with pivots of
// 1 and -1, give the others. The need's own cell moves by exactly its level.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "lacuna/evidence.h"
#include "protect/interval/master.h"
#include "protect/interval/model.h"

namespace lacuna::interval {

// Nothing if the attempts fail. The move in units, with what slack is left to each of its cells;
// the own cell goes to `own_move`.
std::optional<Displacement> exact_witness(const Table& table,
                                          const attacker::Move& units,
                                          std::span<const double> slack,
                                          CellId own,
                                          Units own_move);

// One per goal that has a move, as far as attempts succeed. `safe` says what each direction of a
// need with a sliding level carries.
std::vector<Displacement> exact_witnesses(const Model& model,
                                          std::span<const Goal> goals,
                                          std::span<const attacker::Move> moves,
                                          const Point& safe,
                                          const RunContext& run);

}  // namespace lacuna::interval
