// SPDX-License-Identifier: Apache-2.0
// Random tables with absent cells for tests of routes: trees and linked ones in turn.
#pragma once

#include "app/generate/generate.h"

namespace lacuna::testing {

inline Result<Problem> tree_or_linked(std::uint64_t seed) {
  generation::GenerateOptions options;
  options.kind =
      seed % 2 == 0 ? generation::GenerateKind::kHierarchical : generation::GenerateKind::kLinked;
  options.seed = seed;
  options.sensitive_percent = 20;
  options.absent_percent = 10;
  return generation::generate(options);
}

}  // namespace lacuna::testing
