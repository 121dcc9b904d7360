// SPDX-License-Identifier: Apache-2.0
// The first pass: a pattern that the auditor passes, the same for any number of lanes, also when
// the time is over before it begins; goals that nothing can meet are named.
#include "protect/start/first_pass.h"

#include <gtest/gtest.h>

#include "support/tables.h"
#include "support/tree_or_linked.h"
#include "unit/start/first_pattern.h"

namespace lacuna::start {
namespace {

using testing::FirstPattern;

std::shared_ptr<const Problem> shared(Result<Problem> problem) {
  EXPECT_TRUE(problem);
  return std::make_shared<const Problem>(std::move(problem).value());
}

TEST(FirstPass, PatternsAreSafe) {
  int complete = 0;
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const FirstPattern found(shared(testing::tree_or_linked(seed)), 1);
    found.expect_in_order();
    if (!found.unmet.empty())
      continue;
    ++complete;
    EXPECT_EQ(found.verdict(), Verdict::kProtected);
  }
  EXPECT_GE(complete, 3);
}

TEST(FirstPass, SmallTablesOfAllKinds) {
  int complete = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const FirstPattern found(shared(generation::generate_small(seed)), 1);
    found.expect_in_order();
    if (!found.unmet.empty())
      continue;
    ++complete;
    EXPECT_EQ(found.verdict(), Verdict::kProtected);
  }
  EXPECT_GE(complete, 20);
}

TEST(FirstPass, LanesDoNotMatter) {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    const auto problem = shared(testing::tree_or_linked(seed));
    const FirstPattern one(problem, 1);
    const FirstPattern three(problem, 3);
    EXPECT_EQ(one.pattern_state.draft().entries(), three.pattern_state.draft().entries())
        << "seed " << seed;
  }
}

TEST(FirstPass, GoesOnBySureWaysOnceTimeIsOver) {
  RunContext over;
  over.deadline = std::chrono::steady_clock::now();
  const FirstPattern found(shared(testing::tree_or_linked(2)), 1, over);
  found.expect_in_order();
  ASSERT_TRUE(found.unmet.empty());
  EXPECT_EQ(found.verdict(), Verdict::kProtected);
}

// x = y + 1 with y published: nothing helps x.
TEST(FirstPass, NamesWhatNothingCanMeet) {
  TableBuilder builder(0);
  ASSERT_TRUE(builder.add_cell({.value = 3, .status = CellStatus::kPrimary}));
  ASSERT_TRUE(builder.add_cell({.value = 2, .status = CellStatus::kMustPublish}));
  ASSERT_TRUE(builder.add_equation(std::vector<Term>{{CellId{0}, 1}, {CellId{1}, -1}}, 1));
  const FirstPattern found(
      testing::problem_of(std::move(builder), {{.cell = CellId{0}, .upper = 1}}), 1);
  EXPECT_EQ(found.unmet, std::vector<std::int32_t>{0});
}

}  // namespace
}  // namespace lacuna::start
