// SPDX-License-Identifier: Apache-2.0
// Logs of bounds on a table that is small enough to know the answer by hand: what follows is
// accepted, what says one more is refused, and so is every step that does not follow.
#include "judge/bound/check_bound.h"

#include <gtest/gtest.h>

#include <functional>

#include "judge/bound/equation_solver.h"
#include "support/tables.h"

namespace lacuna::bound {
namespace {

// 10 + 20 + 30 = 60; the first is sensitive and must be able to fall by 2 and to rise by 3.
std::shared_ptr<const Problem> four_cells(Units sliding = 0, bool limited = true) {
  TableBuilder builder(0);
  for (const Units value : {10, 20, 30, 60}) {
    Cell cell{.value = value, .prior = {0, limited ? 100 : kUnboundedAbove}, .weight = 1};
    cell.status = value == 10 ? CellStatus::kPrimary : CellStatus::kFree;
    EXPECT_TRUE(builder.add_cell(cell));
  }
  EXPECT_TRUE(builder.add_equation(
      std::vector<Term>{{CellId{0}, 1}, {CellId{1}, 1}, {CellId{2}, 1}, {CellId{3}, -1}}));
  return testing::problem_of(
      std::move(builder), {{.cell = CellId{0}, .lower = 2, .upper = 3, .sliding = sliding}});
}

Multipliers of_equation(Integer denominator, Integer value) {
  Multipliers made;
  made.denominator = denominator;
  if (value != 0) {
    made.equations = {EquationId{0}};
    made.values = {value};
  }
  return made;
}

BoundLog weighed(const Problem& problem, const std::vector<bool>& cells) {
  BoundLog log;
  write_values(problem, cells, 1, 1, log);
  return log;
}

// One of the three other cells is withheld with the first.
BoundLog of_pattern(const Problem& problem) {
  BoundLog log = weighed(problem, undecided_cells(problem));
  log.steps.emplace_back(NeedStep{0, BoundSide::kHigh, of_equation(1, 1), {}});
  SumStep divided;
  divided.steps = {0};
  divided.times = {1};
  divided.divisor = 3;
  log.steps.emplace_back(divided);
  log.at_least = 1;
  return log;
}

// Its own interval, and as much room for the others.
BoundLog of_intervals(const Problem& problem) {
  BoundLog log = weighed(problem, std::vector<bool>(4, true));
  log.intervals.emplace();
  log.intervals->needs = {{0, BoundSide::kBoth, of_equation(1, 0), of_equation(1, 0)},
                          {0, BoundSide::kBoth, of_equation(1, 1), of_equation(1, -1)}};
  log.at_least = 10;
  return log;
}

SenseNode leaf(Integer weight, Integer value) {
  SenseNode made;
  made.weight = weight;
  made.sum = of_equation(1, value);
  return made;
}

// 4 + 3 (2/3)^2 where the first falls, 12 where it rises; 2 + 2 and 3 + 3 in L1.
BoundLog of_tables(const Problem& problem, int norm) {
  BoundLog log = weighed(problem, std::vector<bool>(4, true));
  SenseNode split;
  split.cell = CellId{0};
  TableTree tree;
  tree.cells = {CellId{0}, CellId{1}, CellId{2}, CellId{3}};
  tree.at_least = norm == 2 ? 5 : 4;
  tree.nodes = {split, norm == 2 ? leaf(300, 400) : leaf(1, 1), norm == 2 ? leaf(1, -2) : leaf(1, -1)};
  log.tables.emplace();
  log.tables->norm = norm;
  log.tables->trees = {tree};
  log.at_least = tree.at_least;
  return log;
}

void expect_refused(const Problem& problem, BoundLog log, const std::function<void(BoundLog&)>& touch) {
  ASSERT_TRUE(check(problem, log));
  touch(log);
  EXPECT_FALSE(check(problem, log));
}

TEST(CheckBound, OfAPattern) {
  const auto problem = four_cells();
  const BoundLog log = of_pattern(*problem);
  const auto checked = check(*problem, log);
  ASSERT_TRUE(checked) << checked.error().text();
  EXPECT_EQ(*checked, Fraction(2));  // with the cell that is withheld anyway
  expect_refused(*problem, log, [](BoundLog& touched) { touched.at_least = 2; });
  expect_refused(*problem, log, [](BoundLog& touched) { touched.values[0] = 2; });
  expect_refused(*problem, log, [](BoundLog& touched) { touched.unit = 2; });
  expect_refused(*problem, log, [](BoundLog& touched) { touched.cells[0] = CellId{0}; });
  expect_refused(*problem, log, [](BoundLog& touched) { touched.steps.pop_back(); });
  const auto need = [](BoundLog& touched) -> NeedStep& { return std::get<NeedStep>(touched.steps[0]); };
  expect_refused(*problem, log, [&](BoundLog& touched) { need(touched).high.denominator = 0; });
  expect_refused(*problem, log, [&](BoundLog& touched) { need(touched).requirement = 1; });
  expect_refused(*problem, log, [&](BoundLog& touched) { need(touched).high.equations[0].value = 1; });
  const auto sum = [](BoundLog& touched) -> SumStep& { return std::get<SumStep>(touched.steps[1]); };
  expect_refused(*problem, log, [&](BoundLog& touched) { sum(touched).divisor = 0; });
  expect_refused(*problem, log, [&](BoundLog& touched) { sum(touched).steps[0] = 1; });
  expect_refused(*problem, log, [&](BoundLog& touched) { sum(touched).times[0] = -1; });
}

TEST(CheckBound, TiesAndBridgelessCellsNeedAllOthersToStay) {
  const auto problem = four_cells();
  BoundLog log = of_pattern(*problem);
  BoundStep bridge = BridgelessStep{CellId{1}, of_equation(1, 1)};  // the sensitive one may move
  expect_refused(*problem, log, [&](BoundLog& touched) { touched.steps.insert(touched.steps.begin(), bridge); });
  expect_refused(*problem, log, [](BoundLog& touched) {
    touched.ties.push_back({CellId{1}, CellId{2}, of_equation(1, 1)});
  });
}

TEST(CheckBound, ATreeIsClosedByCases) {
  const auto problem = four_cells();
  BoundLog log = of_pattern(*problem);
  TreeStep tree;
  tree.cells = {CellId{1}, CellId{2}, CellId{3}};
  tree.values = {1, 1, 1};
  tree.at_least = 1;
  BoundNode split{BoundNode::Kind::kCase, CellId{1}, 0, {}, {}};
  BoundNode published{BoundNode::Kind::kLeaf, CellId{-1}, 1, {1}, {1}};
  BoundNode withheld{BoundNode::Kind::kLeaf, CellId{-1}, 1, {}, {}};
  tree.nodes = {split, published, withheld};
  log.steps.emplace_back(tree);
  const auto checked = check(*problem, log);
  ASSERT_TRUE(checked) << checked.error().text();
  const auto last = [](BoundLog& touched) -> TreeStep& { return std::get<TreeStep>(touched.steps[2]); };
  expect_refused(*problem, log, [&](BoundLog& touched) { last(touched).nodes.pop_back(); });
  expect_refused(*problem, log, [&](BoundLog& touched) { last(touched).nodes[1].times[0] = 0; });
  expect_refused(*problem, log, [&](BoundLog& touched) { last(touched).at_least = 2; });
  expect_refused(*problem, log, [&](BoundLog& touched) { last(touched).cells[0] = CellId{0}; });
}

TEST(CheckBound, OfIntervals) {
  const auto problem = four_cells();
  const BoundLog log = of_intervals(*problem);
  const auto checked = check(*problem, log);
  ASSERT_TRUE(checked) << checked.error().text();
  EXPECT_EQ(*checked, Fraction(10));
  expect_refused(*problem, log, [](BoundLog& touched) { touched.at_least = 11; });
  expect_refused(*problem, log, [](BoundLog& touched) { touched.intervals->weight = 0; });
  expect_refused(*problem, log, [](BoundLog& touched) { touched.intervals->needs.pop_back(); });
  expect_refused(*problem, log, [](BoundLog& touched) { touched.steps.emplace_back(SumStep{}); });
  // Whoever takes a need twice pays more than the ends cost: the attacker's own limit is no help.
  expect_refused(*problem, log, [](BoundLog& touched) {
    touched.intervals->needs[1].high = of_equation(2, 2);
  });
}

TEST(CheckBound, OfIntervalsWithASlidingLevel) {
  const auto problem = four_cells(8);
  BoundLog log = of_intervals(*problem);
  log.at_least = 16;
  EXPECT_TRUE(check(*problem, log));
  log.at_least = 17;
  EXPECT_FALSE(check(*problem, log));
}

TEST(CheckBound, AnEndWithoutLimitPaysNoMoreThanItCosts) {
  const auto problem = four_cells(0, false);
  BoundLog log = of_intervals(*problem);
  EXPECT_TRUE(check(*problem, log));
  log.intervals->needs.push_back(log.intervals->needs[0]);
  EXPECT_FALSE(check(*problem, log));
}

TEST(CheckBound, OfAdjustedTables) {
  const auto problem = four_cells();
  for (const int norm : {1, 2}) {
    const BoundLog log = of_tables(*problem, norm);
    const auto checked = check(*problem, log);
    ASSERT_TRUE(checked) << checked.error().text();
    EXPECT_EQ(*checked, Fraction(norm == 2 ? 5 : 4));
    const auto tree = [](BoundLog& touched) -> TableTree& { return touched.tables->trees[0]; };
    expect_refused(*problem, log, [&](BoundLog& touched) { touched.at_least = 6; });
    expect_refused(*problem, log, [&](BoundLog& touched) { tree(touched).at_least = 6; });
    expect_refused(*problem, log, [&](BoundLog& touched) { tree(touched).nodes.pop_back(); });
    expect_refused(*problem, log, [&](BoundLog& touched) { tree(touched).nodes[0].cell = CellId{1}; });
    expect_refused(*problem, log, [&](BoundLog& touched) { tree(touched).nodes[1].weight = 0; });
    expect_refused(*problem, log, [&](BoundLog& touched) {
      std::swap(tree(touched).nodes[1], tree(touched).nodes[2]);
    });
    expect_refused(*problem, log, [&](BoundLog& touched) { tree(touched).cells.pop_back(); });
    expect_refused(*problem, log, [&](BoundLog& touched) { tree(touched).cells[1] = CellId{0}; });
    expect_refused(*problem, log, [&](BoundLog& touched) { touched.tables->norm = 3; });
    expect_refused(*problem, log, [&](BoundLog& touched) {
      touched.tables->trees.push_back(tree(touched));  // the same cells again
    });
  }
}

TEST(CheckBound, ACellWithoutLimitMayNotGainWithoutEnd) {
  const auto problem = four_cells(0, false);
  BoundLog log = of_tables(*problem, 1);
  EXPECT_TRUE(check(*problem, log));
  log.tables->trees[0].nodes[1].sum.values[0] = 2;  // each unit gains more than it costs
  EXPECT_FALSE(check(*problem, log));
}

TEST(CheckBound, WeightsAreTheirShortestTexts) {
  EXPECT_EQ(exact_weight(0.1), Fraction(Integer(1), Integer(10)));
  EXPECT_EQ(exact_weight(1.25e22), Fraction(Integer(mpz_class("12500000000000000000000"))));
  EXPECT_EQ(exact_weight(0), Fraction(0));
}

TEST(EquationSolver, FindsMultipliersWhereThereAreAny) {
  const auto problem = four_cells();
  const EquationSolver solver(problem->table(), std::vector<bool>(4, true));
  const auto found = solver.solve({{0, 2}, {1, 2}, {2, 2}, {3, -2}});
  ASSERT_TRUE(found);
  ASSERT_EQ(found->size(), 1U);
  EXPECT_EQ(found->front().second, mpq_class(2));
}

TEST(EquationSolver, ReadsFractionsOutOfDoubles) {
  EXPECT_EQ(fraction_near(1.0 / 3), mpq_class(1, 3));
  EXPECT_EQ(fraction_near(-2.5), mpq_class(-5, 2));
  EXPECT_EQ(fraction_near(355.0 / 113), mpq_class(355, 113));
}

}  // namespace
}  // namespace lacuna::bound
