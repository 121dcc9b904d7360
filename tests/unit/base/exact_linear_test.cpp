// SPDX-License-Identifier: Apache-2.0
// Solutions are put into the system; singular systems are known by a determinant that the test
// computes by itself (Bareiss).
#include "core/base/exact_linear.h"

#include <gtest/gtest.h>

#include "core/base/random.h"

namespace lacuna::base {
namespace {

mpz_class determinant(const SparseRows& rows) {
  const std::size_t n = rows.size();
  std::vector<std::vector<mpz_class>> a(n, std::vector<mpz_class>(n, 0));
  for (std::size_t r = 0; r < n; ++r) {
    for (const SparseEntry& entry : rows[r])
      a[r][static_cast<std::size_t>(entry.column)] = entry.coefficient;
  }
  mpz_class previous = 1;
  int sign = 1;
  for (std::size_t k = 0; k + 1 < n; ++k) {
    std::size_t pivot = k;
    while (pivot < n && a[pivot][k] == 0)
      ++pivot;
    if (pivot == n)
      return 0;
    if (pivot != k) {
      std::swap(a[pivot], a[k]);
      sign = -sign;
    }
    for (std::size_t i = k + 1; i < n; ++i) {
      for (std::size_t j = k + 1; j < n; ++j)
        a[i][j] = (a[i][j] * a[k][k] - a[i][k] * a[k][j]) / previous;
    }
    previous = a[k][k];
  }
  return n == 0 ? mpz_class(1) : mpz_class(a[n - 1][n - 1] * sign);
}

SparseRows random_rows(Random& random, std::int32_t size, std::int64_t percent) {
  SparseRows rows(static_cast<std::size_t>(size));
  for (auto& row : rows) {
    for (std::int32_t c = 0; c < size; ++c) {
      const auto coefficient = static_cast<std::int32_t>(random.between(-3, 3));
      if (coefficient != 0 && random.chance(percent, 100))
        row.push_back({c, coefficient});
    }
  }
  return rows;
}

std::vector<mpq_class> random_rhs(Random& random, std::size_t size) {
  std::vector<mpq_class> rhs;
  for (std::size_t i = 0; i < size; ++i) {
    rhs.emplace_back(static_cast<long>(random.between(-50, 50)),
                     static_cast<unsigned long>(random.between(1, 6)));
    rhs.back().canonicalize();
  }
  return rhs;
}

void expect_solves(const SparseRows& rows,
                   const std::vector<mpq_class>& x,
                   const std::vector<mpq_class>& rhs) {
  for (std::size_t r = 0; r < rows.size(); ++r) {
    mpq_class sum = 0;
    for (const SparseEntry& entry : rows[r])
      sum += entry.coefficient * x[static_cast<std::size_t>(entry.column)];
    EXPECT_EQ(sum, rhs[r]) << "row " << r;
  }
}

TEST(SolveExactly, RandomSystemsOfEveryDensity) {
  Random random(7);
  int singular = 0;
  int regular = 0;
  for (int i = 0; i < 600; ++i) {
    const auto size = static_cast<std::int32_t>(random.between(1, 9));
    const SparseRows rows = random_rows(random, size, random.between(20, 100));
    const auto rhs = random_rhs(random, rows.size());
    const auto x = solve_exactly(rows, rhs);
    const bool is_regular = determinant(rows) != 0;
    ASSERT_EQ(x.has_value(), is_regular) << "system " << i;
    ++(is_regular ? regular : singular);
    if (x)
      expect_solves(rows, *x, rhs);
  }
  EXPECT_GT(singular, 50);
  EXPECT_GT(regular, 50);
}

TEST(SolveExactly, HilbertLikeNumbersStayExact) {
  constexpr std::int32_t kSize = 12;
  SparseRows rows(kSize);
  for (std::int32_t r = 0; r < kSize; ++r) {
    for (std::int32_t c = 0; c < kSize; ++c)
      rows[static_cast<std::size_t>(r)].push_back({c, 27720 / (r + c + 1)});
  }
  const std::vector<mpq_class> rhs(kSize, 1);
  const auto x = solve_exactly(rows, rhs);
  ASSERT_EQ(x.has_value(), determinant(rows) != 0);
  ASSERT_TRUE(x);
  expect_solves(rows, *x, rhs);
}

TEST(SolveExactly, RowThatIsASumOfOthersIsSingular) {
  EXPECT_FALSE(solve_exactly({{{0, 1}, {1, 2}}, {{0, 2}, {1, 4}}}, {mpq_class(1), mpq_class(2)}));
  EXPECT_FALSE(solve_exactly({{}}, {mpq_class(0)}));
  EXPECT_FALSE(solve_exactly({{{0, 1}}, {{0, 1}}}, {mpq_class(1), mpq_class(1)}));  // column empty
}

TEST(SolveExactly, LongChainsAreTriangular) {
  constexpr std::int32_t kSize = 20'000;
  SparseRows rows(kSize);
  for (std::int32_t r = 0; r < kSize; ++r) {
    rows[static_cast<std::size_t>(r)].push_back({r, 1});
    if (r > 0)
      rows[static_cast<std::size_t>(r)].push_back({r - 1, -1});
  }
  const auto x = solve_exactly(rows, std::vector<mpq_class>(kSize, 1));
  ASSERT_TRUE(x);
  EXPECT_EQ((*x)[kSize - 1], kSize);
}

TEST(Transpose, SwapsRowsAndColumns) {
  const SparseRows turned = transpose({{{0, 1}, {2, 5}}, {{2, -1}}}, 3);
  ASSERT_EQ(turned.size(), 3U);
  ASSERT_EQ(turned[2].size(), 2U);
  EXPECT_TRUE(turned[1].empty());
  EXPECT_EQ(turned[2][1].column, 1);
  EXPECT_EQ(turned[2][1].coefficient, -1);
}

}  // namespace
}  // namespace lacuna::base
