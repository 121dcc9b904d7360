// SPDX-License-Identifier: Apache-2.0
// What different numbers tell of nested cells, where it is new, and the system that says it.
#include "core/draft/same_units.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "core/draft/system.h"

namespace lacuna::draft {
namespace {

Table sums(const std::vector<Units>& values, const std::vector<std::vector<std::int32_t>>& sums) {
  TableBuilder builder(0);
  for (const Units value : values) {
    Cell cell;
    cell.value = value;
    EXPECT_TRUE(builder.add_cell(cell));
  }
  for (const auto& sum : sums) {
    std::vector<Term> terms{{CellId{sum.front()}, 1}};
    for (std::size_t i = 1; i < sum.size(); ++i)
      terms.push_back({CellId{sum[i]}, -1});
    EXPECT_TRUE(builder.add_equation(terms));
  }
  return std::move(builder).build().value();
}

constexpr Units kBlank = -1;

// Noise of at most 2, none of an empty cell.
Draft shown(const std::vector<Units>& numbers) {
  Draft draft;
  for (std::size_t c = 0; c < numbers.size(); ++c) {
    const CellId cell{static_cast<std::int32_t>(c)};
    const Units least = numbers[c] == 0 ? 0 : std::max<Units>(1, numbers[c] - 2);
    if (numbers[c] == kBlank)
      draft.withhold(cell);
    else
      draft.set({cell, Altered{numbers[c], {least, numbers[c] + 2}, {}, true}});
  }
  return draft;
}

LinearForm form(std::vector<std::pair<std::int32_t, std::int32_t>> terms) {
  LinearForm made;
  for (const auto& [cell, factor] : terms)
    made.push_back({CellId{cell}, factor});
  return made;
}

TEST(SameUnits, ATotalThatDiffersFromItsPart) {
  const Table table = sums({8, 7, 1, 0}, {{0, 1, 2, 3}});
  const auto found = differences_shown(table, shown({7, 9, 0, 0}));
  ASSERT_EQ(found.size(), 1U);  // the others cannot be all of it
  EXPECT_EQ(found[0].form, form({{0, 1}, {1, -1}}));
  EXPECT_EQ(found[0].equation, EquationId{0});
  EXPECT_TRUE(differences_shown(table, shown({7, 7, 0, 0})).empty());
  EXPECT_TRUE(differences_shown(table, shown({8, 7, 1, 0})).empty());  // 1 is not 0 without noise
}

TEST(SameUnits, AllPartsAtZeroAreAtLeastTwo) {
  const Table table = sums({3, 1, 1, 1}, {{0, 1, 2, 3}});
  const auto found = differences_shown(table, shown({3, 0, 0, 0}));
  ASSERT_EQ(found.size(), 3U);
  EXPECT_EQ(found[2].form, form({{0, 1}, {3, -1}}));
}

TEST(SameUnits, BlankCellsArePassed) {
  // 0 = 1 + 2, 1 = 3 + 4
  const Table table = sums({3, 2, 1, 2, 0}, {{0, 1, 2}, {1, 3, 4}});
  const auto found = differences_shown(table, shown({3, kBlank, 0, 2, 0}));
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].form, form({{0, 1}, {2, -1}}));
  EXPECT_EQ(found[0].equation, EquationId{0});
  EXPECT_EQ(found[1].form, form({{0, 1}, {3, -1}}));
  EXPECT_EQ(found[1].equation, EquationId{-1});
}

TEST(SameUnits, SumsThatMeetInABlankCell) {
  // 0 = 2 + 3, 1 = 2 + 4
  const Table table = sums({2, 3, 2, 0, 1}, {{0, 2, 3}, {1, 2, 4}});
  const auto found = differences_shown(table, shown({2, 3, kBlank, 0, 0}));
  ASSERT_EQ(found.size(), 3U);  // and each sum differs from its other part
  EXPECT_EQ(found[2].form, form({{0, 1}, {1, 1}, {2, -2}}));
}

TEST(SameUnits, WhatIsNotTrueTellsNothing) {
  const Table table = sums({7, 7, 0}, {{0, 1, 2}});
  EXPECT_TRUE(differences_shown(table, shown({7, 9, 0})).empty());
}

TEST(SameUnits, NumbersThatAddUpMayHaveBeenMoved) {
  const Table table = sums({5, 4, 1}, {{0, 1, 2}});
  Draft draft;  // all were 5, 5 and 0
  draft.set({CellId{0}, Altered{5, {3, 7}, {}, true}});
  draft.set({CellId{1}, Altered{4, {3, 7}, {}, true}});
  draft.set({CellId{2}, Altered{1, {0, 2}, {}, true}});
  EXPECT_TRUE(differences_shown(table, draft).empty());
  draft.set({CellId{1}, Altered{4, {2, 6}, {}, true}});
  EXPECT_EQ(differences_shown(table, draft).size(), 1U);
}

TEST(SameUnits, WhatIsLeftOutDiffersFromWhatIsShown) {
  const Table table = sums({4, 3, 1}, {{0, 1, 2}});
  Draft draft = shown({4, 3, 0});
  draft.set({CellId{1}, IntervalEnds{{0, 4}}});
  draft.set({CellId{2}, IntervalEnds{{0, 4}}});
  EXPECT_EQ(differences_shown(table, draft).size(), 2U);
}

Problem asking_nothing(Table table) {
  return assemble_problem({std::move(table), {outsider()}, {}}).value();
}

TEST(ReleaseSystem, DividesASumAndKeepsItsNumbers) {
  Problem problem = asking_nothing(sums({3, 1, 1, 1}, {{0, 1, 2, 3}}));
  const Draft draft = shown({3, 0, 0, 0});
  EXPECT_FALSE(ReleaseSystem(problem, draft).changes_table());  // no table of counts
  ASSERT_TRUE(problem.set_counts({}));
  const ReleaseSystem system(problem, draft);
  const Table& table = system.problem().table();
  ASSERT_EQ(table.num_cells(), 7);
  ASSERT_EQ(table.num_equations(), 4);
  EXPECT_EQ(table.equation(EquationId{0}).size(), 3U);  // T = c + r
  EXPECT_EQ(table.equation(EquationId{1}).size(), 3U);  // r = the other two
  for (std::int32_t c = 4; c < 7; ++c) {
    EXPECT_EQ(table.cell(CellId{c}).prior, (Bounds{1, kUnboundedAbove}));
    EXPECT_EQ(table.value(CellId{c}), 2);
    EXPECT_EQ(system.draft().state(CellId{c}), StatementKind::kWithheld);
  }
}

TEST(ReleaseSystem, TheOtherOfTwoPartsIsNotEmpty) {
  Problem problem = asking_nothing(sums({8, 7, 1}, {{0, 1, 2}}));
  ASSERT_TRUE(problem.set_counts({}));
  const Draft draft = shown({7, 9, 0});
  const ReleaseSystem system(problem, draft);
  EXPECT_EQ(system.problem().table().num_cells(), 3);
  EXPECT_EQ(system.problem().table().cell(CellId{2}).prior, (Bounds{1, kUnboundedAbove}));
}

TEST(ReleaseSystem, ImpliedQuestionsAreOfAllThatIsNotPublished) {
  Problem problem = asking_nothing(sums({40, 15, 4, 3, 18}, {{0, 1, 2, 3, 4}}));
  CountRules rules;
  rules.threshold = 8;
  ASSERT_TRUE(problem.set_counts(rules));
  Draft draft;
  draft.withhold(CellId{2});
  draft.publish_interval(CellId{3}, {0, 9});
  EXPECT_TRUE(ReleaseSystem(problem, draft).problem().counts()->questions.empty());  // not asked
  rules.implied = true;
  ASSERT_TRUE(problem.set_counts(rules));
  const ReleaseSystem system(problem, draft);
  const auto& asked = system.problem().counts()->questions;
  ASSERT_EQ(asked.size(), 1U);
  EXPECT_EQ(asked[0].form, form({{2, 1}, {3, 1}}));
  draft.publish_interval(CellId{3}, {3, 3});  // known: no part of what is hidden
  EXPECT_TRUE(ReleaseSystem(problem, draft).problem().counts()->questions.empty());
}

}  // namespace
}  // namespace lacuna::draft
