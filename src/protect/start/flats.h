// SPDX-License-Identifier: Apache-2.0
// Patterns that are supports of a few displacements. Let b_i be the row of cell i in a basis of
// all displacements (flat_ground.h). Where slacks hardly bind, the published cells are a flat of
// these vectors whose span has no sensitive cell's b_p, and the fewer displacements are left the
// cheaper what they move. The search keeps a part of the published flat, publishes the heaviest
// class of parallel cells that is not needed until there is none (flat_contraction.h), looks
// whether what is left reaches all levels within the slacks (flat_slacks.h), and goes on from there
// or not as annealing says (Ruiz and Stuetzle 2007: iterated greedy; Kirkpatrick, Gelatt and Vecchi
// 1983). Chains of it are independent and merged in their order, so that the number of threads does
// not matter.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "lacuna/problem.h"
#include "lacuna/run_context.h"

namespace lacuna::start {

struct FlatPattern {
  std::vector<CellId> cells;  // withheld besides what is withheld whatever happens, ascending
  double cost = 0;            // of these
  bool served = false;        // all levels are reached, as far as doubles tell
};

struct FlatCounts {
  std::int64_t trials = 0, accepted = 0, refused = 0, careful = 0;
};

// Good patterns for the goals of these cells (a connected part, ascending) at these costs (one per
// cell of the table; none: its weights), the cheapest first; none if displacements are too many or
// goals cannot be met. Ends with the work of the run.
std::vector<FlatPattern> search_flats(const Problem& problem,
                                      std::span<const double> costs,
                                      std::span<const CellId> cells,
                                      const RunContext& run,
                                      FlatCounts* counts = nullptr);

}  // namespace lacuna::start
