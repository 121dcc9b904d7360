// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "lacuna/evidence.h"

namespace lacuna::inline attack {

// What was found about sign * z_cell: it can reach `witness`, it cannot pass `proof`.
struct Reach {
  std::optional<Displacement> witness;  // nothing: no more than the truth itself is shown
  bool unbounded = false;               // the witness is a ray
  std::optional<Multipliers> proof;
};

}  // namespace lacuna::inline attack
