// SPDX-License-Identifier: Apache-2.0
// A few hundred seeded random models: all engines agree on status and objective, optima satisfy
// strong duality, and every proof is checked here independently of the solver's own checker.
#include <thread>

#include "conformance/lp_support.h"

namespace lacuna {
namespace {

void expect_sound(const LpModel& model, const LpSolution& solution) {
  switch (solution.status) {
    case LpStatus::kOptimal:
      test::expect_feasible(model, solution.primal, 1e-7);
      test::expect_duality(model, solution);
      return;
    case LpStatus::kInfeasible:
      test::expect_farkas_proof(model, solution.ray);
      return;
    case LpStatus::kUnbounded:
      test::expect_ray(model, solution.ray);
      return;
    case LpStatus::kLimit:
    case LpStatus::kNumericalTrouble:
      ADD_FAILURE() << "status " << to_string(solution.status);
  }
}

TEST(RandomLps, EnginesAgreeAndProofsHold) {
  base::Random random(20260101);
  int optimal = 0;
  int infeasible = 0;
  int unbounded = 0;
  for (int round = 0; round < 500; ++round) {
    SCOPED_TRACE(round);
    const LpModel model = test::random_model(random, 14, 9);
    ASSERT_TRUE(model.validate());
    const LpSolution first = test::solve_fresh(lp_engines().front(), model);
    optimal += first.status == LpStatus::kOptimal ? 1 : 0;
    infeasible += first.status == LpStatus::kInfeasible ? 1 : 0;
    unbounded += first.status == LpStatus::kUnbounded ? 1 : 0;
    for (const std::string& engine : lp_engines()) {
      SCOPED_TRACE(engine);
      const LpSolution solution = test::solve_fresh(engine, model);
      expect_sound(model, solution);
      EXPECT_EQ(to_string(solution.status), to_string(first.status));
      if (first.status == LpStatus::kOptimal && solution.status == LpStatus::kOptimal) {
        EXPECT_NEAR(solution.objective, first.objective, 1e-6);
      }
    }
  }
  EXPECT_GT(optimal, 50);
  EXPECT_GT(infeasible, 50);
  EXPECT_GT(unbounded, 50);
}

// One solver per engine lives through a long history of changes; a fresh one must agree.
TEST(RandomLps, LongHistoriesAgreeWithFreshSolves) {
  for (const std::string& engine : lp_engines()) {
    SCOPED_TRACE(engine);
    base::Random random(77);
    LpModel model = test::random_model(random, 14, 9);
    auto solver = test::make_solver(engine);
    ASSERT_TRUE(solver->load(model));
    for (int step = 0; step < 300; ++step) {
      SCOPED_TRACE(step);
      const auto column = static_cast<std::int32_t>(random.between(0, model.num_columns() - 1));
      const auto j = static_cast<std::size_t>(column);
      const auto row = static_cast<std::int32_t>(random.between(0, model.num_rows() - 1));
      const auto i = static_cast<std::size_t>(row);
      const std::int64_t kind = random.between(0, 2);
      if (kind == 0) {
        model.cost[j] = static_cast<double>(random.between(-9, 9));
        solver->set_cost(column, model.cost[j]);
      } else if (kind == 1) {
        model.column_lower[j] = static_cast<double>(random.between(-5, 2));
        model.column_upper[j] = model.column_lower[j] + static_cast<double>(random.between(0, 9));
        solver->set_column_bounds(column, model.column_lower[j], model.column_upper[j]);
      } else {
        model.row_lower[i] = static_cast<double>(random.between(-12, 6));
        model.row_upper[i] = model.row_lower[i] + static_cast<double>(random.between(0, 9));
        solver->set_row_bounds(row, model.row_lower[i], model.row_upper[i]);
      }
      const LpSolution warm = solver->minimize({});
      expect_sound(model, warm);
      const LpSolution cold = test::solve_fresh(engine, model);
      ASSERT_EQ(to_string(warm.status), to_string(cold.status));
      if (cold.status == LpStatus::kOptimal) {
        ASSERT_NEAR(warm.objective, cold.objective, 1e-6);
      }
    }
  }
}

// Row and column sums over cells between 0 and 1e10, about half of them known: the systems an
// attacker solves, one changed cost at a time. HiGHS leaves a wrong direction in some of them.
LpModel two_way_system(base::Random& random, std::int32_t size) {
  const std::int32_t width = size + 1;
  std::vector<double> value(static_cast<std::size_t>(width * width), 0);
  const auto index = [width](std::int32_t i, std::int32_t j) { return i * width + j; };
  const auto cell = [&](std::int32_t i, std::int32_t j) -> double& {
    return value[static_cast<std::size_t>(index(i, j))];
  };
  for (std::int32_t i = 0; i < size; ++i) {
    for (std::int32_t j = 0; j < size; ++j) {
      const std::int64_t largest = random.chance(1, 2) ? 1000 : 10'000'000'000;
      cell(i, j) = static_cast<double>(random.between(0, largest));
      cell(i, size) += cell(i, j);
      cell(size, j) += cell(i, j);
      cell(size, size) += cell(i, j);
    }
  }
  LpModel model;
  for (const double known : value) {
    const bool is_open = random.chance(1, 2);
    model.add_column(is_open ? 0 : known, is_open ? kLpInfinity : known);
  }
  for (std::int32_t i = 0; i < width; ++i) {
    std::vector<test::Entry> across{{index(i, size), -1}};
    std::vector<test::Entry> down{{index(size, i), -1}};
    for (std::int32_t j = 0; j < size; ++j) {
      across.push_back({index(i, j), 1});
      down.push_back({index(j, i), 1});
    }
    test::add_row(model, 0, 0, across);
    test::add_row(model, 0, 0, down);
  }
  return model;
}

TEST(RandomLps, EnginesAgreeOnEveryCellOfTwoWaySystems) {
  base::Random random(99);
  for (int round = 0; round < 40; ++round) {
    SCOPED_TRACE(round);
    const LpModel model = two_way_system(random, 6);
    std::vector<std::unique_ptr<LpSolver>> solvers;
    for (const std::string& engine : lp_engines()) {
      solvers.push_back(test::make_solver(engine));
      ASSERT_TRUE(solvers.back()->load(model));
    }
    for (std::int32_t column = 0; column < model.num_columns(); ++column) {
      for (const double cost : {1.0, -1.0}) {
        LpSolution first;
        for (auto& solver : solvers) {
          solver->set_cost(column, cost);
          const LpSolution solution = solver->minimize({});
          solver->set_cost(column, 0);
          ASSERT_NE(solution.status, LpStatus::kNumericalTrouble) << solver->engine();
          if (solver == solvers.front()) {
            first = solution;
          }
          ASSERT_EQ(to_string(solution.status), to_string(first.status));
          if (first.status == LpStatus::kOptimal) {
            ASSERT_NEAR(solution.objective,
                        first.objective,
                        1e-6 * std::max(1.0, std::abs(first.objective)));
          }
        }
      }
    }
  }
}

double sum_of_objectives(const std::string& engine, std::uint64_t seed) {
  base::Random random(seed);
  double sum = 0;
  for (int round = 0; round < 100; ++round) {
    const LpSolution solution = test::solve_fresh(engine, test::random_model(random, 10, 8));
    sum += solution.status == LpStatus::kOptimal ? solution.objective : 0;
  }
  return sum;
}

TEST(RandomLps, SolversInTwoThreadsDoNotMeet) {
  for (const std::string& engine : lp_engines()) {
    const double alone_first = sum_of_objectives(engine, 1);
    const double alone_second = sum_of_objectives(engine, 2);
    double first = 0;
    double second = 0;
    std::thread one([&] { first = sum_of_objectives(engine, 1); });
    std::thread two([&] { second = sum_of_objectives(engine, 2); });
    one.join();
    two.join();
    EXPECT_EQ(first, alone_first);
    EXPECT_EQ(second, alone_second);
  }
}

}  // namespace
}  // namespace lacuna
