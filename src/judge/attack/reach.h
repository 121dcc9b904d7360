// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "lacuna/evidence.h"

namespace lacuna::attack {

// A tree with the lists that its leaves point into.
struct IntegerTreeEvidence {
  IntegerTree tree;
  std::vector<Multipliers> proofs;
  std::vector<Step> steps;
  std::vector<Chain> chains;
};

// What was found about s f'z: it can reach `witness`, and it cannot pass what chain, then proof or
// tree, then step show (lacuna/evidence.h); in fractions there are proofs alone. A proof without
// equations stands for the slacks alone.
struct Reach {
  std::optional<Displacement> witness;  // nothing: no more than the truth itself is shown
  bool unbounded = false;               // the witness is a ray
  std::optional<Multipliers> proof;
  std::optional<Step> step;
  std::optional<Chain> chain;
  std::optional<IntegerTreeEvidence> tree;
  bool bounded() const { return proof.has_value() || tree.has_value(); }
};

}  // namespace lacuna::attack
