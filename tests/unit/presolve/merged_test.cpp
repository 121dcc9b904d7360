// SPDX-License-Identifier: Apache-2.0
// Tied cells as one: the smaller problem has the slacks, levels and costs of the larger, and what
// is found there is right here.
#include "judge/presolve/merged.h"

#include <gtest/gtest.h>

#include "judge/attack/evidence_check.h"
#include "judge/attack/view.h"
#include "support/tables.h"

namespace lacuna::presolve {
namespace {

// 0 = 1 + 2, 1 = 3 (a total with a single part), 2 = 4 - 5 with 5 known.
std::shared_ptr<const Problem> tied() {
  TableBuilder builder(0);
  const auto add = [&](Units value, Bounds prior, CellStatus status) {
    const Cell cell{.value = value, .prior = prior, .weight = 1, .status = status};
    EXPECT_TRUE(builder.add_cell(cell));
  };
  add(30, {0, 100}, CellStatus::kFree);
  add(10, {0, 100}, CellStatus::kPrimary);
  add(20, {0, 100}, CellStatus::kFree);
  add(10, {4, 12}, CellStatus::kFree);
  add(25, {0, 100}, CellStatus::kFree);
  add(5, {5, 5}, CellStatus::kKnown);
  const auto equation = [&](std::vector<Term> terms) { EXPECT_TRUE(builder.add_equation(terms)); };
  equation({{CellId{0}, -1}, {CellId{1}, 1}, {CellId{2}, 1}});
  equation({{CellId{1}, -1}, {CellId{3}, 1}});
  equation({{CellId{2}, -1}, {CellId{4}, 1}, {CellId{5}, -1}});
  return testing::problem_of(std::move(builder), {{.cell = CellId{1}, .lower = 2, .upper = 1}});
}

TEST(MergedProblem, HasOneCellPerClass) {
  const auto problem = tied();
  const auto merged = MergedProblem::make(*problem, {}, RunContext());
  ASSERT_TRUE(merged);
  EXPECT_EQ(merged->problem().table().num_cells(), 3);
  EXPECT_EQ(merged->problem().table().num_equations(), 1);
  const std::vector<CellId> both = merged->classes_of({CellId{1}, CellId{3}});
  ASSERT_EQ(both.size(), 1U);
  const Table& table = merged->problem().table();
  EXPECT_EQ(table.cell(both[0]).prior, (Bounds{4, 12}));
  EXPECT_EQ(table.cell(both[0]).status, CellStatus::kPrimary);
  EXPECT_EQ(merged->costs()[static_cast<std::size_t>(both[0].value)], 1.0);  // 1 is withheld anyway
  ASSERT_EQ(merged->problem().requirements().size(), 1U);
  EXPECT_EQ(merged->problem().requirements()[0].lower, 2);
}

TEST(MergedProblem, WhatMovesAClassMovesItsCells) {
  const auto problem = tied();
  const auto merged = MergedProblem::make(*problem, {}, RunContext());
  ASSERT_TRUE(merged);
  const CellId low = merged->classes_of({CellId{3}})[0];
  const CellId other = merged->classes_of({CellId{4}})[0];
  Displacement move;
  move.cells = {std::min(low, other), std::max(low, other)};
  move.moves = {low < other ? -2 : 2, low < other ? 2 : -2};
  const Displacement all = merged->expand(move);
  EXPECT_EQ(all.cells.size(), 4U);
  const Draft draft = merged->expand(*problem, Draft::withholding(move.cells));
  EXPECT_EQ(draft.count(StatementKind::kWithheld), 4);
  const auto slacks = attack::attacker_slacks(problem->table(), draft, outsider());
  EXPECT_TRUE(attack::check_displacement(problem->table(), slacks, all));
  EXPECT_EQ(merged->reduce(all), move);
}

TEST(MergedProblem, NothingToMerge) {
  const auto problem =
      testing::problem_of(testing::two_way({{1, 2, 3}, {4, 5, 9}, {5, 7, 12}}), {});
  EXPECT_FALSE(MergedProblem::make(*problem, {}, RunContext()));
}

}  // namespace
}  // namespace lacuna::presolve
