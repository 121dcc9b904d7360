// SPDX-License-Identifier: Apache-2.0
// Midpoints of counts: the formula, what is said of every count, and the audit of it.
#include "protect/round/midpoint.h"

#include <gtest/gtest.h>

#include "lacuna/audit.h"
#include "support/tables.h"

namespace lacuna::rounding {
namespace {

using testing::problem_of;

// One row of counts with its total, which stands last.
std::shared_ptr<const Problem> row_of(const std::vector<Units>& counts) {
  TableBuilder builder(0);
  std::vector<Term> sum;
  Units total = 0;
  for (const Units count : counts) {
    sum.push_back({*builder.add_cell({.value = count}), 1});
    total += count;
  }
  sum.push_back({*builder.add_cell({.value = total}), -1});
  EXPECT_TRUE(builder.add_equation(sum));
  return problem_of(std::move(builder), {});
}

TEST(Midpoint, IsTheMiddleOfAClassAndSaysSo) {
  for (Units base = 2; base <= 10; ++base) {
    std::vector<Units> counts;
    for (Units count = 0; count <= 60; ++count)
      counts.push_back(count);
    const auto problem = row_of(counts);
    const auto found = round_to_midpoints(*problem, base);
    ASSERT_TRUE(found) << found.error().text();
    EXPECT_DOUBLE_EQ(found->cost, found->bound);
    EXPECT_EQ(found->draft.find(CellId{0}), nullptr);  // 0 stays, and is the truth
    for (Units count = 1; count <= 60; ++count) {
      const CellId cell{static_cast<std::int32_t>(count)};
      const auto entry = found->draft.find(cell);
      ASSERT_NE(entry, nullptr);
      const Units shown = (count + base - 1) / base * base - base / 2;
      EXPECT_EQ(*entry->number(), shown);
      EXPECT_EQ(entry->bounds(), (Bounds{shown - (base + 1) / 2 + 1, shown + base / 2}));
      EXPECT_TRUE(entry->bounds().contains(count));
    }
  }
}

TEST(Midpoint, OfBaseSixSaysTwoBelowToThreeAbove) {
  const auto problem = row_of({1, 6, 7, 12});
  const auto found = round_to_midpoints(*problem, 6);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->draft.find(CellId{0})->bounds(), (Bounds{1, 6}));
  EXPECT_EQ(*found->draft.find(CellId{1})->number(), 3);
  EXPECT_EQ(*found->draft.find(CellId{2})->number(), 9);
  EXPECT_EQ(found->draft.find(CellId{3})->bounds(), (Bounds{7, 12}));
  EXPECT_TRUE(check_draft(problem->table(), found->draft));
}

// Five counts of 1 and their total 5: 5 parts of at least 1 and a total of at most 6 leave one
// person more. Six of them and their total 6 tell everything.
TEST(Midpoint, IsJudgedInWholeNumbers) {
  for (const auto& [parts, verdict] : {std::pair{5, Verdict::kProtected}, {6, Verdict::kExposed}}) {
    auto problem =
        std::make_shared<Problem>(*row_of(std::vector<Units>(static_cast<std::size_t>(parts), 1)));
    CountRules rules;
    rules.questions.push_back({CountKind::kExact, 0, CellId{0}, CellId{-1}, {{CellId{0}, 1}}});
    ASSERT_TRUE(problem->set_counts(std::move(rules)));
    const auto found = round_to_midpoints(*problem, 6);
    ASSERT_TRUE(found);
    const auto report = Auditor(problem).audit(found->draft, {}, RunContext{});
    ASSERT_TRUE(report) << report.error().text();
    EXPECT_EQ(report->verdict, verdict);
  }
}

TEST(Midpoint, RefusesWhatAreNoCounts) {
  TableBuilder builder(1);
  EXPECT_TRUE(builder.add_cell({.value = 15}));
  EXPECT_FALSE(round_to_midpoints(*problem_of(std::move(builder), {}), 6));
  EXPECT_FALSE(round_to_midpoints(*row_of({1, 2}), 1));
}

}  // namespace
}  // namespace lacuna::rounding
