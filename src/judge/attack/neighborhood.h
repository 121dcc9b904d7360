// SPDX-License-Identifier: Apache-2.0
// Where evidence about a cell is mostly found: the free cells around it. Breadth first over the
// equations, cells with room for the level before those without. With the cells outside held fixed
// a neighbourhood has witnesses, with the equations left out that reach outside it has proofs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "judge/attack/view.h"

namespace lacuna::attack {

struct Neighborhood {
  std::vector<std::int32_t> cells;   // free cells, those it was made around first
  std::vector<EquationId> complete;  // equations all of whose free cells are in
  bool entire = false;               // nothing is outside
};

// Around these free cells of one part: about `wanted` cells, at most so many from one equation.
Neighborhood neighborhood(const AttackView& view,
                          std::span<const std::int32_t> around,
                          Units level,
                          std::size_t wanted,
                          std::size_t per_equation);

struct Core {
  std::vector<std::int32_t> cells;
  std::vector<EquationId> equations;
};

// The cells that can move while all outside stand still: a cell that is alone in one of its
// equations cannot, and once it is out others may be alone. The equations of those left.
Core movable(const AttackView& view, const std::vector<std::int32_t>& cells);

}  // namespace lacuna::attack
