// SPDX-License-Identifier: Apache-2.0
// Parallel cells against a dense elimination in fractions: two cells are tied if and only if they
// move together in every displacement, and a cell is fixed if and only if it never moves.
#include "judge/presolve/parallel.h"

#include <gtest/gtest.h>

#include "app/generate/generate.h"
#include "core/base/exact.h"
#include "judge/presolve/exact_kernel.h"
#include "lacuna/evidence.h"

namespace lacuna::presolve {
namespace {

using Matrix = std::vector<std::vector<Fraction>>;

// Rows in reduced form, without those that are zero.
Matrix reduced(Matrix rows, std::size_t columns) {
  std::size_t rank = 0;
  for (std::size_t j = 0; j < columns && rank < rows.size(); ++j) {
    std::size_t pivot = rank;
    while (pivot < rows.size() && rows[pivot][j] == 0)
      ++pivot;
    if (pivot == rows.size())
      continue;
    std::swap(rows[rank], rows[pivot]);
    const Fraction lead = rows[rank][j];
    for (Fraction& entry : rows[rank])
      entry /= lead;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const Fraction factor = rows[i][j];
      for (std::size_t k = 0; i != rank && factor != 0 && k < columns; ++k)
        rows[i][k] -= factor * rows[rank][k];
    }
    ++rank;
  }
  rows.resize(rank);
  return rows;
}

// Is  z_i = factor z_j  in every displacement (j < 0: z_i = 0)? If the row adds nothing to the
// rank.
bool follows(const Matrix& basis, std::size_t columns, int i, int j, int factor) {
  Matrix rows = basis;
  rows.emplace_back(columns, Fraction(0));
  rows.back()[static_cast<std::size_t>(i)] = 1;
  if (j >= 0)
    rows.back()[static_cast<std::size_t>(j)] = -factor;
  return reduced(std::move(rows), columns).size() == basis.size();
}

Matrix basis_of(const Table& table, const std::vector<bool>& movable) {
  const std::size_t columns = movable.size();
  Matrix rows;
  for (std::int32_t e = 0; e < table.num_equations(); ++e) {
    rows.emplace_back(columns, Fraction(0));
    for (const Term& term : table.equation(EquationId{e}))
      rows.back()[static_cast<std::size_t>(term.cell.value)] = term.coefficient;
  }
  for (std::size_t c = 0; c < columns; ++c) {
    if (movable[c])
      continue;
    rows.emplace_back(columns, Fraction(0));
    rows.back()[c] = 1;
  }
  return reduced(std::move(rows), columns);
}

TEST(Parallel, TiesAllThatMovesTogetherAndNothingElse) {
  int tied = 0;
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const auto made = generation::generate_small(seed);
    ASSERT_TRUE(made);
    const Table& table = made->table();
    const auto columns = static_cast<std::size_t>(table.num_cells());
    if (columns > 30)
      continue;
    std::vector<bool> movable;
    for (std::size_t c = 0; c < columns; ++c)  // and some that are published for good
      movable.push_back(may_be_withheld(table.cells()[c]) && (c * 7 + seed) % 5 != 0);
    Ties ties(table, movable);
    tie_parallel(ties, RunContext());
    const Matrix basis = basis_of(table, movable);
    for (int i = 0; i < table.num_cells(); ++i) {
      EXPECT_EQ(ties.is_fixed(i), follows(basis, columns, i, -1, 0));
      for (int j = 0; j < i; ++j) {
        if (ties.is_fixed(i) || ties.is_fixed(j))
          continue;
        const auto a = ties.find(i);
        const auto b = ties.find(j);
        const bool together = a.root == b.root;
        const int sense = a.sense * b.sense;
        EXPECT_EQ(together && sense > 0, follows(basis, columns, i, j, 1));
        EXPECT_EQ(together && sense < 0, follows(basis, columns, i, j, -1));
        tied += together ? 1 : 0;
      }
    }
  }
  EXPECT_GT(tied, 100);
}

// 2 x = y + z, y = z + u: fractions of small numbers, and none beyond.
TEST(ExactKernel, LiftsFractionsAndRefusesWhatIsLarge) {
  const std::vector<std::vector<Term>> halves{{{CellId{0}, 2}, {CellId{1}, -3}},
                                              {{CellId{1}, 2}, {CellId{2}, 5}, {CellId{3}, 7}}};
  const auto kernel = ExactKernel::make(4, halves, RunContext());
  ASSERT_TRUE(kernel);
  EXPECT_EQ(kernel->independent().size(), 2U);
  std::vector<std::vector<Term>> steep;
  for (std::int32_t i = 0; i < 6; ++i)
    steep.push_back({{CellId{i}, 1000}, {CellId{i + 1}, -999}});
  EXPECT_FALSE(ExactKernel::make(7, steep, RunContext()));
}

}  // namespace
}  // namespace lacuna::presolve
