// SPDX-License-Identifier: Apache-2.0
// What a simplex engine adds: a proof (Farkas multipliers, checked by the engine's wrapper) that no
// table within the bounds has these senses, where the interior point method merely stalls; and for
// L1 a vertex of the optimal face, which changes few cells and is whole numbers for whole data.
#pragma once

#include <string>

#include "lacuna/run_context.h"
#include "protect/adjust/kkt.h"
#include "protect/adjust/model.h"

namespace lacuna::cta {

enum class VertexStatus : std::uint8_t { kFound, kInfeasible, kUnknown };

struct Vertex {
  VertexStatus status = VertexStatus::kUnknown;
  Vector z;
};

// Least L1 cost with these senses; an open cell may be anywhere within its bounds.
Vertex least_absolute(const Part& part,
                      const Senses& senses,
                      const std::string& engine,
                      const RunContext& run);

}  // namespace lacuna::cta
