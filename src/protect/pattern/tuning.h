// SPDX-License-Identifier: Apache-2.0
// The numbers of the engine of rounding, perturbation and mixtures that were chosen and could be
// another: unit, why, and what was measured.
#pragma once

#include <cstddef>
#include <cstdint>

namespace lacuna::pattern {

struct Tuning {
  // Work of the first integer program, in units, and per cell of the table; one that ends with it
  // is judged as far as it got and asked for again with so many times as much. Not measured.
  std::int64_t first_work = 2'000'000;
  std::int64_t first_work_per_cell = 200;
  std::int64_t more_work = 3;
  // LPs after which a contradiction is no longer made smaller: the explanation of one has an end to
  // its effort. Not measured.
  std::int64_t most_conflict_solves = 400;
  std::size_t most_named = 12;  // cells and equations that an explanation names
  // Columns at the end of a row that are looked at before one is added: two proofs meet in
  // intervals and slides, always there. Not measured.
  std::size_t recent_columns = 4;
};

inline constexpr Tuning kTuning{};

}  // namespace lacuna::pattern
