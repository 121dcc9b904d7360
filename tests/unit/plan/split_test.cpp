// SPDX-License-Identifier: Apache-2.0
#include "app/plan/split.h"

#include <gtest/gtest.h>

#include <set>

#include "app/plan/plan_file.h"
#include "support/tables.h"

namespace lacuna::plan {
namespace {

using testing::problem_of;

// Regions of 2 x 2 cells with their margins, nine cells each, whose totals are published and add up
// to the last cell. The first cell of each region that is named is sensitive.
//   10 20 | 30
//    5 40 | 45
//   15 60 | 75
constexpr std::int32_t kRegion = 9;

TableBuilder regions(std::int32_t count, const std::set<std::int32_t>& sensitive) {
  TableBuilder builder(0);
  std::vector<Term> totals;
  for (std::int32_t r = 0; r < count; ++r) {
    for (const Units value : {10, 20, 30, 5, 40, 45, 15, 60, 75}) {
      Cell cell{.value = value};
      if (value == 75)
        cell.status = CellStatus::kMustPublish;
      if (value == 10 && sensitive.contains(r))
        cell.status = CellStatus::kPrimary;
      EXPECT_TRUE(builder.add_cell(cell));
    }
    for (std::int32_t i = 0; i < 3; ++i) {
      const std::int32_t first = r * kRegion;
      const auto term = [&](std::int32_t cell, std::int32_t coefficient) {
        return Term{CellId{first + cell}, coefficient};
      };
      EXPECT_TRUE(builder.add_equation(
          std::vector<Term>{term(3 * i, 1), term(3 * i + 1, 1), term(3 * i + 2, -1)}));
      EXPECT_TRUE(
          builder.add_equation(std::vector<Term>{term(i, 1), term(i + 3, 1), term(i + 6, -1)}));
    }
    totals.push_back({CellId{r * kRegion + 8}, 1});
  }
  EXPECT_TRUE(builder.add_cell({.value = 75 * count, .status = CellStatus::kMustPublish}));
  totals.push_back({CellId{count * kRegion}, -1});
  EXPECT_TRUE(builder.add_equation(totals));
  return builder;
}

Requirement level(std::int32_t cell, Units width, std::int32_t attacker = 0) {
  return {.cell = CellId{cell}, .attacker = attacker, .lower = width, .upper = width};
}

TEST(SplitProblem, RegionsWithPublishedTotalsAreParts) {
  const auto whole = problem_of(regions(3, {0, 2}), {level(0, 2), level(18, 3)});
  const SplitProblem split(*whole, 1);
  EXPECT_EQ(split.num_parts(), 2);  // the second region has nothing to hide
  EXPECT_EQ(split.largest_part(), 8);
  ASSERT_EQ(split.num_units(), 2U);
  EXPECT_EQ(split.cells(1).front(), CellId{18});
  const auto part = split.problem(1);
  ASSERT_TRUE(part) << part.error().text();
  EXPECT_EQ(part->table().num_cells(), 8);
  EXPECT_EQ(part->table().num_equations(), 6);
  std::multiset<Units> published;
  for (std::int32_t e = 0; e < 6; ++e)
    published.insert(part->table().rhs(EquationId{e}));
  EXPECT_EQ(published, (std::multiset<Units>{0, 0, 0, 0, 75, 75}));
  ASSERT_EQ(part->requirements().size(), 1U);
  EXPECT_EQ(part->requirements()[0], level(0, 3));
}

TEST(SplitProblem, ATotalThatMayBeWithheldTiesItsRegions) {
  TableBuilder tied = regions(2, {0, 1});
  Cell free{.value = 2 * 75};
  EXPECT_TRUE(tied.add_cell(free));  // a cell of both
  EXPECT_TRUE(tied.add_equation(std::vector<Term>{
      {CellId{7}, 1}, {CellId{6}, 1}, {CellId{16}, 1}, {CellId{15}, 1}, {CellId{19}, -1}}));
  const auto whole = problem_of(std::move(tied), {level(0, 2), level(9, 2)});
  EXPECT_EQ(SplitProblem(*whole, 1).num_parts(), 1);
}

TEST(SplitProblem, WhatCannotMoveTiesNothing) {
  // Row 3 of both regions: a cell in common that is known to everyone, and one that is determined.
  TableBuilder builder = regions(2, {0, 1});
  EXPECT_TRUE(builder.add_cell({.value = 7, .prior = {7, 7}}));
  EXPECT_TRUE(builder.add_cell({.value = 8}));
  EXPECT_TRUE(builder.add_equation(std::vector<Term>{{CellId{20}, 1}}, 8));
  for (const std::int32_t cell : {19, 20})
    EXPECT_TRUE(builder.add_equation(
        std::vector<Term>{{CellId{cell}, 1}, {CellId{8}, 1}, {CellId{17}, 1}}, cell - 12 + 150));
  const auto whole = problem_of(std::move(builder), {level(0, 2), level(9, 2)});
  EXPECT_EQ(SplitProblem(*whole, 1).num_parts(), 2);
}

TEST(SplitProblem, AttackersGoWithTheCells) {
  const std::vector<Attacker> attackers{
      outsider(),
      {"a", {{CellId{1}, {15, 25}}}},
      {"b", {{CellId{10}, {18, 30}}, {CellId{17}, {75, 75}}}},
      {"c", {}},
  };
  const auto whole = problem_of(
      regions(2, {0, 1}), {level(0, 2), level(9, 2, 2), level(9, 1, 3), level(9, 1)}, attackers);
  const SplitProblem split(*whole, 1);
  const auto first = split.problem(0), second = split.problem(1);
  ASSERT_TRUE(first);
  ASSERT_TRUE(second);
  ASSERT_EQ(first->attackers().size(), 2U);
  EXPECT_EQ(first->attackers()[1], (Attacker{"a", {{CellId{1}, {15, 25}}}}));
  ASSERT_EQ(second->attackers().size(), 3U);
  EXPECT_EQ(second->attackers()[1],
            (Attacker{"b", {{CellId{1}, {18, 30}}}}));  // not of what is told
  EXPECT_EQ(second->attackers()[2], (Attacker{"c", {}}));
  EXPECT_EQ(second->requirements(),
            (std::vector<Requirement>{level(0, 1), level(0, 2, 1), level(0, 1, 2)}));
}

TEST(SplitProblem, SmallPartsArePutTogether) {
  std::set<std::int32_t> all;
  std::vector<Requirement> needs;
  for (std::int32_t r = 0; r < 10; ++r) {
    all.insert(r);
    needs.push_back(level(r * kRegion, 2));
  }
  const auto whole = problem_of(regions(10, all), needs);
  const SplitProblem split(*whole, 24);  // three of eight cells
  EXPECT_EQ(split.num_parts(), 10);
  ASSERT_EQ(split.num_units(), 4U);
  std::vector<CellId> cells;
  for (std::size_t unit = 0; unit < 4; ++unit) {
    EXPECT_EQ(split.cells(unit).size(), unit < 3 ? 24U : 8U);
    cells.insert(cells.end(), split.cells(unit).begin(), split.cells(unit).end());
    const auto problem = split.problem(unit);
    ASSERT_TRUE(problem);
    EXPECT_EQ(problem->requirements().size(), unit < 3 ? 3U : 1U);
  }
  std::sort(cells.begin(), cells.end());
  EXPECT_TRUE(std::adjacent_find(cells.begin(), cells.end()) == cells.end());
  EXPECT_EQ(cells.size(), 80U);
}

TEST(SplitProblem, ASensitiveCellThatIsToldAnywayIsInAPart) {
  TableBuilder builder = regions(2, {0});
  Cell told{.value = 30, .status = CellStatus::kPrimary};
  EXPECT_TRUE(builder.add_cell(told));
  EXPECT_TRUE(builder.add_equation(std::vector<Term>{{CellId{19}, 1}, {CellId{8}, 1}}, 105));
  const auto whole = problem_of(std::move(builder), {level(0, 2), level(19, 3)});
  const SplitProblem split(*whole, 1);
  ASSERT_EQ(split.num_units(), 2U);
  const auto part = split.problem(1);
  ASSERT_TRUE(part);
  EXPECT_EQ(part->table().num_cells(), 1);
  EXPECT_EQ(part->table().rhs(EquationId{0}), 30);
  EXPECT_EQ(part->requirements(), std::vector<Requirement>{level(0, 3)});
}

TEST(SplitProblem, NothingToHideIsNoUnit) {
  const auto whole = problem_of(regions(2, {}), {});
  EXPECT_EQ(SplitProblem(*whole, 1).num_units(), 0U);
}

TEST(SplitProblem, SumsThatNoTableHoldsAreAnError) {
  TableBuilder builder(0);
  std::vector<Term> terms;
  for (std::int32_t c = 0; c < 4; ++c) {
    const CellStatus status = c < 2 ? CellStatus::kMustPublish : CellStatus::kFree;
    EXPECT_TRUE(builder.add_cell({.value = kMaxUnits, .status = status}));
    terms.push_back({CellId{c}, c < 2 ? 1 : -1});
  }
  EXPECT_TRUE(builder.add_equation(terms));
  const auto whole = problem_of(std::move(builder), {level(2, 1)});
  const SplitProblem split(*whole, 1);
  ASSERT_EQ(split.num_units(), 1U);
  const auto part = split.problem(0);
  ASSERT_FALSE(part);
  EXPECT_EQ(part.error().code, ErrorCode::kTooLarge);
}

TEST(IsSeparable, OnlyWhatHidesCellsWithoutALimit) {
  const auto whole = problem_of(regions(2, {0}), {level(0, 2)});
  ProtectOptions options;
  for (const Method method : {Method::kSuppress, Method::kInterval, Method::kCombined}) {
    options.method = method;
    EXPECT_TRUE(is_separable(*whole, options));
  }
  for (const Method method : {Method::kRound,
                              Method::kPerturb,
                              Method::kAdjust,
                              Method::kMixed,
                              Method::kSmallCounts,
                              Method::kCellKey}) {
    options.method = method;
    EXPECT_FALSE(is_separable(*whole, options));
  }
  options.method = Method::kSuppress;
  options.suppress.max_withheld = 5;
  EXPECT_FALSE(is_separable(*whole, options));
  options.suppress.max_withheld = -1;
  options.combined.max_intervals = 5;
  EXPECT_FALSE(is_separable(*whole, options));
  options.combined.max_intervals = -1;
  Problem counted = *whole;
  ASSERT_TRUE(counted.set_counts({}));
  EXPECT_FALSE(is_separable(counted, options));
}

TEST(PlanFile, CellsOfAUnit) {
  const std::string rest = "[[table]]\ninput = \"a.csv\"\n";
  const auto plan = read_plan_text("[plan]\nunit_cells = 77\n" + rest, "plan.toml");
  ASSERT_TRUE(plan);
  EXPECT_EQ(plan->unit_cells, 77);
  for (const char* wrong : {"0", "-3", "1.5", "\"many\""}) {
    const auto none =
        read_plan_text(std::string("[plan]\nunit_cells = ") + wrong + "\n" + rest, "plan.toml");
    ASSERT_FALSE(none);
    EXPECT_EQ(none.error().text(), "plan.toml:2:14: unit_cells is a number of cells, at least 1");
  }
}

}  // namespace
}  // namespace lacuna::plan
