// SPDX-License-Identifier: Apache-2.0
// What a simplex engine adds to the interior point method: a proof (Farkas multipliers, checked by
// the engine's wrapper) that no table within the bounds has these senses; the L1 relaxation of a
// node where numbers many orders of magnitude apart make the interior point method stall; and for
// L1 a vertex of the optimal face, which changes few cells and is whole numbers for whole data.
#pragma once

#include <string>

#include "lacuna/run_context.h"
#include "protect/adjust/kkt.h"
#include "protect/adjust/model.h"

namespace lacuna::adjustment {

enum class VertexStatus : std::uint8_t { kFound, kInfeasible, kUnknown };

struct Vertex {
  VertexStatus status = VertexStatus::kUnknown;
  Vector z;
  Vector g;                   // multipliers by cell, a combination of the equations
  double bound = -kInfinity;  // certified by them, as in interior_point.h
};

// The L1 relaxation (columns.h) with these senses. `cells` may have other bounds than `part`, whose
// equations are used.
Vertex least_absolute(const Part& part,
                      const Part& cells,
                      const Senses& senses,
                      const std::string& engine,
                      const RunContext& run);

}  // namespace lacuna::adjustment
