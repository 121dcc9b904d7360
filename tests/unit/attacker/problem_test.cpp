// SPDX-License-Identifier: Apache-2.0
// The equations of an attacker's problem both ways, on a table of two rows and two columns with
// totals, and questions about it whose answers are known.
#include "judge/attacker/problem.h"

#include <gtest/gtest.h>

#include <limits>

#include "judge/attacker/solver.h"

namespace lacuna::attacker {
namespace {

constexpr double kEndless = std::numeric_limits<double>::infinity();

// 2, 5 are totals of rows, 6, 7 of columns, 8 of both.
Table square() {
  TableBuilder builder(0);
  for (const Units value : {1, 2, 3, 4, 5, 9, 5, 7, 12}) {
    Cell cell;
    cell.value = value;
    EXPECT_TRUE(builder.add_cell(cell));
  }
  const auto sum = [&](std::int32_t a, std::int32_t b, std::int32_t total) {
    const std::vector<Term> terms{{CellId{a}, 1}, {CellId{b}, 1}, {CellId{total}, -1}};
    EXPECT_TRUE(builder.add_equation(terms));
  };
  for (const std::int32_t row : {0, 3, 6})
    sum(row, row + 1, row + 2);
  for (const std::int32_t column : {0, 1, 2})
    sum(column, column + 3, column + 6);
  return std::move(builder).build().value();
}

struct Within final : Slacks {
  std::vector<RealSlack> slacks;
  RealSlack of(std::int32_t cell) const override { return slacks[static_cast<std::size_t>(cell)]; }
  bool has_slack(std::int32_t cell) const override { return of(cell).up > 0 || of(cell).down > 0; }
};

TEST(AttackerProblem, ListsEquationsByRowAndByCell) {
  const Table table = square();
  const AttackerProblem problem(
      table, std::vector<CellId>{CellId{0}, CellId{1}, CellId{2}, CellId{3}, CellId{4}});
  EXPECT_EQ(problem.num_cells(), 5);
  EXPECT_EQ(problem.local(CellId{2}), 2);
  EXPECT_EQ(problem.local(CellId{5}), -1);
  ASSERT_EQ(problem.num_rows(), 5);  // not that of column totals
  EXPECT_EQ(problem.equation(2), EquationId{3});
  ASSERT_EQ(problem.row(2).size(), 2U);  // without the total
  EXPECT_EQ(problem.row(2)[1].index, 3);
  ASSERT_EQ(problem.rows_of(2).size(), 2U);
  EXPECT_EQ(problem.rows_of(2)[0].index, 0);
  EXPECT_EQ(problem.rows_of(2)[0].coefficient, -1);
  EXPECT_EQ(problem.rows_of(2)[1].index, 4);
  std::size_t entries = 0;
  for (std::int32_t i = 0; i < problem.num_cells(); ++i) {
    for (const simplex::LazyEntry& in : problem.rows_of(i)) {
      ++entries;
      bool found = false;
      for (const simplex::LazyEntry& entry : problem.row(in.index))
        found = found || (entry.index == i && entry.coefficient == in.coefficient);
      EXPECT_TRUE(found);
    }
  }
  EXPECT_EQ(entries, 10U);
}

TEST(AttackerProblem, HasItsForms) {
  const Table table = square();
  const AttackerProblem all(table, std::vector<bool>(9, true));
  EXPECT_EQ(all.leaf_form().leaves.size(), 4U);
  EXPECT_EQ(all.independent().size(), 5U);
  EXPECT_NE(all.network(), nullptr);
  EXPECT_FALSE(all.has_few_leaves());
}

TEST(AttackerProblem, CellsOfTheTableAscend) {
  const Table table = square();
  const AttackerProblem problem(table, std::vector<CellId>{CellId{1}, CellId{4}, CellId{8}});
  const std::vector<CellAmount> moves{{2, 3.0}, {1, 0.0}, {0, -1.0}};
  EXPECT_EQ(cells_of_table(problem, moves), (Move{{1, -1.0}, {8, 3.0}}));
}

TEST(AttackerProblem, ShortFractionsHaveNoNoise) {
  EXPECT_EQ(snapped(1 + 1e-12), 1);
  EXPECT_EQ(snapped(5.0 / 12 - 1e-11), 5.0 / 12);
  EXPECT_EQ(snapped(0.123), 0.123);
}

// Only what is no total moves, in a circle: the narrowest of three slacks decides.
TEST(AttackerSolver, GoesAsFarAsTheNarrowestRoom) {
  const Table table = square();
  const AttackerProblem problem(table,
                                std::vector<CellId>{CellId{0}, CellId{1}, CellId{3}, CellId{4}});
  const auto solver = make_attacker_solver(problem, "");
  Within within;
  within.slacks = {{0, 0}, {3, 9}, {4, 9}, {9, 5}};
  const auto up = solver->push({0, 1, 10}, within, {});
  ASSERT_TRUE(up.solved);
  EXPECT_DOUBLE_EQ(up.value, 3);
  EXPECT_EQ(cells_of_table(problem, up.moves), (Move{{0, 3.0}, {1, -3.0}, {3, -3.0}, {4, 3.0}}));
  ASSERT_EQ(up.dual.size(), 1U);  // cell 1, downwards
  EXPECT_EQ(up.dual[0], CellAmount(1, -1.0));
  EXPECT_DOUBLE_EQ(solver->push({0, 1, 2}, within, {}).value, 2);
  EXPECT_DOUBLE_EQ(solver->push({0, -1, 10}, within, {}).value, 9);
  within.slacks = {{0, 0}, {kEndless, 0}, {kEndless, 0}, {0, kEndless}};
  const auto ray = solver->push({0, 1, kEndless}, within, {});
  EXPECT_TRUE(ray.endless);
  EXPECT_EQ(cells_of_table(problem, ray.moves), (Move{{0, 1.0}, {1, -1.0}, {3, -1.0}, {4, 1.0}}));
  EXPECT_DOUBLE_EQ(solver->push({0, -1, kEndless}, within, {}).value, 0);
  EXPECT_EQ(solver->solves(), 5);
}

// It was once said not to move at all.
TEST(AttackerSolver, CellsOfNoEquationGoAsFarAsAsked) {
  TableBuilder builder(0);
  Cell cell;
  cell.value = 5;
  EXPECT_TRUE(builder.add_cell(cell));
  const Table table = std::move(builder).build().value();
  const AttackerProblem problem(table, std::vector<bool>(1, true));
  const auto solver = make_attacker_solver(problem, "");
  Within within;
  within.slacks = {{0, 0}};
  EXPECT_DOUBLE_EQ(solver->push({0, 1, 7}, within, {}).value, 7);
  EXPECT_TRUE(solver->push({0, -1, kEndless}, within, {}).endless);
}

}  // namespace
}  // namespace lacuna::attacker
