// SPDX-License-Identifier: Apache-2.0
#include "lacuna/question.h"

#include <gtest/gtest.h>

#include "support/tables.h"

namespace lacuna::table {
namespace {

using testing::problem_of;
using testing::two_way;

CountQuestion about(CountKind kind, std::int32_t cell) {
  return {kind, 0, CellId{cell}, CellId{-1}, {{CellId{cell}, 1}}};
}

// 2 + 5 = 7 and 4 + 0 = 4, with totals 6, 5 and 11.
Problem counted() {
  const Requirement levels{.cell = CellId{1}, .lower = 1, .upper = 3, .sliding = 6};
  const Requirement other{.cell = CellId{4}, .sliding = 1, .origin = LevelOrigin::kImplied};
  Problem problem = *problem_of(
      two_way({{2, 5, 7}, {4, 0, 4}, {6, 5, 11}}, {0, kUnboundedAbove}, 0, {}), {levels, other});
  CountRules rules;
  rules.threshold = 3;
  rules.ambiguity = 2;
  rules.coalition = 1;
  rules.questions = {about(CountKind::kExact, 0),
                     about(CountKind::kSmall, 0),
                     about(CountKind::kZero, 4),
                     about(CountKind::kLevels, 1),
                     {CountKind::kAll, 0, CellId{3}, CellId{5}, {{CellId{3}, -1}, {CellId{5}, 1}}}};
  EXPECT_TRUE(problem.set_counts(std::move(rules)));
  return problem;
}

TEST(Questions, RequirementsThenCounts) {
  const Problem problem = counted();
  const std::vector<Question> questions = questions_of(problem);
  ASSERT_EQ(questions.size(), 7U);
  for (std::size_t i = 0; i < questions.size(); ++i)
    EXPECT_EQ(questions[i].domain, i < 2 ? Domain::kRational : Domain::kInteger);
  const Question& need = questions[0];
  EXPECT_EQ(need.kind, CountKind::kLevels);
  EXPECT_EQ(need.form, (LinearForm{{CellId{1}, 1}}));
  EXPECT_EQ(need.lower, 1);
  EXPECT_EQ(need.upper, 3);
  EXPECT_EQ(need.sliding, 6);
  EXPECT_EQ(need.half_sliding(), 3);
  EXPECT_FALSE(need.asks_nothing());
  EXPECT_EQ(questions[1].origin, LevelOrigin::kImplied);
}

TEST(Questions, WhatMustRemainPossible) {
  const std::vector<Question> questions = questions_of(counted());
  EXPECT_EQ(questions[2].values, 3);  // ambiguity and the truth
  EXPECT_TRUE(questions[2].either);
  EXPECT_EQ(questions[3].lower, 2);  // down to 0
  EXPECT_EQ(questions[3].upper, 1);  // or up to the threshold
  EXPECT_TRUE(questions[3].either);
  EXPECT_EQ(questions[4].lower, 0);
  EXPECT_EQ(questions[4].upper, 1);
  EXPECT_FALSE(questions[4].either);
  EXPECT_EQ(questions[5].lower, 1);  // as the requirement
  EXPECT_EQ(questions[5].upper, 3);
  EXPECT_EQ(questions[5].sliding, 6);
  EXPECT_EQ(questions[6].upper, 2);  // somebody beside the coalition elsewhere
  EXPECT_EQ(form_value(counted().table(), questions[6].form), 0);
}

TEST(Questions, LevelsAloneCanAskNothing) {
  Question nothing = question_of(Requirement{.cell = CellId{0}});
  EXPECT_TRUE(nothing.asks_nothing());
  nothing.sliding = 1;
  EXPECT_FALSE(nothing.asks_nothing());
  EXPECT_FALSE(questions_of(counted())[4].asks_nothing());
}

}  // namespace
}  // namespace lacuna::table
