// SPDX-License-Identifier: Apache-2.0
// A first safe point from a safe pattern (protect/start/construct.h): its evidence are
// displacements, and the smallest intervals that hold one for every goal are safe. Each goal
// takes, scaled down to its level, the displacement that widens what the others need at the least
// cost. Scaled displacements are fractions, so the evidence that these intervals are safe is exact
// and costs nothing: whatever happens later, there is something to be released.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "lacuna/evidence.h"
#include "lacuna/result.h"
#include "lacuna/run_context.h"
#include "protect/interval/model.h"

namespace lacuna::interval {

struct StartMoves {
  bool complete = false;              // every goal has a move
  std::vector<attacker::Move> moves;  // by goal
  std::vector<double> shown;          // how far it takes the cell
  std::vector<Displacement> exact;    // the moves as fractions: evidence for the audit
};

// One move per goal out of these displacements, or of their negatives.
StartMoves moves_from(const Model& model,
                      std::span<const Goal> goals,
                      std::span<const Displacement> displacements);

// From the pattern that is found first.
Result<StartMoves> start_from_pattern(const Model& model,
                                      std::span<const Goal> goals,
                                      const std::string& engine,
                                      const RunContext& run);

}  // namespace lacuna::interval
