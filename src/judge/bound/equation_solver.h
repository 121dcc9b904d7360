// SPDX-License-Identifier: Apache-2.0
// Multipliers of equations for a given sum of cells: g with (M'g)_i = r_i for all cells that count,
// whatever it is elsewhere. Elimination modulo the prime 2^61 - 1, cells of fewest equations first,
// done once; then each r takes a substitution, and its multipliers are lifted to fractions of
// numbers below 2^30 (rational reconstruction; Wang 1981). They are hints: who uses them computes
// M'g in whole numbers.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "core/base/exact.h"
#include "lacuna/table.h"

namespace lacuna::bound {

class EquationSolver {
 public:
  // `counts`: by cell.
  EquationSolver(const Table& table, const std::vector<bool>& counts);

  using Target = std::vector<std::pair<std::int32_t, mpz_class>>;  // cell, r_i
  using Found = std::vector<std::pair<std::int32_t, mpq_class>>;   // equation, g
  // Nothing if numbers do not stay small. Of what is no sum of equations something may come as well.
  std::optional<Found> solve(const Target& target) const;

 private:
  using Modular = std::uint64_t;
  using Row = std::vector<std::pair<std::int32_t, Modular>>;  // by equation
  struct Pivot {
    std::int32_t row = 0, column = 0;
    Modular inverse = 0;
    std::vector<std::pair<std::int32_t, Modular>> from;  // rows that it was subtracted from
  };
  void eliminate(std::vector<Row> rows, std::int32_t columns);

  std::vector<std::int32_t> row_of_;  // by cell; -1: it does not count
  std::vector<Pivot> pivots_;
  std::vector<Row> rows_;  // of the pivots, after elimination
  std::int32_t columns_ = 0;
};

// The short fraction next to a number that an LP has found; nothing: there is none.
std::optional<mpq_class> fraction_near(double value);

}  // namespace lacuna::bound
