// SPDX-License-Identifier: Apache-2.0
// What a builder refuses, in the words a user reads, and that a refusal leaves nothing behind.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "core/base/confidential.h"
#include "lacuna/table.h"

namespace lacuna::table {
namespace {

TableBuilder builder_of(const std::vector<Units>& values, int decimals = 0) {
  TableBuilder builder(decimals);
  for (const Units value : values)
    EXPECT_TRUE(builder.add_cell({.value = value}));
  return builder;
}

std::string refused_cell(const Cell& cell, int decimals = 0) {
  TableBuilder builder(decimals);
  const auto added = builder.add_cell(cell);
  EXPECT_FALSE(added);
  EXPECT_EQ(builder.num_cells(), 0);
  return added ? "" : base::in_full(added.error().text());
}

std::string refused_equation(TableBuilder& builder, const std::vector<Term>& terms, Units rhs = 0) {
  const auto added = builder.add_equation(terms, rhs);
  EXPECT_FALSE(added);
  return added ? "" : base::in_full(added.error().text());
}

Term term(std::int32_t cell, std::int32_t coefficient) {
  return {CellId{cell}, coefficient};
}

TEST(AddCell, RefusesNumbersThatDoNotFit) {
  const std::string too_large =
      "cell 0: the value does not fit 63 bits with 2 decimals; use fewer decimals or a larger unit";
  EXPECT_EQ(refused_cell({.value = kMaxUnits + 1}, 2), too_large);
  EXPECT_EQ(refused_cell({.value = kUnboundedAbove}, 2), too_large);
  EXPECT_EQ(refused_cell({.value = kUnboundedBelow, .prior = {}}, 2), too_large);
  EXPECT_EQ(refused_cell({.value = 5, .prior = {0, kMaxUnits + 1}}),
            "cell 0: a bound does not fit 63 bits with 0 decimals; use fewer decimals or a larger "
            "unit");
}

TEST(AddCell, RefusesValuesOutsideTheirBounds) {
  EXPECT_EQ(refused_cell({.value = -1}), "cell 0: the value -1 lies outside its bounds [0, inf]");
  EXPECT_EQ(refused_cell({.value = 125, .prior = {0, 50}}, 1),
            "cell 0: the value 12.5 lies outside its bounds [0, 5]");
  EXPECT_EQ(refused_cell({.value = 5, .prior = {7, 7}, .status = CellStatus::kMustPublish}),
            "cell 0: the value 5 lies outside its bounds [7, 7]");
}

TEST(AddCell, RefusesWeightsAndFrequencies) {
  const std::string bad = "cell 0: the weight must be a finite number that is not negative";
  EXPECT_EQ(refused_cell({.weight = -0.5}), bad);
  EXPECT_EQ(refused_cell({.weight = std::nan("")}), bad);
  EXPECT_EQ(refused_cell({.weight = std::numeric_limits<double>::infinity()}), bad);
  EXPECT_EQ(refused_cell({.frequency = -3}), "cell 0: the frequency is negative");
}

TEST(AddCell, HasOneSpellingOfKnown) {
  TableBuilder builder(0);
  ASSERT_TRUE(builder.add_cell({.value = 5, .status = CellStatus::kKnown}));
  ASSERT_TRUE(builder.add_cell({.value = 5, .prior = {5, 5}, .status = CellStatus::kMustPublish}));
  ASSERT_TRUE(builder.add_cell({.value = 5, .prior = {5, 5}, .status = CellStatus::kPrimary}));
  EXPECT_EQ(builder.cell(CellId{0}).prior, (Bounds{5, 5}));
  EXPECT_EQ(builder.cell(CellId{1}).status, CellStatus::kKnown);
  EXPECT_EQ(builder.cell(CellId{2}).status, CellStatus::kPrimary);
}

TEST(AddEquation, NamesTheCellsAndTheDifference) {
  TableBuilder builder = builder_of({125, 50, 70}, 1);
  EXPECT_EQ(
      refused_equation(builder, {term(0, -1), term(1, 1), term(2, 1)}),
      "equation 0: the table is not additive: the equation over cell 0, cell 1, cell 2 is off "
      "by -0.5");
  EXPECT_EQ(refused_equation(builder, {term(1, 1)}, 49),
            "equation 0: the table is not additive: the equation over cell 1 is off by 0.1");
  TableBuilder wide = builder_of(std::vector<Units>(9, 1));
  std::vector<Term> terms;
  for (std::int32_t c = 0; c < 9; ++c)
    terms.push_back(term(c, 1));
  EXPECT_EQ(refused_equation(wide, terms, 8),
            "equation 0: the table is not additive: the equation over cell 0, cell 1, cell 2, cell "
            "3, cell 4, cell 5, ... (9 cells) is off by 1");
}

TEST(AddEquation, RefusesUnknownCellsAndLargeCoefficients) {
  TableBuilder builder = builder_of({1, 1});
  EXPECT_EQ(refused_equation(builder, {term(2, 1)}),
            "equation 0: there is no cell 2 (the table has 2)");
  EXPECT_EQ(refused_equation(builder, {term(-1, 1)}),
            "equation 0: there is no cell -1 (the table has 2)");
  EXPECT_EQ(refused_equation(builder, {term(0, 1'000'001)}),
            "equation 0: the coefficient 1000001 is too large");
  EXPECT_EQ(refused_equation(builder, {}, kMaxUnits + 1),
            "equation 0: the right-hand side is too large");
}

TEST(AddEquation, SumsOfRepeatedCellsDoNotOverflow) {
  TableBuilder builder = builder_of({0, 0});
  // 4295 times a million is one more than 2^32: in 32 bits it would pass for a small number.
  const std::vector<Term> many(4295, term(0, 1'000'000));
  EXPECT_EQ(refused_equation(builder, many),
            "equation 0: the coefficients of a cell add up to 4295000000, which is too large");
  EXPECT_EQ(refused_equation(builder, std::vector<Term>(3, term(1, -500'000))),
            "equation 0: the coefficients of a cell add up to -1500000, which is too large");
  std::vector<Term> cancel(5000, term(0, 1'000'000));
  cancel.insert(cancel.end(), 5000, term(0, -1'000'000));
  EXPECT_TRUE(builder.add_equation(cancel));
  EXPECT_TRUE(builder.add_equation(std::vector<Term>(2, term(1, 500'000))));
}

TEST(AddEquation, MergesAndSortsTerms) {
  TableBuilder builder = builder_of({2, 3, 5});
  ASSERT_TRUE(builder.add_equation(
      std::vector<Term>{term(2, -1), term(0, 1), term(1, 2), term(1, -1), term(0, 0)}));
  const auto table = std::move(builder).build();
  ASSERT_TRUE(table);
  const auto terms = table->equation(EquationId{0});
  ASSERT_EQ(terms.size(), 3U);
  EXPECT_EQ(terms[0], term(0, 1));
  EXPECT_EQ(terms[1], term(1, 1));
  EXPECT_EQ(terms[2], term(2, -1));
}

TEST(AddEquation, ARefusalLeavesNothingBehind) {
  TableBuilder builder = builder_of({2, 3, 5});
  EXPECT_FALSE(builder.add_equation(std::vector<Term>{term(0, 1), term(1, 1)}));
  EXPECT_FALSE(builder.add_equation(std::vector<Term>{term(0, 1), term(7, 1)}));
  EXPECT_FALSE(builder.add_cell({.value = -1}));
  ASSERT_TRUE(builder.add_equation(std::vector<Term>{term(0, 1), term(1, 1), term(2, -1)}));
  const auto table = std::move(builder).build();
  ASSERT_TRUE(table);
  EXPECT_EQ(table->num_cells(), 3);
  EXPECT_EQ(table->num_equations(), 1);
  EXPECT_EQ(table->equation(EquationId{0}).size(), 3U);
}

TEST(AddEquation, BalancesTheLargestNumbers) {
  TableBuilder builder(0);
  for (int i = 0; i < 40; ++i)
    ASSERT_TRUE(builder.add_cell({.value = kMaxUnits}));
  std::vector<Term> terms;
  for (std::int32_t c = 0; c < 40; ++c)
    terms.push_back(term(c, c % 2 == 0 ? 1'000'000 : -1'000'000));
  EXPECT_TRUE(builder.add_equation(terms));
  EXPECT_FALSE(builder.add_equation(terms, 1));
}

TEST(Build, RefusesAnEmptyTable) {
  const auto table = TableBuilder(0).build();
  ASSERT_FALSE(table);
  EXPECT_EQ(table.error().text(), "the table has no cells");
}

TEST(Build, IncidencesMirrorEquations) {
  TableBuilder builder = builder_of({2, 3, 5, 8});
  ASSERT_TRUE(builder.add_equation(std::vector<Term>{term(0, 1), term(1, 1), term(2, -1)}));
  ASSERT_TRUE(builder.add_equation(std::vector<Term>{term(1, 1), term(2, 1), term(3, -1)}));
  const auto table = std::move(builder).build();
  ASSERT_TRUE(table);
  const auto through = table->equations_of(CellId{2});
  ASSERT_EQ(through.size(), 2U);
  EXPECT_EQ(through[0].coefficient, -1);
  EXPECT_EQ(through[1].coefficient, 1);
  EXPECT_EQ(table->equations_of(CellId{3}).size(), 1U);
}

TEST(WithWeights, ChangesNothingElse) {
  const auto table = builder_of({2, 3}).build();
  ASSERT_TRUE(table);
  const std::vector<double> weights{0.5, 7};
  const Table weighed = table->with_weights(weights);
  EXPECT_EQ(weighed.cell(CellId{1}).weight, 7);
  EXPECT_EQ(weighed.value(CellId{1}), 3);
  EXPECT_EQ(table->cell(CellId{1}).weight, 1);
}

}  // namespace
}  // namespace lacuna::table
