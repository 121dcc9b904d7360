// SPDX-License-Identifier: Apache-2.0
// The chosen numbers of this folder, each with its unit and the reason.
#pragma once

#include <cstddef>
#include <cstdint>

namespace lacuna::presolve {

struct KernelTuning {
  std::size_t look_at_clock = 64;  // equations added between two looks at the clock
  // Entries of the tableau of a connected part; beyond, its cells are tied by single equations
  // alone.
  std::size_t most_entries = 2'000'000;
  // Work of all tableaus of a table: so much, and more per cell.
  std::int64_t least_work = 1'000'000;
  std::int64_t work_per_cell = 500;
};

struct Tuning {
  KernelTuning kernel;
};

inline constexpr Tuning kTuning{};

}  // namespace lacuna::presolve
