// SPDX-License-Identifier: Apache-2.0
// From drawn cells to a problem: what everyone knows, weights, sensitive cells with their levels,
// cells that must be published, attackers.
#pragma once

#include <cstddef>
#include <vector>

#include "app/generate/generate.h"
#include "app/generate/grid.h"
#include "lacuna/problem.h"

namespace lacuna::generation {

struct Sensitive {
  std::size_t cell = 0;
  Units lower = 0, upper = 0, sliding = 0;
};

// Draws sensitive cells of the wanted number and gives them levels in percent of their value.
Result<std::vector<Sensitive>> draw_sensitive(const CellList& cells,
                                              const GenerateOptions& options);

// Sensitive cells in increasing order.
Result<Problem> dress(CellList cells,
                      const std::vector<Sensitive>& sensitive,
                      const GenerateOptions& options);

}  // namespace lacuna::generation
