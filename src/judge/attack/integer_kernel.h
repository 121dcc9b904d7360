// SPDX-License-Identifier: Apache-2.0
// The step of a form: the largest q that divides f'z for every whole z with M z = 0. Hermite's form
// by columns, M U = [H 0] with U whole and of determinant 1 or -1, has the whole kernel in the last
// columns K of U, so q is the greatest common divisor of f'K. Evidence: with w' = [0, f'K / q]
// U^-1, which is whole, f/q - w vanishes on K and is M'h for a rational h with h'H = f'U / q.
// Entries stay small in tables; where they do not, or where a part is too large, there is no step.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "lacuna/evidence.h"
#include "lacuna/table.h"

namespace lacuna::attack {

class IntegerKernel {
 public:
  static constexpr std::int32_t kMostCells = 400;

  explicit IntegerKernel(const Table& table);

  bool known() const { return known_; }
  // A step of at least 2; nothing if there is none, or f'z is always zero (a proof says that).
  std::optional<Step> step(std::span<const Term> form) const;

 private:
  using Vector = std::vector<Wide>;
  bool reduce();
  bool clear_row(std::size_t row);
  bool subtract(std::size_t from, std::size_t column, Wide times);
  Integer gcd_on_kernel(const std::vector<Integer>& on_columns) const;
  Multipliers solve(const std::vector<Fraction>& on_columns) const;

  std::size_t rank_ = 0;
  bool known_ = false;
  std::vector<Vector> matrix_, forward_;  // by column: M U, U
  std::vector<std::size_t> pivot_row_;
};

}  // namespace lacuna::attack
