// SPDX-License-Identifier: Apache-2.0
// Numbers of explanations that were chosen and could be others.
#pragma once

#include <cstddef>
#include <cstdint>

namespace lacuna::explain {

struct Tuning {
  // Equations that a short sum combines: three can still be followed with a pencil.
  std::size_t most_equations = 3;
  // Combinations that the search for one looks at. Each costs as much as its terms: of 40 terms
  // about 20 microseconds, so that a cell takes a tenth of a second at most.
  std::size_t most_combinations = 5000;
  // A combination with more cells that are not published is not followed further.
  std::int32_t most_unknown = 8;
  // Requirements whose intervals and sums are computed exactly; all are counted.
  std::size_t most_consequences = 20;
  // Cells that are tried to be published again once others are withheld in place of the one.
  std::size_t most_given_back = 16;
  // Terms of a sum, and cells of a list, that are named; the others are counted.
  std::size_t most_named = 3;
  std::size_t most_listed = 8;
};
inline constexpr Tuning kTuning;

}  // namespace lacuna::explain
