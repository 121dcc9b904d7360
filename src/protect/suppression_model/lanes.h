// SPDX-License-Identifier: Apache-2.0
// Questions to attackers are spread over a fixed number of lanes, each with its own solvers, so
// that results do not depend on how many threads share them (core/base/parallel.h).
#pragma once

#include <cstddef>

namespace lacuna::suppression_model {

inline constexpr std::size_t kLanes = 4;

}  // namespace lacuna::suppression_model
