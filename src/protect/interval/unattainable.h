// SPDX-License-Identifier: Apache-2.0
// Why the master of cutting planes has no solution: some need asks for more than everyone's prior
// knowledge leaves, so no intervals can meet it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "lacuna/run_context.h"
#include "protect/interval/model.h"

namespace lacuna::interval {

// The requirement behind the first such need, by attacker problems with every end as wide as it may
// be; nothing if there is none, or if the run stops before.
std::optional<std::int32_t> unattainable_requirement(const Model& model,
                                                     const std::string& engine,
                                                     const RunContext& run);

}  // namespace lacuna::interval
