// SPDX-License-Identifier: Apache-2.0
// What every engine must do alike: known optima with their duals, proofs, warm starts, changes,
// limits. Random models and MIPs are in files of their own.
#include <algorithm>
#include <chrono>
#include <functional>
#include <stop_token>
#include <thread>

#include "conformance/lp_support.h"

namespace lacuna {
namespace {

using test::add_row;
using test::make_solver;
using test::solve_fresh;

class LpConformance : public ::testing::TestWithParam<std::string> {
 protected:
  LpSolution solve(const LpModel& model) { return solve_fresh(GetParam(), model); }
};

// min -3x - 5y, x <= 4, 2y <= 12, 3x + 2y <= 18 (Wyndor Glass, Hillier and Lieberman, chapter 3).
LpModel wyndor() {
  LpModel model;
  model.add_column(0, kLpInfinity, -3);
  model.add_column(0, kLpInfinity, -5);
  add_row(model, -kLpInfinity, 4, {{0, 1}});
  add_row(model, -kLpInfinity, 12, {{1, 2}});
  add_row(model, -kLpInfinity, 18, {{0, 3}, {1, 2}});
  return model;
}

TEST_P(LpConformance, FindsTheOptimumAndItsDuals) {
  const LpSolution solution = solve(wyndor());
  ASSERT_EQ(solution.status, LpStatus::kOptimal);
  EXPECT_NEAR(solution.objective, -36, 1e-9);
  EXPECT_NEAR(solution.primal[0], 2, 1e-9);
  EXPECT_NEAR(solution.primal[1], 6, 1e-9);
  EXPECT_NEAR(solution.row_activity[2], 18, 1e-9);
  EXPECT_NEAR(solution.dual[0], 0, 1e-9);
  EXPECT_NEAR(solution.dual[1], -1.5, 1e-9);
  EXPECT_NEAR(solution.dual[2], -1, 1e-9);
  EXPECT_NEAR(solution.bound, -36, 1e-9);
  test::expect_duality(wyndor(), solution);
}

TEST_P(LpConformance, SolvesEqualities) {
  LpModel model;  // transport: supplies 3 and 4, demands 5 and 2
  for (const double cost : {1.0, 4.0, 2.0, 3.0}) {
    model.add_column(0, kLpInfinity, cost);
  }
  add_row(model, 3, 3, {{0, 1}, {1, 1}});
  add_row(model, 4, 4, {{2, 1}, {3, 1}});
  add_row(model, 5, 5, {{0, 1}, {2, 1}});
  add_row(model, 2, 2, {{1, 1}, {3, 1}});  // follows from the other three
  const LpSolution solution = solve(model);
  ASSERT_EQ(solution.status, LpStatus::kOptimal);
  EXPECT_NEAR(solution.objective, 3 * 1 + 2 * 2 + 2 * 3, 1e-9);
  test::expect_feasible(model, solution.primal, 1e-9);
  test::expect_duality(model, solution);
}

TEST_P(LpConformance, UsesBothEndsOfARangedRow) {
  LpModel model;
  model.add_column(-kLpInfinity, kLpInfinity, 1);
  model.add_column(0, 1, 0);
  add_row(model, -3, 7, {{0, 1}, {1, 1}});
  auto solver = make_solver(GetParam());
  ASSERT_TRUE(solver->load(model));
  const LpSolution low = solver->minimize({});
  ASSERT_EQ(low.status, LpStatus::kOptimal);
  EXPECT_NEAR(low.objective, -4, 1e-9);
  EXPECT_NEAR(low.dual[0], 1, 1e-9);
  solver->set_cost(0, -1);
  const LpSolution high = solver->minimize({});
  ASSERT_EQ(high.status, LpStatus::kOptimal);
  EXPECT_NEAR(high.objective, -7, 1e-9);
  EXPECT_NEAR(high.dual[0], -1, 1e-9);
}

TEST_P(LpConformance, HandlesFreeAndFixedColumns) {
  LpModel model;
  model.add_column(-kLpInfinity, kLpInfinity, 1);
  model.add_column(-kLpInfinity, kLpInfinity, 2);
  model.add_column(2.5, 2.5, -4);
  add_row(model, 1, kLpInfinity, {{0, 1}, {1, 1}, {2, 1}});
  add_row(model, -10, kLpInfinity, {{0, 1}, {1, -1}});
  add_row(model, -kLpInfinity, 20, {{0, 1}, {1, -1}});
  const LpSolution solution = solve(model);
  ASSERT_EQ(solution.status, LpStatus::kOptimal);
  // x + y = -1.5 at the first row, x - y = 20: x = 9.25, y = -10.75.
  EXPECT_NEAR(solution.primal[0], 9.25, 1e-9);
  EXPECT_NEAR(solution.primal[1], -10.75, 1e-9);
  EXPECT_EQ(solution.primal[2], 2.5);
  EXPECT_NEAR(solution.objective, 9.25 - 21.5 - 10, 1e-9);
  test::expect_duality(model, solution);
}

TEST_P(LpConformance, SolvesWithoutRows) {
  LpModel model;
  model.add_column(-1, 3, 2);
  model.add_column(-1, 3, -2);
  model.add_column(-kLpInfinity, kLpInfinity, 0);
  auto solver = make_solver(GetParam());
  ASSERT_TRUE(solver->load(model));
  const LpSolution solution = solver->minimize({});
  ASSERT_EQ(solution.status, LpStatus::kOptimal);
  EXPECT_EQ(solution.objective, -8);
  EXPECT_EQ(solver->basis().columns[1], BasisStatus::kAtUpper);
  solver->set_cost(2, 1);
  const LpSolution unbounded = solver->minimize({});
  ASSERT_EQ(unbounded.status, LpStatus::kUnbounded);
  model.cost[2] = 1;
  test::expect_ray(model, unbounded.ray);
}

TEST_P(LpConformance, SolvesWithoutColumns) {
  const LpSolution empty = solve(LpModel{});
  ASSERT_EQ(empty.status, LpStatus::kOptimal);
  EXPECT_EQ(empty.objective, 0);
  LpModel model;
  add_row(model, -1, 1, {});
  EXPECT_EQ(solve(model).status, LpStatus::kOptimal);
  add_row(model, 2, 3, {});
  const LpSolution infeasible = solve(model);
  ASSERT_EQ(infeasible.status, LpStatus::kInfeasible);
  test::expect_farkas_proof(model, infeasible.ray);
}

TEST_P(LpConformance, SolvesRowsWithoutEntries) {
  LpModel model;
  model.add_column(1, 5, 1);
  add_row(model, -1, 1, {});
  const LpSolution solution = solve(model);
  ASSERT_EQ(solution.status, LpStatus::kOptimal);
  EXPECT_EQ(solution.objective, 1);
  add_row(model, 2, 3, {});
  const LpSolution infeasible = solve(model);
  ASSERT_EQ(infeasible.status, LpStatus::kInfeasible);
  test::expect_farkas_proof(model, infeasible.ray);
}

// Assignment with all costs from {0, 1}: every vertex is heavily degenerate.
TEST_P(LpConformance, SolvesDegenerateAssignment) {
  constexpr std::int32_t kSize = 12;
  base::Random random(5);
  LpModel model;
  for (std::int32_t k = 0; k < kSize * kSize; ++k) {
    model.add_column(0, kLpInfinity, random.chance(3, 4) ? 1 : 0);
  }
  for (std::int32_t i = 0; i < kSize; ++i) {
    std::vector<test::Entry> row;
    std::vector<test::Entry> column;
    for (std::int32_t j = 0; j < kSize; ++j) {
      row.push_back({i * kSize + j, 1});
      column.push_back({j * kSize + i, 1});
    }
    add_row(model, 1, 1, row);
    add_row(model, 1, 1, column);
  }
  const LpSolution solution = solve(model);
  ASSERT_EQ(solution.status, LpStatus::kOptimal);
  EXPECT_NEAR(solution.objective, std::round(solution.objective), 1e-9);
  test::expect_feasible(model, solution.primal, 1e-9);
  test::expect_duality(model, solution);
}

TEST_P(LpConformance, ProvesInfeasibility) {
  LpModel model;
  model.add_column(0, kLpInfinity, -1);
  model.add_column(0, 4, 1);
  model.add_column(-kLpInfinity, kLpInfinity, 0);
  add_row(model, 6, kLpInfinity, {{0, 1}, {1, 1}, {2, 1}});
  add_row(model, -kLpInfinity, 1, {{0, 1}, {2, 1}});
  const LpSolution solution = solve(model);
  ASSERT_EQ(solution.status, LpStatus::kInfeasible);
  EXPECT_TRUE(solution.primal.empty());
  test::expect_farkas_proof(model, solution.ray);
}

// With infeasible rows and an unbounded direction at once, infeasibility is the answer.
TEST_P(LpConformance, PrefersInfeasibilityToADirection) {
  LpModel model;
  model.add_column(0, kLpInfinity, -1);
  model.add_column(0, 1, 0);
  add_row(model, 0, kLpInfinity, {{0, 1}, {1, 1}});
  add_row(model, 3, 4, {{1, 1}});
  const LpSolution solution = solve(model);
  ASSERT_EQ(solution.status, LpStatus::kInfeasible);
  test::expect_farkas_proof(model, solution.ray);
}

TEST_P(LpConformance, CallsCrossedBoundsInfeasibleAndRecovers) {
  auto solver = make_solver(GetParam());
  ASSERT_TRUE(solver->load(wyndor()));
  solver->set_column_bounds(0, 3, 2);
  EXPECT_EQ(solver->minimize({}).status, LpStatus::kInfeasible);
  LpModel extra;
  add_row(extra, 0, 100, {{0, 1}, {1, 1}});
  solver->add_rows(extra);
  EXPECT_EQ(solver->minimize({}).status, LpStatus::kInfeasible);
  solver->set_column_bounds(0, 0, kLpInfinity);
  const LpSolution solution = solver->minimize({});
  ASSERT_EQ(solution.status, LpStatus::kOptimal);
  EXPECT_NEAR(solution.objective, -36, 1e-9);
}

TEST_P(LpConformance, GivesADirectionOfUnboundedness) {
  LpModel model;
  model.add_column(0, kLpInfinity, -1);
  model.add_column(0, kLpInfinity, -2);
  model.add_column(0, 5, 1);
  add_row(model, -kLpInfinity, 3, {{0, 1}, {1, -1}});
  add_row(model, -2, kLpInfinity, {{0, 2}, {1, -1}, {2, 1}});
  const LpSolution solution = solve(model);
  ASSERT_EQ(solution.status, LpStatus::kUnbounded);
  test::expect_ray(model, solution.ray);
}

TEST_P(LpConformance, StartsWarmAfterABoundChange) {
  base::Random random(11);
  LpModel model;
  for (int j = 0; j < 60; ++j) {
    model.add_column(0, static_cast<double>(random.between(20, 99)), -double(random.between(1, 9)));
  }
  for (int i = 0; i < 40; ++i) {
    std::vector<test::Entry> entries;
    for (std::int32_t j = 0; j < 60; ++j) {
      if (random.chance(1, 6)) {
        entries.push_back({j, static_cast<double>(random.between(1, 5))});
      }
    }
    add_row(model, -kLpInfinity, static_cast<double>(random.between(50, 300)), entries);
  }
  auto solver = make_solver(GetParam());
  ASSERT_TRUE(solver->load(model));
  const LpSolution cold = solver->minimize({});
  ASSERT_EQ(cold.status, LpStatus::kOptimal);
  std::int64_t warm_iterations = 0;
  for (int k = 0; k < 20; ++k) {
    const auto column = static_cast<std::int32_t>(random.between(0, 59));
    const auto upper = static_cast<double>(random.between(0, 30));
    solver->set_column_bounds(column, 0, upper);
    model.column_upper[static_cast<std::size_t>(column)] = upper;
    const LpSolution warm = solver->minimize({});
    ASSERT_EQ(warm.status, LpStatus::kOptimal);
    EXPECT_NEAR(warm.objective, solve(model).objective, 1e-6);
    warm_iterations += warm.iterations;
  }
  EXPECT_LT(warm_iterations, 20 * cold.iterations / 2);
}

TEST_P(LpConformance, ContinuesFromAGivenBasis) {
  auto solver = make_solver(GetParam());
  ASSERT_TRUE(solver->load(wyndor()));
  EXPECT_TRUE(solver->basis().empty());
  ASSERT_EQ(solver->minimize({}).status, LpStatus::kOptimal);
  const LpBasis basis = solver->basis();
  ASSERT_EQ(basis.columns.size(), 2U);
  ASSERT_EQ(basis.rows.size(), 3U);
  const auto basic = std::count(basis.columns.begin(), basis.columns.end(), BasisStatus::kBasic) +
                     std::count(basis.rows.begin(), basis.rows.end(), BasisStatus::kBasic);
  EXPECT_EQ(basic, 3);
  EXPECT_EQ(basis.columns[0], BasisStatus::kBasic);
  EXPECT_EQ(basis.columns[1], BasisStatus::kBasic);

  auto other = make_solver(GetParam());
  ASSERT_TRUE(other->load(wyndor()));
  other->set_basis(basis);
  const LpSolution solution = other->minimize({});
  ASSERT_EQ(solution.status, LpStatus::kOptimal);
  EXPECT_NEAR(solution.objective, -36, 1e-9);
  EXPECT_EQ(solution.iterations, 0);
}

TEST_P(LpConformance, SurvivesAnUnusableBasis) {
  auto solver = make_solver(GetParam());
  ASSERT_TRUE(solver->load(wyndor()));
  LpBasis basis;  // too many basic variables, and an upper bound that does not exist
  basis.columns = {BasisStatus::kAtUpper, BasisStatus::kBasic};
  basis.rows = {BasisStatus::kBasic, BasisStatus::kBasic, BasisStatus::kBasic};
  solver->set_basis(basis);
  const LpSolution solution = solver->minimize({});
  ASSERT_EQ(solution.status, LpStatus::kOptimal);
  EXPECT_NEAR(solution.objective, -36, 1e-9);

  LpModel twins;  // both columns basic would be singular
  twins.add_column(0, 5, -1);
  twins.add_column(0, 5, -1);
  add_row(twins, 0, 6, {{0, 1}, {1, 1}});
  add_row(twins, 0, 12, {{0, 2}, {1, 2}});
  ASSERT_TRUE(solver->load(twins));
  solver->set_basis({.columns = {BasisStatus::kBasic, BasisStatus::kBasic},
                     .rows = {BasisStatus::kAtUpper, BasisStatus::kAtUpper}});
  const LpSolution repaired = solver->minimize({});
  ASSERT_EQ(repaired.status, LpStatus::kOptimal);
  EXPECT_NEAR(repaired.objective, -6, 1e-9);
}

TEST_P(LpConformance, FollowsChangesOfCostsAndBounds) {
  auto solver = make_solver(GetParam());
  ASSERT_TRUE(solver->load(wyndor()));
  EXPECT_NEAR(solver->minimize({}).objective, -36, 1e-9);
  solver->set_cost(1, 0);
  EXPECT_NEAR(solver->minimize({}).objective, -12, 1e-9);
  solver->set_row_bounds(0, -kLpInfinity, 5);
  EXPECT_NEAR(solver->minimize({}).objective, -15, 1e-9);
  solver->set_column_bounds(1, 6, 6);
  EXPECT_NEAR(solver->minimize({}).objective, -6, 1e-9);
  solver->set_row_bounds(2, 20, kLpInfinity);
  EXPECT_NEAR(solver->minimize({}).objective, -15, 1e-9);
  solver->set_row_bounds(2, 40, kLpInfinity);
  EXPECT_EQ(solver->minimize({}).status, LpStatus::kInfeasible);
  solver->set_row_bounds(0, -kLpInfinity, kLpInfinity);
  EXPECT_EQ(solver->minimize({}).status, LpStatus::kUnbounded);
  solver->set_cost(0, 3);
  EXPECT_NEAR(solver->minimize({}).objective, 28, 1e-6);
}

TEST_P(LpConformance, AddsAndDeletesRows) {
  base::Random random(23);
  for (int round = 0; round < 30; ++round) {
    LpModel model = test::random_model(random, 8, 6);
    auto solver = make_solver(GetParam());
    ASSERT_TRUE(solver->load(model));
    (void)solver->minimize({});

    LpModel extra;
    extra.column_lower = model.column_lower;
    std::vector<test::Entry> ones;
    std::vector<test::Entry> first = {{0, 1}};
    for (std::int32_t j = 0; j < model.num_columns(); ++j) {
      ones.push_back({j, 1});
    }
    add_row(extra, -20, 20, ones);
    add_row(extra, -3, 3, first);
    solver->add_rows(extra);
    add_row(model, -20, 20, ones);
    add_row(model, -3, 3, first);
    const LpSolution longer = solver->minimize({});
    const LpSolution longer_fresh = solve(model);
    EXPECT_EQ(longer.status, longer_fresh.status);
    if (longer_fresh.status == LpStatus::kOptimal) {
      EXPECT_NEAR(longer.objective, longer_fresh.objective, 1e-6);
    }

    LpModel shorter;
    shorter.column_lower = model.column_lower;
    shorter.column_upper = model.column_upper;
    shorter.cost = model.cost;
    add_row(shorter, -20, 20, ones);
    std::vector<std::int32_t> doomed;
    for (std::int32_t i = 0; i < model.num_rows(); ++i) {
      if (i != model.num_rows() - 2) {
        doomed.push_back(i);
      }
    }
    solver->delete_rows(doomed);
    const LpSolution rest = solver->minimize({});
    const LpSolution rest_fresh = solve(shorter);
    EXPECT_EQ(rest.status, rest_fresh.status);
    if (rest_fresh.status == LpStatus::kOptimal) {
      EXPECT_NEAR(rest.objective, rest_fresh.objective, 1e-6);
      EXPECT_EQ(rest.dual.size(), 1U);
    }
  }
}

TEST_P(LpConformance, DeletesAllRowsAndAddsNewOnes) {
  auto solver = make_solver(GetParam());
  ASSERT_TRUE(solver->load(wyndor()));
  ASSERT_EQ(solver->minimize({}).status, LpStatus::kOptimal);
  solver->delete_rows(std::vector<std::int32_t>{0, 1, 2});
  EXPECT_EQ(solver->minimize({}).status, LpStatus::kUnbounded);
  LpModel extra;
  add_row(extra, -kLpInfinity, 2, {{0, 1}, {1, 1}});
  solver->add_rows(extra);
  const LpSolution solution = solver->minimize({});
  ASSERT_EQ(solution.status, LpStatus::kOptimal);
  EXPECT_NEAR(solution.objective, -10, 1e-9);
}

// A table whose cells span fifteen orders of magnitude: one equation per row, cells with bounds
// around their value. The optimum of a single cell is known in closed form.
TEST_P(LpConformance, IsNeverSilentlyWrongOnBadScales) {
  base::Random random(3);
  int solved = 0;
  for (int round = 0; round < 60; ++round) {
    const double small = std::pow(10.0, static_cast<double>(random.between(-3, 3)));
    const double large = std::pow(10.0, static_cast<double>(random.between(6, 12)));
    LpModel model;  // small * x + y = large * z; minimize x
    model.add_column(0, large, 1);
    model.add_column(0, 2 * large, 0);
    model.add_column(1, 2, 0);
    add_row(model, 0, 0, {{0, small}, {1, 1}, {2, -large}});
    add_row(model, -kLpInfinity, large / 2, {{1, 1}});
    const LpSolution solution = solve(model);
    // y <= large / 2 and z >= 1 leave small * x >= large / 2.
    const double optimum = large / 2 / small;
    if (optimum > large) {
      EXPECT_NE(solution.status, LpStatus::kOptimal);
      EXPECT_NE(solution.status, LpStatus::kUnbounded);
      continue;
    }
    EXPECT_NE(solution.status, LpStatus::kInfeasible);
    EXPECT_NE(solution.status, LpStatus::kUnbounded);
    if (solution.status == LpStatus::kOptimal) {
      EXPECT_NEAR(solution.objective, optimum, 1e-6 * optimum) << small << ' ' << large;
      ++solved;
    }
  }
  EXPECT_GT(solved, 10);
}

// Random badly scaled systems built around a known feasible point: whatever is claimed must hold.
TEST_P(LpConformance, HoldsWhatItClaimsOnRandomBadScales) {
  base::Random random(17);
  int believed = 0;
  constexpr int kRounds = 150;
  for (int round = 0; round < kRounds; ++round) {
    LpModel model;
    std::vector<double> point;
    for (int j = 0; j < 8; ++j) {
      const double size = std::pow(10.0, static_cast<double>(random.between(-3, 12)));
      point.push_back(size * static_cast<double>(random.between(1, 9)));
      model.add_column(0, 2 * point.back(), static_cast<double>(random.between(-3, 3)));
    }
    for (int i = 0; i < 4; ++i) {
      std::vector<test::Entry> entries;
      double activity = 0;
      for (std::int32_t j = 0; j < 8; ++j) {
        if (random.chance(1, 2)) {
          const double value = std::pow(10.0, static_cast<double>(random.between(-3, 6)));
          entries.push_back({j, random.chance(1, 2) ? value : -value});
          activity += entries.back().value * point[static_cast<std::size_t>(j)];
        }
      }
      add_row(model, activity, activity, entries);
    }
    const LpSolution solution = solve(model);
    EXPECT_NE(solution.status, LpStatus::kInfeasible) << round;
    EXPECT_NE(solution.status, LpStatus::kUnbounded) << round;
    if (solution.status == LpStatus::kOptimal) {
      ++believed;
      const double scale = std::max(1.0, std::abs(solution.objective));
      EXPECT_LE(solution.objective, test::dot(model.cost, point) + 1e-6 * scale);
      const LpSolution other = solve_fresh(lp_engines().back(), model);
      if (other.status == LpStatus::kOptimal) {
        EXPECT_NEAR(solution.objective, other.objective, 1e-6 * scale) << round;
      }
    }
  }
  EXPECT_GT(believed, kRounds / 2);
}

TEST_P(LpConformance, ReturnsAtOnceWhenTheTimeIsOver) {
  auto solver = make_solver(GetParam());
  ASSERT_TRUE(solver->load(wyndor()));
  RunContext run;
  run.deadline = std::chrono::steady_clock::now() - std::chrono::seconds(1);
  const LpSolution late = solver->minimize(run);
  EXPECT_EQ(late.status, LpStatus::kLimit);
  EXPECT_EQ(late.iterations, 0);
  std::stop_source source;
  source.request_stop();
  run = {};
  run.stop = source.get_token();
  EXPECT_EQ(solver->minimize(run).status, LpStatus::kLimit);
  EXPECT_EQ(solver->minimize({}).status, LpStatus::kOptimal);
}

// Dense, with hundreds of iterations before the optimum.
LpModel long_model() {
  constexpr std::int32_t kColumns = 1200;
  base::Random random(29);
  LpModel model;
  for (std::int32_t j = 0; j < kColumns; ++j) {
    model.add_column(0, kLpInfinity, -double(random.between(1000, 2000)));
  }
  for (int i = 0; i < 1000; ++i) {
    std::vector<test::Entry> entries;
    for (std::int32_t j = 0; j < kColumns; ++j) {
      if (random.chance(1, 3)) {
        entries.push_back({j, static_cast<double>(random.between(1, 1000))});
      }
    }
    add_row(model, -kLpInfinity, static_cast<double>(random.between(100000, 200000)), entries);
  }
  return model;
}

// Solves anew, with a brake that is pulled later each time, until one solve has begun and not
// ended; that this happens, and not when, is what the tests look at.
using Brake = std::function<LpSolution(LpSolver&, std::chrono::milliseconds)>;

LpSolution stopped_midway(const std::string& engine, const Brake& solve) {
  const LpModel model = long_model();
  LpSolution solution;
  auto later = std::chrono::milliseconds(1);
  for (int attempt = 0; attempt < 40; ++attempt) {
    auto solver = make_solver(engine);
    EXPECT_TRUE(solver->load(model));
    solution = solve(*solver, later);
    const bool ended = solution.status == LpStatus::kOptimal;
    if (!ended && solution.iterations > 0)
      return solution;
    later = ended ? std::chrono::milliseconds(1) : 2 * later;
  }
  return solution;
}

TEST_P(LpConformance, StopsAtTheDeadlineInTheMiddle) {
  const LpSolution solution =
      stopped_midway(GetParam(), [](LpSolver& solver, std::chrono::milliseconds later) {
        RunContext run;
        run.deadline = std::chrono::steady_clock::now() + later;
        return solver.minimize(run);
      });
  EXPECT_EQ(solution.status, LpStatus::kLimit);
  EXPECT_GT(solution.iterations, 0);
}

TEST_P(LpConformance, StopsWhenAskedInTheMiddle) {
  const LpSolution solution =
      stopped_midway(GetParam(), [](LpSolver& solver, std::chrono::milliseconds later) {
        std::stop_source source;
        RunContext run;
        run.stop = source.get_token();
        const std::jthread stopper([&source, later] {
          std::this_thread::sleep_for(later);
          source.request_stop();
        });
        return solver.minimize(run);
      });
  EXPECT_EQ(solution.status, LpStatus::kLimit);
  EXPECT_GT(solution.iterations, 0);
}

TEST_P(LpConformance, StopsWhenItsWorkIsDoneAndGoesOnLater) {
  const LpModel model = long_model();
  std::vector<std::int64_t> iterations;
  for (int twice = 0; twice < 2; ++twice) {
    auto solver = make_solver(GetParam());
    ASSERT_TRUE(solver->load(model));
    const LpSolution stopped = solver->minimize(with_work(RunContext{}, 20'000));
    EXPECT_EQ(stopped.status, LpStatus::kLimit);
    EXPECT_GT(stopped.iterations, 0);
    iterations.push_back(stopped.iterations);
    if (twice == 0) {
      const LpSolution later = solver->minimize({});
      EXPECT_EQ(later.status, LpStatus::kOptimal);
      EXPECT_GT(later.iterations, 0);
    }
  }
  EXPECT_EQ(iterations[0], iterations[1]);
}

TEST_P(LpConformance, RejectsModelsItCannotTake) {
  auto solver = make_solver(GetParam());
  LpModel crossed;
  crossed.add_column(1, 0);
  EXPECT_FALSE(solver->load(crossed));
  LpModel knapsack;
  knapsack.add_column(0, 1, -1, true);
  const Status loaded = solver->load(knapsack);
  EXPECT_EQ(loaded.has_value(), solver->supports_integers());
  if (!loaded) {
    EXPECT_EQ(loaded.error().code, ErrorCode::kNoEngine);
  }
}

TEST_P(LpConformance, NamesItself) {
  auto solver = make_solver(GetParam());
  EXPECT_EQ(solver->engine(), GetParam());
  EXPECT_FALSE(solver->version().empty());
}

INSTANTIATE_TEST_SUITE_P(Engines,
                         LpConformance,
                         ::testing::ValuesIn(lp_engines()),
                         [](const auto& name) { return name.param; });

TEST(LpEngines, UnknownNamesListTheKnownOnes) {
  const auto solver = make_lp_solver("cplex");
  ASSERT_FALSE(solver);
  EXPECT_EQ(solver.error().code, ErrorCode::kOptionValue);
  for (const std::string& name : lp_engines()) {
    EXPECT_NE(solver.error().message.find(name), std::string::npos);
  }
}

TEST(LpEngines, OptionsAreChecked) {
  EXPECT_FALSE(make_lp_solver("", {.threads = 0}));
  EXPECT_FALSE(make_lp_solver("", {.feasibility = 0}));
  EXPECT_FALSE(make_lp_solver("", {.mip_gap = -1}));
}

}  // namespace
}  // namespace lacuna
