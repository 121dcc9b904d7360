// SPDX-License-Identifier: Apache-2.0
// Random tables with absent cells for tests of routes: trees and linked ones in turn.
#pragma once

#include "lacuna/generate.h"

namespace lacuna::testing {

inline Result<Problem> tree_or_linked(std::uint64_t seed) {
  GenerateOptions options;
  options.kind = seed % 2 == 0 ? GenerateKind::kHierarchical : GenerateKind::kLinked;
  options.seed = seed;
  options.sensitive_percent = 20;
  options.absent_percent = 10;
  return generate(options);
}

}  // namespace lacuna::testing
