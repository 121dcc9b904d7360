// SPDX-License-Identifier: Apache-2.0
// Mixed-integer models, for the engines that take them: against enumeration, and the ways a MIP
// can end.

#include "conformance/lp_support.h"

namespace lacuna {
namespace {

using test::add_row;

class MipConformance : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    if (!test::make_solver(GetParam())->supports_integers()) {
      GTEST_SKIP() << GetParam() << " takes no integers";
    }
  }
};

struct Knapsack {
  std::vector<std::int64_t> profit, weight;
  std::int64_t capacity = 0;
};

Knapsack random_knapsack(base::Random& random) {
  Knapsack knapsack;
  std::int64_t total = 0;
  const std::int64_t items = random.between(3, 12);
  for (std::int64_t k = 0; k < items; ++k) {
    knapsack.profit.push_back(random.between(1, 30));
    knapsack.weight.push_back(random.between(1, 30));
    total += knapsack.weight.back();
  }
  knapsack.capacity = total / 2;
  return knapsack;
}

std::int64_t best_by_enumeration(const Knapsack& knapsack) {
  std::int64_t best = 0;
  const std::size_t items = knapsack.profit.size();
  for (std::uint32_t chosen = 0; chosen < (1U << items); ++chosen) {
    std::int64_t profit = 0;
    std::int64_t weight = 0;
    for (std::size_t k = 0; k < items; ++k) {
      if ((chosen >> k) & 1U) {
        profit += knapsack.profit[k];
        weight += knapsack.weight[k];
      }
    }
    if (weight <= knapsack.capacity) {
      best = std::max(best, profit);
    }
  }
  return best;
}

LpModel model_of(const Knapsack& knapsack) {
  LpModel model;
  std::vector<test::Entry> entries;
  for (std::size_t k = 0; k < knapsack.profit.size(); ++k) {
    const std::int32_t column =
        model.add_column(0, 1, -static_cast<double>(knapsack.profit[k]), true);
    entries.push_back({column, static_cast<double>(knapsack.weight[k])});
  }
  add_row(model, -kLpInfinity, static_cast<double>(knapsack.capacity), entries);
  return model;
}

TEST_P(MipConformance, KnapsacksAgreeWithEnumeration) {
  base::Random random(41);
  for (int round = 0; round < 60; ++round) {
    SCOPED_TRACE(round);
    const Knapsack knapsack = random_knapsack(random);
    const LpModel model = model_of(knapsack);
    const LpSolution solution = test::solve_fresh(GetParam(), model);
    ASSERT_EQ(solution.status, LpStatus::kOptimal);
    EXPECT_EQ(solution.objective, -static_cast<double>(best_by_enumeration(knapsack)));
    EXPECT_LE(solution.bound, solution.objective);
    EXPECT_GE(solution.bound, solution.objective - 1e-5 * std::abs(solution.objective));
    EXPECT_TRUE(solution.dual.empty());
    test::expect_feasible(model, solution.primal, 0);
    for (const double x : solution.primal) {
      EXPECT_EQ(x, std::round(x));
    }
  }
}

TEST_P(MipConformance, FollowsChangesAndMixesWithLps) {
  LpModel model = model_of({.profit = {5, 4, 3}, .weight = {4, 3, 2}, .capacity = 6});
  auto solver = test::make_solver(GetParam());
  ASSERT_TRUE(solver->load(model));
  EXPECT_EQ(solver->minimize({}).objective, -8);  // items 0 and 2
  EXPECT_TRUE(solver->basis().empty());
  solver->set_column_bounds(0, 0, 0);
  EXPECT_EQ(solver->minimize({}).objective, -7);
  LpModel extra;
  add_row(extra, 0, 1, {{1, 1}, {2, 1}});
  solver->add_rows(extra);
  EXPECT_EQ(solver->minimize({}).objective, -4);
  model.integer.clear();
  ASSERT_TRUE(solver->load(model));
  const LpSolution relaxed = solver->minimize({});
  ASSERT_EQ(relaxed.status, LpStatus::kOptimal);
  EXPECT_NEAR(relaxed.objective, -8.25, 1e-9);
  EXPECT_FALSE(relaxed.dual.empty());
}

TEST_P(MipConformance, ThreadCountsMayDifferBetweenSolvers) {
  const LpModel model = model_of({.profit = {5, 4, 3}, .weight = {4, 3, 2}, .capacity = 6});
  for (const int threads : {1, 2, 1}) {
    auto solver = test::make_solver(GetParam(), {.threads = threads});
    ASSERT_TRUE(solver->load(model));
    EXPECT_EQ(solver->minimize({}).objective, -8);
    LpModel relaxed = model;
    relaxed.integer.clear();
    EXPECT_NEAR(test::solve_fresh(GetParam(), relaxed).objective, -8.25, 1e-9);
  }
}

TEST_P(MipConformance, SeesInfeasibilityThatTheRelaxationHides) {
  LpModel model;
  model.add_column(0, 10, 1, true);
  model.add_column(0, 10, 1, true);
  add_row(model, 7, 7, {{0, 2}, {1, 4}});
  EXPECT_EQ(test::solve_fresh(GetParam(), model).status, LpStatus::kInfeasible);
}

TEST_P(MipConformance, GivesADirectionOfUnboundedness) {
  LpModel model;
  model.add_column(0, kLpInfinity, -1, true);
  model.add_column(0, kLpInfinity, 0);
  add_row(model, 0.5, kLpInfinity, {{0, 1}, {1, -1}});
  const LpSolution solution = test::solve_fresh(GetParam(), model);
  ASSERT_EQ(solution.status, LpStatus::kUnbounded);
  test::expect_ray(model, solution.ray);

  add_row(model, 1, 1, {{0, 2}, {1, 0}});  // 2x = 1 has no integer solution
  EXPECT_EQ(test::solve_fresh(GetParam(), model).status, LpStatus::kInfeasible);
}

TEST_P(MipConformance, SolvesWithoutRows) {
  LpModel model;
  model.add_column(-1.5, 2.5, 1, true);
  model.add_column(-1.5, 2.5, -1, true);
  const LpSolution solution = test::solve_fresh(GetParam(), model);
  ASSERT_EQ(solution.status, LpStatus::kOptimal);
  EXPECT_EQ(solution.objective, -3);
  model.add_column(0.25, 0.75, 0, true);
  EXPECT_EQ(test::solve_fresh(GetParam(), model).status, LpStatus::kInfeasible);
}

// Big-M rows tempt an engine to call 1e-7 an integer zero: the rounded answer must be feasible.
TEST_P(MipConformance, IsNotFooledByLargeCoefficients) {
  LpModel model;
  model.add_column(0, 1, 1000, true);
  model.add_column(0, 50, -1);
  add_row(model, -kLpInfinity, 0, {{0, -1e9}, {1, 1}});
  const LpSolution solution = test::solve_fresh(GetParam(), model);
  if (solution.status != LpStatus::kNumericalTrouble) {
    ASSERT_EQ(solution.status, LpStatus::kOptimal);
    EXPECT_NEAR(solution.objective, 0, 1e-5);
  }
}

// Market-split instances (Cornuejols and Dawande, 1999) keep any branch and bound busy.
TEST_P(MipConformance, ReportsBoundAndIncumbentWhenItsWorkIsDone) {
  base::Random random(53);
  LpModel model;
  constexpr std::int32_t kItems = 40;
  for (std::int32_t k = 0; k < kItems; ++k) {
    model.add_column(0, 1, 0, true);
  }
  for (int i = 0; i < 5; ++i) {
    const std::int32_t over = model.add_column(0, kLpInfinity, 1);
    const std::int32_t under = model.add_column(0, kLpInfinity, 1);
    std::vector<test::Entry> entries{{over, -1}, {under, 1}};
    std::int64_t total = 0;
    for (std::int32_t k = 0; k < kItems; ++k) {
      const std::int64_t weight = random.between(0, 99);
      total += weight;
      entries.push_back({k, static_cast<double>(weight)});
    }
    const auto half = static_cast<double>(total / 2);
    add_row(model, half, half, entries);
  }
  auto solver = test::make_solver(GetParam());
  ASSERT_TRUE(solver->load(model));
  const LpSolution solution = solver->minimize(with_work(RunContext{}, 500'000));
  ASSERT_EQ(solution.status, LpStatus::kLimit);
  ASSERT_FALSE(solution.primal.empty());
  test::expect_feasible(model, solution.primal, 1e-9);
  EXPECT_LE(solution.bound, solution.objective);
  EXPECT_GE(solution.bound, 0);
}

INSTANTIATE_TEST_SUITE_P(Engines,
                         MipConformance,
                         testing::ValuesIn(lp_engines()),
                         [](const auto& name) { return name.param; });

}  // namespace
}  // namespace lacuna
