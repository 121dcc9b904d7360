// SPDX-License-Identifier: Apache-2.0
#include "core/table/collapse.h"

#include <gtest/gtest.h>

namespace lacuna::table {
namespace {

// T = A + B, A = a1 + a2, and in another split T = a2 + Y, Y = a1 + B.
Problem given() {
  std::vector<Dimension> dimensions{
      *Dimension::build("kind",
                        {"T", "A", "B", "a1", "a2", "Y"},
                        {{0, {1, 2}}, {1, {3, 4}}, {0, {4, 5}}, {5, {3, 2}}})};
  TableBuilder builder(0, dimensions);
  const Units values[] = {14, 5, 9, 2, 3, 11};
  for (std::int32_t code = 0; code < 6; ++code) {
    Cell cell;
    cell.value = values[code];
    if (code == 3 || code == 5)
      cell.status = CellStatus::kPrimary;
    EXPECT_TRUE(builder.add_cell(cell, std::vector<std::int32_t>{code}));
  }
  const auto sum = [&](std::int32_t total, std::int32_t one, std::int32_t other) {
    const std::vector<Term> terms{{CellId{total}, -1}, {CellId{one}, 1}, {CellId{other}, 1}};
    EXPECT_TRUE(builder.add_equation(terms));
  };
  sum(0, 1, 2);
  sum(1, 3, 4);
  sum(0, 4, 5);
  sum(5, 3, 2);
  const Attacker insider{"insider", {{CellId{4}, {3, 3}}, {CellId{5}, {0, 12}}}};
  return *make_problem(*std::move(builder).build(),
                       {outsider(), insider},
                       {{.cell = CellId{3}, .upper = 1}, {.cell = CellId{5}, .upper = 1}});
}

TEST(Collapse, CellsBelowAreGoneWithTheirSums) {
  const auto collapsed = collapse_below(given(), 0, 1);
  ASSERT_TRUE(collapsed) << collapsed.error().text();
  EXPECT_EQ(collapsed->gone, (std::vector<bool>{false, false, false, true, true, false}));
  const Problem& problem = collapsed->problem;
  ASSERT_EQ(problem.table().num_cells(), 4);
  EXPECT_EQ(problem.table().value(CellId{3}), 11);
  EXPECT_EQ(problem.table().num_equations(), 1);  // a1 and a2 are gone from the other split, too
  ASSERT_EQ(problem.requirements().size(), 1U);
  EXPECT_EQ(problem.requirements()[0].cell, CellId{3});
  ASSERT_EQ(problem.attackers()[1].known.size(), 1U);
  EXPECT_EQ(problem.attackers()[1].known[0].cell, CellId{3});
  EXPECT_EQ(problem.attackers()[1].known[0].bounds, (Bounds{0, 12}));
}

TEST(Collapse, AtTheTotalOneCellIsLeft) {
  const auto collapsed = collapse_below(given(), 0, 0);
  ASSERT_TRUE(collapsed) << collapsed.error().text();
  EXPECT_EQ(collapsed->problem.table().num_cells(), 1);
  EXPECT_EQ(collapsed->problem.table().num_equations(), 0);
  EXPECT_TRUE(collapsed->problem.requirements().empty());
}

}  // namespace
}  // namespace lacuna::table
