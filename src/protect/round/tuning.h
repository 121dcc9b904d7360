// SPDX-License-Identifier: Apache-2.0
// The numbers of controlled rounding that were chosen and could be another: unit, why, and what was
// measured (docs/results/round.md). The bound is certified and the table adds up whatever they are.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace lacuna::inline rounding {

struct PriceTuning {
  // Temperatures of the smoothed ascent, in typical prices of a step, and sweeps at each: 97,336
  // cells to base 3 in 1.1 CPU s at a proven gap of 0.64% (0.46% with gentler repairs).
  double first = 0.5;
  double last = 0.004;
  double cooling = 0.6;
  int sweeps = 8;
};

struct RepairTry {
  double penalty = 0;  // of a violated step, in typical prices of a step
  double growth = 0;   // of the weight of an equation that only a loss can mend
  std::int64_t flips_per_cell = 0;
};

struct RepairTuning {
  // The cheap way first; where it does not get through, harder and harder ones. A low penalty that
  // grows slowly: 3-D table of 97,336 cells 0.64% to 0.46%, a sparse one of 100,000 2.28% to 1.36%.
  std::array<RepairTry, 4> tries{{{0.5, 0.05, 20}, {1, 0.2, 100}, {1, 0.5, 200}, {3, 1, 200}}};
  std::int64_t tabu = 8;            // flips for which a cell rests; not measured
  std::int64_t check_every = 4096;  // flips between looks at the clock
};

struct WayTuning {
  // Cells up to which the integer program is asked, and up to which it alone is. Not measured: it
  // stops at some thousand cells.
  std::size_t most_exact = 4000;
  std::size_t tiny = 500;
};

struct WitnessTuning {
  std::size_t most_siblings = 12;  // leaves tried as the other end of a witness; not measured
};

struct Tuning {
  PriceTuning prices;
  RepairTuning repair;
  WayTuning way;
  WitnessTuning witness;
};

inline constexpr Tuning kTuning{};

}  // namespace lacuna::inline rounding
