// SPDX-License-Identifier: Apache-2.0
// Codes below which nothing is published: the problem without their cells, and without every sum
// that has one. A code that also stands elsewhere, in another split, goes with them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "lacuna/problem.h"
#include "lacuna/result.h"

namespace lacuna::table {

struct CollapsedProblem {
  Problem problem;         // without counts and keys
  std::vector<bool> gone;  // by cell of the given problem
};

// `code`: one of the dimension that has parts.
Result<CollapsedProblem> collapse_below(const Problem& problem,
                                        std::size_t dimension,
                                        std::int32_t code);

}  // namespace lacuna::table
