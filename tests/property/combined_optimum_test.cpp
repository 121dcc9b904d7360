// SPDX-License-Identifier: Apache-2.0
// Branch and cut against brute force: over all sets of cells that may be intervals, the compact
// interval model with the fixed prices of the set added.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "app/generate/generate.h"
#include "core/base/random.h"
#include "judge/presolve/merged.h"
#include "lacuna/combined.h"
#include "lacuna/interval.h"
#include "property/seeds.h"
#include "protect/interval/compact.h"
#include "support/parallel_tables.h"
#include "support/tables.h"

namespace lacuna {
namespace {

constexpr std::size_t kMostCandidates = 7;

double share_units(Units value, double percent) {
  return std::max(1.0, std::ceil(std::abs(static_cast<double>(value)) * percent / 100));
}

struct Sets {
  std::vector<CellId> primaries, candidates;
};

Sets sets_of(const Problem& problem) {
  IntervalOptions everything;
  const auto model = interval::make_model(problem, everything, true);
  EXPECT_TRUE(model);
  Sets sets;
  for (std::int32_t c = 0; c < problem.table().num_cells(); ++c) {
    const CellStatus status = problem.table().cell(CellId{c}).status;
    if (status == CellStatus::kPrimary)
      sets.primaries.push_back(CellId{c});
    else if (status == CellStatus::kFree && model->movable[static_cast<std::size_t>(c)])
      sets.candidates.push_back(CellId{c});
  }
  return sets;
}

// The least cost with exactly these cells open, or nothing. All other candidates are held at their
// values.
std::optional<double> cost_with(const Problem& problem,
                                const CombinedOptions& options,
                                const Sets& sets,
                                const std::vector<CellId>& open) {
  IntervalOptions widths;
  widths.weight_up.assign(problem.table().cells().size(), 1);
  widths.weight_down = widths.weight_up;
  auto made = interval::make_model(problem, widths, true);
  EXPECT_TRUE(made);
  interval::Model& model = made.value();
  std::vector<CellId> intervals = sets.primaries;
  intervals.insert(intervals.end(), open.begin(), open.end());
  double fixed = 0;
  for (const CellId cell : intervals)
    fixed += problem.table().cell(cell).weight;
  for (const CellId cell : open) {
    if (options.interval_level == 0)
      continue;
    const auto c = static_cast<std::size_t>(cell.value);
    interval::Need need;
    need.cell = cell.value;
    need.sliding =
        std::min(share_units(problem.table().value(cell), options.interval_level) / model.scale,
                 model.most[2 * c] + model.most[2 * c + 1]);
    model.needs.push_back(need);
  }
  interval::CompactModel compact = interval::compact_model(model);
  for (const CellId cell : sets.candidates) {
    if (std::find(open.begin(), open.end(), cell) != open.end())
      continue;
    for (const int sign : {1, -1}) {
      const std::int32_t column = compact.column_of_end[attacker::end_of(cell.value, sign)];
      if (column >= 0)
        compact.lp.column_upper[static_cast<std::size_t>(column)] = 0;
    }
  }
  for (const CellId cell : intervals) {
    const auto c = static_cast<std::size_t>(cell.value);
    if (options.interval_width == 0 || !model.movable[c])
      continue;
    std::vector<std::int32_t> columns;
    for (const std::size_t e : {2 * c, 2 * c + 1}) {
      if (compact.column_of_end[e] >= 0)
        columns.push_back(compact.column_of_end[e]);
    }
    const std::vector<double> ones(columns.size(), 1);
    const double least =
        std::min(share_units(problem.table().value(cell), options.interval_width) / model.scale,
                 model.most[2 * c] + model.most[2 * c + 1]);
    compact.lp.add_row(least, kLpInfinity, columns, ones);
  }
  auto solver = make_lp_solver("");
  EXPECT_TRUE(solver);
  EXPECT_TRUE((*solver)->load(compact.lp));
  const LpSolution found = (*solver)->minimize(RunContext{});
  EXPECT_TRUE(found.status == LpStatus::kOptimal || found.status == LpStatus::kInfeasible);
  if (found.status != LpStatus::kOptimal)
    return std::nullopt;
  return found.objective * model.price_unit + model.forced + fixed;
}

std::optional<double> brute_force(const Problem& problem,
                                  const CombinedOptions& options,
                                  const Sets& sets) {
  std::optional<double> best;
  for (std::uint32_t bits = 0; bits < (1U << sets.candidates.size()); ++bits) {
    std::vector<CellId> open;
    for (std::size_t i = 0; i < sets.candidates.size(); ++i) {
      if ((bits >> i & 1U) != 0)
        open.push_back(sets.candidates[i]);
    }
    const auto count = static_cast<std::int64_t>(open.size() + sets.primaries.size());
    if (options.max_intervals >= 0 && count > options.max_intervals)
      continue;
    const auto cost = cost_with(problem, options, sets, open);
    if (cost && (!best || *cost < *best))
      best = cost;
  }
  return best;
}

void expect_same(const std::shared_ptr<const Problem>& problem,
                 const CombinedOptions& options,
                 const Sets& sets) {
  const auto best = brute_force(*problem, options, sets);
  const auto result = publish_combined(problem, options, RunContext{});
  if (!best) {
    EXPECT_TRUE(!result || result->why == StopReason::kInfeasible);
    return;
  }
  ASSERT_TRUE(result) << result.error().text();
  EXPECT_EQ(result->why, StopReason::kOptimal);
  EXPECT_TRUE(result->complete);
  const double near = 1e-6 * std::max(1.0, *best);
  EXPECT_NEAR(result->bound, *best, near);
  const double unit = std::pow(10.0, -problem->table().decimals());
  EXPECT_LE(result->cost, *best + 2 * unit * result->draft.count(StatementKind::kInterval) + near);
  EXPECT_EQ(testing::audit(problem, result->draft).verdict, Verdict::kProtected);
  if (options.max_intervals >= 0) {
    EXPECT_LE(result->draft.count(StatementKind::kInterval), options.max_intervals);
  }
}

// With a gap: no more is claimed than holds.
void expect_within_gap(const std::shared_ptr<const Problem>& problem,
                       const CombinedOptions& options,
                       const Sets& sets) {
  const auto best = brute_force(*problem, options, sets);
  if (!best)
    return;
  const auto result = publish_combined(problem, options, RunContext{});
  ASSERT_TRUE(result) << result.error().text();
  EXPECT_TRUE(result->why == StopReason::kOptimal || result->why == StopReason::kGapReached);
  const double near = 1e-6 * std::max(1.0, *best);
  EXPECT_LE(result->bound, *best + near);
  const double unit = std::pow(10.0, -problem->table().decimals());
  EXPECT_LE(
      result->cost,
      *best / (1 - options.gap) + 2 * unit * result->draft.count(StatementKind::kInterval) + near);
}

// Runs over generated tables that are small enough; returns how many there were.
template <class Choose>
std::int64_t over_tiny_tables(std::uint64_t first,
                              std::uint64_t count,
                              const Choose& choose,
                              decltype(expect_same)& expect = expect_same) {
  std::int64_t tables = 0;
  testing::for_each_seed(first, count, [&](std::uint64_t seed) {
    auto made = generation::generate_small(seed);
    ASSERT_TRUE(made);
    const auto problem = std::make_shared<const Problem>(std::move(made).value());
    const Sets sets = sets_of(*problem);
    if (sets.candidates.size() > kMostCandidates)
      return;
    ++tables;
    base::Random random(seed);
    CombinedOptions options;
    choose(random, sets, options);
    expect(problem, options, sets);
  });
  return tables;
}

TEST(CombinedOptimum, SameAsBruteForce) {
  EXPECT_GE(over_tiny_tables(1, 600, [](base::Random&, const Sets&, CombinedOptions&) {}), 150);
}

TEST(CombinedOptimum, WithinTheGapAskedFor) {
  const auto gap = [](base::Random& random, const Sets&, CombinedOptions& options) {
    options.gap = static_cast<double>(random.between(1, 20)) / 100;
  };
  EXPECT_GE(over_tiny_tables(3000, 200, gap, expect_within_gap), 50);
}

TEST(CombinedOptimum, SameAsBruteForceWithALimitOnIntervals) {
  const auto limit = [](base::Random& random, const Sets& sets, CombinedOptions& options) {
    options.max_intervals = static_cast<std::int64_t>(sets.primaries.size()) + random.between(1, 6);
  };
  EXPECT_GE(over_tiny_tables(1000, 400, limit), 90);
}

TEST(CombinedOptimum, SameAsBruteForceWithLeastWidthsAndConditionalLevels) {
  const auto widths = [](base::Random& random, const Sets&, CombinedOptions& options) {
    options.interval_width = random.chance(2, 3) ? static_cast<double>(random.between(1, 30)) : 0;
    options.interval_level = random.chance(1, 2) ? static_cast<double>(random.between(1, 20)) : 0;
  };
  EXPECT_GE(over_tiny_tables(2000, 400, widths), 90);
}

// The whole model over single cells, as one mixed-integer program: z_e <= R_e x_i.
std::optional<double> optimum_over_cells(const Problem& problem, const CombinedOptions& options) {
  const auto& cells = problem.table().cells();
  IntervalOptions widths;
  widths.weight_up.assign(cells.size(), 1);
  widths.weight_down = widths.weight_up;
  auto model = interval::make_model(problem, widths, true);
  EXPECT_TRUE(model);
  interval::CompactModel compact = interval::compact_model(*model);
  double known = 0;  // sensitive cells have an interval whatever is chosen
  std::vector<std::int32_t> chosen;
  for (std::size_t c = 0; c < cells.size(); ++c) {
    const bool primary = cells[c].status == CellStatus::kPrimary;
    known += primary ? cells[c].weight : 0;
    if (primary || cells[c].status != CellStatus::kFree || !model->movable[c])
      continue;
    const std::int32_t x = compact.lp.add_column(0, 1, cells[c].weight / model->price_unit, true);
    chosen.push_back(x);
    for (const std::size_t e : {2 * c, 2 * c + 1}) {
      const std::int32_t z = compact.column_of_end[e];
      if (z < 0)
        continue;
      const std::int32_t columns[] = {z, x};
      const double values[] = {-1, model->most[e]};
      compact.lp.add_row(0, kLpInfinity, columns, values);
    }
  }
  if (options.max_intervals >= 0) {
    std::int64_t left = options.max_intervals;
    for (const Cell& cell : cells)
      left -= cell.status == CellStatus::kPrimary ? 1 : 0;
    const std::vector<double> ones(chosen.size(), 1);
    compact.lp.add_row(-kLpInfinity, static_cast<double>(left), chosen, ones);
  }
  auto solver = make_lp_solver("");
  EXPECT_TRUE(solver);
  EXPECT_TRUE((*solver)->load(compact.lp));
  const LpSolution found = (*solver)->minimize(RunContext{});
  EXPECT_TRUE(found.status == LpStatus::kOptimal || found.status == LpStatus::kInfeasible);
  if (found.status != LpStatus::kOptimal)
    return std::nullopt;
  return found.objective * model->price_unit + model->forced + known;
}

// Parallel cells are one cell in the method, and single cells in the program that it is compared
// with; what is published is written, read again and audited with the method's own evidence.
TEST(CombinedOptimum, SameOverParallelCellsAsOverSingleOnes) {
  if (const auto solver = make_lp_solver(""); !solver || !(*solver)->supports_integers())
    GTEST_SKIP() << "the LP engine has no integers";
  std::int64_t merged = 0;
  testing::for_each_seed(1, 10, [&](std::uint64_t seed) {
    const auto problem = testing::with_parallel_cells(seed);
    merged += presolve::MergedProblem::make(*problem, {}, RunContext{}) ? 1 : 0;
    CombinedOptions options;
    if (seed % 3 == 0)
      options.max_intervals = 10 + static_cast<std::int64_t>(seed % 20);
    const auto best = optimum_over_cells(*problem, options);
    const auto result = publish_combined(problem, options, RunContext{});
    if (!best) {
      EXPECT_TRUE(!result || result->why == StopReason::kInfeasible);
      return;
    }
    ASSERT_TRUE(result) << result.error().text();
    EXPECT_EQ(result->why, StopReason::kOptimal);
    const double near = 1e-5 * std::max(1.0, *best);
    EXPECT_NEAR(result->bound, *best, near);
    EXPECT_LE(result->cost, *best + 2.0 * result->draft.count(StatementKind::kInterval) + near);
    if (options.max_intervals >= 0) {
      EXPECT_LE(result->draft.count(StatementKind::kInterval), options.max_intervals);
    }
    testing::expect_protected_after_reading(problem, result->draft, result->witnesses);
  });
  EXPECT_GE(merged, 5);
}

}  // namespace
}  // namespace lacuna
