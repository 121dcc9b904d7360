// SPDX-License-Identifier: Apache-2.0
// The numbers of controlled rounding that were chosen and could be another: unit, why, and what was
// measured (docs/results/round.md). The bound is certified and the table adds up whatever they are.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace lacuna::rounding {

// What the counted loops take (core/base/work.h), in nanoseconds: docs/work.md.
struct TouchTuning {
  std::size_t system_cell = 150;    // a cell of the table in the system
  std::size_t priced_entry = 20;    // an entry of an equation in one sweep of the ascent
  std::size_t evaluated_entry = 3;  // an entry or a choice where the bound is computed
  std::size_t moved_cell = 6;       // a cell of an equation whose flip is weighed ...
  std::size_t moved_entry = 3;      // ... and an equation of it
  std::size_t witness = 400;        // a requirement that is served
  std::size_t witness_entry = 10;   // a cell that moves along
  std::int64_t planned_cell = 200;  // a cell whose choices are listed
};

struct PriceTuning {
  // Temperatures of the smoothed ascent, in typical prices of a step, and sweeps at each: 97,336
  // cells to base 3 in 1.1 CPU s at a proven gap of 0.64% (0.46% with gentler repairs).
  double first = 0.5;
  double last = 0.004;
  double cooling = 0.6;
  int sweeps = 8;
  // For the first table: temperature and sweeps.
  double quick = 0.1;
  int quick_sweeps = 3;
  // Of the work, for prices; the rest is for repairs. Without a limit there is no share.
  double share_of_work = 0.6;
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
  // The first table, from quick prices.
  RepairTry first{1, 0.5, 4};
  std::int64_t tabu = 8;            // flips for which a cell rests; not measured
  std::int64_t check_every = 4096;  // flips between looks at the brakes
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
  TouchTuning touches;
  PriceTuning prices;
  RepairTuning repair;
  WayTuning way;
  WitnessTuning witness;
};

inline constexpr Tuning kTuning{};

}  // namespace lacuna::rounding
