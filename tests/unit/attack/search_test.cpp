// SPDX-License-Identifier: Apache-2.0
// Evidence where rounding the numbers of an engine does not find it.
#include "judge/attack/search.h"

#include <gtest/gtest.h>

#include "core/base/exact.h"
#include "judge/attack/evidence_check.h"
#include "support/tables.h"

namespace lacuna::attack {
namespace {

using testing::problem_of;
using testing::withholding;

const LinearForm kX{{CellId{0}, 1}};

struct Line {  // 11 x = 7 y, x = 7 and y = 11, both withheld
  explicit Line(Bounds bounds) {
    TableBuilder builder(0);
    EXPECT_TRUE(builder.add_cell({.value = 7, .prior = bounds}));
    EXPECT_TRUE(builder.add_cell({.value = 11, .prior = bounds}));
    const std::vector<Term> terms{{CellId{0}, 11}, {CellId{1}, -7}};
    EXPECT_TRUE(builder.add_equation(terms));
    problem = problem_of(std::move(builder), {});
    draft = withholding({0, 1});
    view.emplace(problem->table(), draft, who);
  }
  std::shared_ptr<const Problem> problem;
  Draft draft;
  Attacker who = outsider();
  std::optional<AttackView> view;
};

class SearchTest : public ::testing::TestWithParam<std::string> {};

TEST_P(SearchTest, RaysInNoSimpleRatio) {
  const Line line({0, kUnboundedAbove});
  Search search(*line.view, {.engine = GetParam()});
  const Reach reach = search.extent(kX, Direction::kHigh, RunContext{});
  ASSERT_TRUE(reach.witness && reach.unbounded);
  EXPECT_TRUE(check_ray(line.problem->table(), line.view->slacks(), *reach.witness));
  EXPECT_EQ(reach.witness->moves[0] * 11, reach.witness->moves[1] * 7);
}

TEST_P(SearchTest, EndsInNoSimpleFraction) {
  const Line line({2, 100});  // y <= 100, so x <= 700/11; x >= 2
  Search search(*line.view, {.engine = GetParam()});
  for (const Direction direction : {Direction::kHigh, Direction::kLow}) {
    const Reach reach = search.extent(kX, direction, RunContext{});
    ASSERT_TRUE(reach.witness && reach.proof);
    const Table& table = line.problem->table();
    EXPECT_TRUE(check_displacement(table, line.view->slacks(), *reach.witness));
    const Fraction expected = direction == Direction::kHigh ? Fraction{623, 11} : Fraction{5, 1};
    EXPECT_EQ(displacement_of(*reach.witness, CellId{0}, direction), expected);
    EXPECT_EQ(proven_bound(table, line.view->slacks(), CellId{0}, direction, *reach.proof),
              expected);
  }
  EXPECT_TRUE(search.decide(kX, Direction::kHigh, 56, RunContext{}).witness);
  EXPECT_TRUE(search.decide(kX, Direction::kHigh, 57, RunContext{}).proof);
  EXPECT_TRUE(search.decide(kX, Direction::kLow, 5, RunContext{}).witness);
  EXPECT_TRUE(search.decide(kX, Direction::kLow, 6, RunContext{}).proof);
}

INSTANTIATE_TEST_SUITE_P(Engines, SearchTest, ::testing::ValuesIn(lp_engines()));

}  // namespace
}  // namespace lacuna::attack
