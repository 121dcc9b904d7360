// SPDX-License-Identifier: Apache-2.0
// The cutting planes against the compact model, on random tables of every kind and on systems that
// are no tables; every release audited, and the audit seen to say no to anything narrower.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "app/generate/generate.h"
#include "judge/presolve/merged.h"
#include "lacuna/interval.h"
#include "property/seeds.h"
#include "protect/interval/compact.h"
#include "support/parallel_tables.h"
#include "support/random_system.h"
#include "support/tables.h"

namespace lacuna {
namespace {

bool something_asked(const Problem& problem) {
  return std::any_of(problem.requirements().begin(),
                     problem.requirements().end(),
                     [](const Requirement& need) { return !need.asks_nothing(); });
}

double ends_cost(const Problem& problem, const Draft& draft) {
  double ends = 0;
  for (const CellEntry& entry : draft.entries())
    ends += 2 * problem.table().cell(entry.cell).weight;
  return ends / std::pow(10.0, problem.table().decimals());
}

void expect_same_optimum(const std::shared_ptr<const Problem>& problem,
                         const IntervalOptions& options) {
  const auto model = interval::make_model(*problem, options);
  ASSERT_TRUE(model);
  const auto compact = interval::solve_compact(*model, "", RunContext{});
  ASSERT_TRUE(compact);
  ASSERT_TRUE(compact->status == LpStatus::kOptimal || compact->status == LpStatus::kInfeasible);
  const auto result = publish_intervals(problem, options, RunContext{});
  EXPECT_EQ(result.has_value(), compact->status == LpStatus::kOptimal)
      << (result ? "" : result.error().text());
  if (!result || compact->status != LpStatus::kOptimal)
    return;
  EXPECT_EQ(result->why, StopReason::kOptimal);
  EXPECT_TRUE(result->complete);
  const double near = 1e-6 * std::max(1.0, compact->cost);
  EXPECT_NEAR(result->bound, compact->cost, near);
  EXPECT_GE(result->cost, compact->cost - near);
  EXPECT_LE(result->cost, compact->cost + ends_cost(*problem, result->draft) + near);
  EXPECT_EQ(testing::audit(problem, result->draft).verdict,
            something_asked(*problem) ? Verdict::kProtected : Verdict::kUnasked);
}

TEST(IntervalOptimum, SameAsTheCompactModelOnSmallTables) {
  testing::for_each_seed(1, 400, [](std::uint64_t seed) {
    auto problem = generation::generate_small(seed);
    ASSERT_TRUE(problem);
    expect_same_optimum(std::make_shared<const Problem>(std::move(problem).value()), {});
  });
}

// Parallel cells are one cell in the method, and single cells in the compact model; what is
// published is written, read again and audited with the method's own evidence.
TEST(IntervalOptimum, SameOverParallelCellsAsOverSingleOnes) {
  std::int64_t merged = 0;
  testing::for_each_seed(1, 20, [&](std::uint64_t seed) {
    const auto problem = testing::with_parallel_cells(seed);
    merged += presolve::MergedProblem::make(*problem, {}, RunContext{}) ? 1 : 0;
    expect_same_optimum(problem, {});
    if (const auto result = publish_intervals(problem, {}, RunContext{}))
      testing::expect_protected_after_reading(problem, result->draft, result->witnesses);
  });
  EXPECT_GE(merged, 10);
}

TEST(IntervalOptimum, SameAsTheCompactModelOnAnySystem) {
  testing::for_each_seed(1, 300, [](std::uint64_t seed) {
    base::Random random(seed);
    expect_same_optimum(testing::random_system(random), {});
  });
}

TEST(IntervalOptimum, SameAsTheCompactModelWithWeightsPerSideAndAllowedCells) {
  testing::for_each_seed(1000, 150, [](std::uint64_t seed) {
    auto problem = generation::generate_small(seed);
    ASSERT_TRUE(problem);
    base::Random random(seed);
    IntervalOptions options;
    const bool restrict = random.chance(1, 2);
    for (std::int32_t c = 0; c < problem->table().num_cells(); ++c) {
      options.weight_up.push_back(static_cast<double>(random.between(0, 9)));
      options.weight_down.push_back(static_cast<double>(random.between(1, 9)));
      if (restrict && random.chance(4, 5))
        options.allowed.push_back(CellId{c});
    }
    auto shared = std::make_shared<const Problem>(std::move(problem).value());
    const auto model = interval::make_model(*shared, options);
    ASSERT_TRUE(model);
    const auto compact = interval::solve_compact(*model, "", RunContext{});
    ASSERT_TRUE(compact);
    const auto result = publish_intervals(shared, options, RunContext{});
    ASSERT_EQ(result.has_value(), compact->status == LpStatus::kOptimal);
    if (!result)
      return;
    EXPECT_NEAR(result->bound, compact->cost, 1e-6 * std::max(1.0, compact->cost));
    EXPECT_EQ(testing::audit(shared, result->draft).verdict, Verdict::kProtected);
  });
}

// Optimal intervals are tight: an interval that is shut entirely exposes a cell, unless it is no
// wider than what rounding ends to units has cost in all.
TEST(IntervalOptimum, NothingPublishedIsSuperfluous) {
  std::int64_t shut = 0;
  testing::for_each_seed(1, 60, [&](std::uint64_t seed) {
    auto made = generation::generate_small(seed);
    ASSERT_TRUE(made);
    const auto problem = std::make_shared<const Problem>(std::move(made).value());
    const auto result = publish_intervals(problem, {}, RunContext{});
    if (!result || result->why != StopReason::kOptimal)
      return;
    for (const CellEntry& entry : result->draft.entries()) {
      const Cell& cell = problem->table().cell(entry.cell);
      if (cell.status != CellStatus::kFree || cell.weight == 0)
        continue;
      Draft narrower = result->draft;
      narrower.publish_exact(entry.cell);
      const double units = static_cast<double>(entry.bounds().upper - entry.bounds().lower);
      const double saved = cell.weight * units * std::pow(10.0, -problem->table().decimals());
      const double near = 1e-6 * std::max(1.0, result->cost);
      if (saved <= result->cost - result->bound + near)
        continue;
      EXPECT_NE(testing::audit(problem, narrower).verdict, Verdict::kProtected);
      ++shut;
    }
  });
  EXPECT_GT(shut, 0);
}

TEST(IntervalOptimum, SameForAnyNumberOfThreads) {
  testing::for_each_seed(1, 3, [](std::uint64_t seed) {
    generation::GenerateOptions options;
    options.kind = generation::GenerateKind::kHierarchical;
    options.seed = seed;
    auto made = generation::generate(options);
    ASSERT_TRUE(made);
    const auto problem = std::make_shared<const Problem>(std::move(made).value());
    RunContext one, four;
    four.threads = 4;
    const auto a = publish_intervals(problem, {}, one);
    const auto b = publish_intervals(problem, {}, four);
    ASSERT_TRUE(a && b);
    EXPECT_EQ(a->draft.entries(), b->draft.entries());
    EXPECT_EQ(a->bound, b->bound);
    EXPECT_EQ(a->counts.cuts, b->counts.cuts);
  });
}

}  // namespace
}  // namespace lacuna
