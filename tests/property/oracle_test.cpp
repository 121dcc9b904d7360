// SPDX-License-Identifier: Apache-2.0
// The oracle itself on linear programs with known answers.
#include "support/oracle.h"

#include <gtest/gtest.h>

#include "support/tables.h"

namespace lacuna {
namespace {

using testing::Oracle;
using testing::OracleRange;
using testing::problem_of;
using testing::StandardForm;
using testing::two_way;
using testing::withholding;

using Matrix = std::vector<std::vector<mpz_class>>;

TEST(StandardForm, TextbookMaximum) {
  // max 3x + 5y: x <= 4, 2y <= 12, 3x + 2y <= 18 (Dantzig; Hillier and Lieberman): 36.
  StandardForm form(Matrix{{1, 0, 1, 0, 0}, {0, 2, 0, 1, 0}, {3, 2, 0, 0, 1}}, {4, 12, 18});
  ASSERT_TRUE(form.feasible());
  EXPECT_EQ(form.maximize({3, 5, 0, 0, 0}), mpq_class(36));
  EXPECT_EQ(form.maximize({-3, -5, 0, 0, 0}), mpq_class(0));
  EXPECT_EQ(form.maximize({3, 1, 0, 0, 0}), mpq_class(15));
}

TEST(StandardForm, FractionalOptimum) {
  // max x + y: 2x + y <= 3, x + 3y <= 5, at x = 4/5, y = 7/5.
  StandardForm form(Matrix{{2, 1, 1, 0}, {1, 3, 0, 1}}, {3, 5});
  EXPECT_EQ(form.maximize({1, 1, 0, 0}), mpq_class(11, 5));
}

TEST(StandardForm, NoEnd) {
  StandardForm form(Matrix{{1, -1}}, {-2});
  ASSERT_TRUE(form.feasible());
  EXPECT_EQ(form.maximize({0, 1}), std::nullopt);
  EXPECT_EQ(form.maximize({0, -1}), mpq_class(-2));
}

TEST(StandardForm, NoSolution) {
  EXPECT_FALSE(StandardForm(Matrix{{1, 1}}, {-1}).feasible());
  EXPECT_FALSE(StandardForm(Matrix{{1, 1}, {2, 2}}, {1, 3}).feasible());
}

TEST(StandardForm, RedundantRowsAndOtherSigns) {
  StandardForm form(Matrix{{1, 1, 1}, {-2, -2, -2}, {1, 0, -1}}, {6, -12, -2});
  ASSERT_TRUE(form.feasible());
  EXPECT_EQ(form.maximize({1, 0, 0}), mpq_class(2));
  EXPECT_EQ(form.maximize({0, 1, 0}), mpq_class(4));
  EXPECT_EQ(form.maximize({0, 0, -1}), mpq_class(-2));
}

TEST(StandardForm, BealeDoesNotCycle) {
  // Beale (1955), scaled to integers: maximum 1/20 * 100 = 5.
  StandardForm form(
      Matrix{
          {25, -6000, -4, 900, 100, 0, 0}, {50, -9000, -2, 300, 0, 100, 0}, {0, 0, 1, 0, 0, 0, 1}},
      {0, 0, 1});
  EXPECT_EQ(form.maximize({75, -15000, 2, -600, 0, 0, 0}), mpq_class(5));
}

// Salazar-Gonzalez (2002), Figure 2: [5, 30].
TEST(Oracle, UnifiedFrameworkFigure2) {
  const auto problem =
      problem_of(two_way({{20, 50, 10, 80}, {8, 19, 22, 49}, {17, 32, 12, 61}, {45, 101, 44, 190}},
                         {0, kUnboundedAbove},
                         0,
                         {6}),
                 {});
  const Draft draft = withholding({4, 6, 8, 10});
  Oracle oracle(problem->table(), draft, outsider());
  const OracleRange range = oracle.range(CellId{6});
  EXPECT_EQ(range.lower, mpq_class(5));
  EXPECT_EQ(range.upper, mpq_class(30));
  EXPECT_EQ(oracle.range(CellId{0}).upper, mpq_class(20));
  EXPECT_EQ(oracle.verdict({.cell = CellId{6}, .lower = 17, .upper = 8, .sliding = 25}),
            Verdict::kProtected);
  EXPECT_EQ(oracle.verdict({.cell = CellId{6}, .lower = 18}), Verdict::kExposed);
  EXPECT_EQ(oracle.verdict({.cell = CellId{6}, .upper = 9}), Verdict::kExposed);
  EXPECT_EQ(oracle.verdict({.cell = CellId{6}, .sliding = 26}), Verdict::kExposed);
  EXPECT_EQ(oracle.verdict({.cell = CellId{0}}), Verdict::kExposed);
}

TEST(Oracle, BoundsOfEveryKind) {
  TableBuilder builder(0);
  ASSERT_TRUE(builder.add_cell({.value = 3, .prior = {kUnboundedBelow, kUnboundedAbove}}));
  ASSERT_TRUE(builder.add_cell({.value = 4, .prior = {kUnboundedBelow, 9}}));
  ASSERT_TRUE(builder.add_cell({.value = 7, .prior = {0, 12}}));
  const std::vector<Term> terms{{CellId{0}, 1}, {CellId{1}, 1}, {CellId{2}, -1}};
  ASSERT_TRUE(builder.add_equation(terms));
  const auto problem = problem_of(std::move(builder), {});
  const Draft draft = withholding({0, 1, 2});
  Oracle oracle(problem->table(), draft, outsider());
  EXPECT_EQ(oracle.range(CellId{0}).lower, mpq_class(-9));
  EXPECT_EQ(oracle.range(CellId{0}).upper, std::nullopt);
  EXPECT_EQ(oracle.range(CellId{1}).lower, std::nullopt);
  EXPECT_EQ(oracle.range(CellId{1}).upper, mpq_class(9));
  Oracle insider(problem->table(), draft, {"insider", {{CellId{0}, {1, 5}}}});
  EXPECT_EQ(insider.range(CellId{1}).lower, mpq_class(-5));
  EXPECT_EQ(insider.range(CellId{2}).upper, mpq_class(12));
  EXPECT_EQ(insider.range(CellId{2}).lower, mpq_class(0));
}

}  // namespace
}  // namespace lacuna
