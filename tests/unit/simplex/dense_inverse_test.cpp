// SPDX-License-Identifier: Apache-2.0
// The inverse after many changes of a basis, against the basis itself and a fresh inverse.
#include "core/simplex/dense_inverse.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "core/base/random.h"

namespace lacuna::simplex {
namespace {

constexpr double kSmallestPivot = 1e-7;
using Matrix = std::vector<std::vector<double>>;  // rows of the basis

double coefficient(base::Random& random) {
  return random.chance(1, 3) ? static_cast<double>(random.between(-2, 2)) : 0;
}

std::vector<double> random_vector(std::size_t size, base::Random& random) {
  std::vector<double> made(size);
  for (double& each : made)
    each = coefficient(random);
  return made;
}

std::vector<double> times_column(const DenseInverse& inverse, const std::vector<double>& column) {
  std::vector<ActiveEntry> sparse;
  for (std::size_t a = 0; a < column.size(); ++a) {
    if (column[a] != 0)
      sparse.push_back({a, column[a]});
  }
  std::vector<double> alpha(inverse.size(), 0);
  inverse.add_product(sparse, alpha);
  return alpha;
}

std::vector<double> row_times(const DenseInverse& inverse, const std::vector<double>& row) {
  std::vector<double> beta(inverse.size(), 0);
  for (std::size_t q = 0; q < row.size(); ++q) {
    for (std::size_t a = 0; a < beta.size(); ++a)
      beta[a] += row[q] * inverse.at(q, a);
  }
  return beta;
}

void expect_inverse(DenseInverse& inverse, const Matrix& basis) {
  ASSERT_EQ(inverse.size(), basis.size());
  for (std::size_t q = 0; q < basis.size(); ++q) {
    double length = 0;
    for (std::size_t k = 0; k < basis.size(); ++k) {
      double product = 0;
      for (std::size_t a = 0; a < basis.size(); ++a)
        product += inverse.at(q, a) * basis[a][k];
      ASSERT_NEAR(product, q == k ? 1 : 0, 1e-7);
      length += inverse.at(q, k) * inverse.at(q, k);
    }
    ASSERT_NEAR(inverse.squared_length(q), length, 1e-9 * length);
  }
}

bool refactor(DenseInverse& inverse, const Matrix& basis) {
  inverse.begin_refactor(basis.size());
  for (std::size_t a = 0; a < basis.size(); ++a) {
    for (std::size_t q = 0; q < basis.size(); ++q)
      inverse.entry(a, q) = basis[a][q];
  }
  return inverse.finish_refactor(kSmallestPivot);
}

// Pivots below this make a basis that rounding would be blamed for.
bool is_good(double pivot) {
  return std::abs(pivot) > 0.1;
}

void border(DenseInverse& inverse, Matrix& basis, base::Random& random) {
  const std::vector<double> column = random_vector(basis.size(), random);
  const std::vector<double> row = random_vector(basis.size(), random);
  const double corner = random.chance(1, 2) ? 1 : -1;
  const std::vector<double> beta = row_times(inverse, row);
  double schur = corner;
  for (std::size_t a = 0; a < column.size(); ++a)
    schur -= beta[a] * column[a];
  if (!is_good(schur))
    return;
  inverse.border(times_column(inverse, column), beta, schur);
  for (std::size_t a = 0; a < column.size(); ++a)
    basis[a].push_back(column[a]);
  basis.push_back(row);
  basis.back().push_back(corner);
}

void exchange(DenseInverse& inverse, Matrix& basis, bool columns, base::Random& random) {
  if (basis.empty())
    return;
  const auto at =
      static_cast<std::size_t>(random.between(0, static_cast<std::int64_t>(basis.size()) - 1));
  const std::vector<double> line = random_vector(basis.size(), random);
  const std::vector<double> solved =
      columns ? times_column(inverse, line) : row_times(inverse, line);
  if (!is_good(solved[at]))
    return;
  if (columns)
    inverse.exchange_column(at, solved);
  else
    inverse.exchange_row(at, solved);
  for (std::size_t k = 0; k < basis.size(); ++k)
    (columns ? basis[k][at] : basis[at][k]) = line[k];
}

void remove(DenseInverse& inverse, Matrix& basis, base::Random& random) {
  if (basis.empty())
    return;
  const auto last = static_cast<std::int64_t>(basis.size()) - 1;
  const auto q = static_cast<std::size_t>(random.between(0, last));
  const auto a = static_cast<std::size_t>(random.between(0, last));
  if (!is_good(inverse.at(q, a)))
    return;
  inverse.remove(q, a);
  basis[a] = basis.back();
  basis.pop_back();
  for (std::vector<double>& row : basis) {
    row[q] = row.back();
    row.pop_back();
  }
}

TEST(DenseInverse, FollowsEveryChange) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    base::Random random(seed);
    DenseInverse inverse;
    Matrix basis;
    std::size_t largest = 0;
    for (int change = 0; change < 150; ++change) {
      switch (random.between(0, 5)) {
        case 0:
        case 1:
        case 2:
          border(inverse, basis, random);
          break;
        case 3:
          exchange(inverse, basis, true, random);
          break;
        case 4:
          exchange(inverse, basis, false, random);
          break;
        default:
          remove(inverse, basis, random);
      }
      largest = std::max(largest, basis.size());
      if (change % 25 == 24) {
        ASSERT_TRUE(refactor(inverse, basis));
      }
      expect_inverse(inverse, basis);
      if (::testing::Test::HasFatalFailure())
        return;
    }
    EXPECT_GT(largest, 10U);
    inverse.clear();  // and from the start again, in the same memory
    basis.clear();
    border(inverse, basis, random);
    expect_inverse(inverse, basis);
  }
}

TEST(DenseInverse, SaysNoToASingularBasis) {
  DenseInverse inverse;
  EXPECT_FALSE(refactor(inverse, {{1, 2}, {2, 4}}));
  EXPECT_FALSE(refactor(inverse, {{1, std::nan("")}, {2, std::nan("")}}));
  EXPECT_TRUE(refactor(inverse, {{0, 2}, {2, 4}}));
}

}  // namespace
}  // namespace lacuna::simplex
