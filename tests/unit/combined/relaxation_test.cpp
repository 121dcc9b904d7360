// SPDX-License-Identifier: Apache-2.0
// The relaxation of the combined problem against brute force over all sets of open cells: its
// bound is below the optimum, whatever was cut, and with every choice made it is the cost itself.
#include "protect/combined/relaxation.h"

#include <gtest/gtest.h>

#include <cmath>

#include "app/generate/generate.h"
#include "protect/interval/compact.h"

namespace lacuna::combined {
namespace {

using combined::Depth;
using combined::PatternCuts;
using combined::Prices;
using combined::Relaxation;

constexpr std::size_t kMostChoices = 6;

struct Combined {
  explicit Combined(Problem given) : problem(std::move(given)) {
    IntervalOptions widths;
    widths.weight_up.assign(problem.table().cells().size(), 1);
    widths.weight_down = widths.weight_up;
    model = interval::make_model(problem, widths, true).value();
    const auto cells = problem.table().cells();
    prices.fixed.assign(cells.size(), 0);
    prices.choice.assign(cells.size(), false);
    prices.least_width.assign(cells.size(), 0);
    prices.conditional_need.assign(cells.size(), -1);
    prices.intervals.assign(cells.size(), 1);
    for (std::size_t c = 0; c < cells.size(); ++c) {
      if (!model.movable[c] || cells[c].status == CellStatus::kSecondary)
        continue;
      prices.choice[c] = true;
      prices.fixed[c] = 1 + cells[c].weight;
      if (cells[c].status != CellStatus::kPrimary)
        choices.push_back(c);
    }
  }

  bool is_open(std::size_t cell, std::uint32_t set) const {
    for (std::size_t i = 0; i < choices.size(); ++i) {
      if (choices[i] == cell)
        return (set >> i & 1U) != 0;
    }
    return true;
  }

  // With exactly these cells open; infinite if that is not enough.
  double cost_of(std::uint32_t set) const {
    interval::CompactModel compact = interval::compact_model(model);
    double fixed = 0;
    for (std::size_t c = 0; c < prices.choice.size(); ++c) {
      if (prices.choice[c] && is_open(c, set))
        fixed += prices.fixed[c];
      for (const std::size_t e : {2 * c, 2 * c + 1}) {
        if (!is_open(c, set) && compact.column_of_end[e] >= 0)
          compact.lp.column_upper[static_cast<std::size_t>(compact.column_of_end[e])] = 0;
      }
    }
    const auto solver = make_lp_solver().value();
    EXPECT_TRUE(solver->load(compact.lp));
    const LpSolution found = solver->minimize(RunContext{});
    return found.status == LpStatus::kOptimal
               ? found.objective * model.price_unit + model.forced + fixed
               : kLpInfinity;
  }

  Problem problem;
  interval::Model model;
  Prices prices;
  std::vector<std::size_t> choices;  // cells
};

void compare(const Combined& given, Depth depth, bool with_patterns, int& solved) {
  double best = kLpInfinity;
  std::uint32_t best_set = 0;
  for (std::uint32_t set = 0; set < 1U << given.choices.size(); ++set) {
    const double cost = given.cost_of(set);
    if (cost < best) {
      best = cost;
      best_set = set;
    }
  }
  if (std::isinf(best))
    return;
  ++solved;
  const auto relaxation = Relaxation::make(given.model, given.prices, "", 1).value();
  PatternCuts patterns(given.problem, given.prices.fixed, given.prices.choice, "");
  if (with_patterns)
    relaxation->use_patterns(&patterns);
  combined::Point point;
  const double near = 1e-6 * std::max(1.0, best);
  const auto root = relaxation->solve(depth, kLpInfinity, RunContext{}, point);
  ASSERT_EQ(root.status, LpStatus::kOptimal);
  EXPECT_LE(root.cost, best + near);
  relaxation->tighten_slacks(best);
  const auto tight = relaxation->solve(depth, kLpInfinity, RunContext{}, point);
  ASSERT_EQ(tight.status, LpStatus::kOptimal);
  EXPECT_LE(tight.cost, best + near);
  EXPECT_GE(tight.cost, root.cost - near);
  for (std::size_t i = 0; i < given.choices.size(); ++i) {
    const double open = (best_set >> i & 1U) != 0 ? 1 : 0;
    relaxation->set_range(static_cast<std::int32_t>(given.choices[i]), open, open);
  }
  const auto decided = relaxation->solve(Depth::kFull, kLpInfinity, RunContext{}, point);
  ASSERT_EQ(decided.status, LpStatus::kOptimal);
  EXPECT_TRUE(decided.all_met);
  EXPECT_NEAR(decided.cost, best, near);
}

TEST(CombinedRelaxation, BelowTheOptimumAndExactOnceDecided) {
  int solved = 0;
  for (std::uint64_t seed = 1; seed <= 25; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const Combined given(generation::generate_small(seed).value());
    if (given.choices.size() > kMostChoices)
      continue;
    compare(given, seed % 2 == 0 ? Depth::kQuick : Depth::kFull, seed % 3 != 0, solved);
  }
  EXPECT_GT(solved, 3);
}

// What complete suppression knows: its inequalities hold for every set of cells that is enough, and
// so do the costs that it names for cells that are opened.
TEST(PatternCuts, HoldForEverySafeSet) {
  int rows = 0;
  int costs = 0;
  for (std::uint64_t seed = 1; seed <= 25; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const Combined given(generation::generate_small(seed).value());
    if (given.choices.size() > kMostChoices)
      continue;
    PatternCuts patterns(given.problem, given.prices.fixed, given.prices.choice, "");
    const std::vector<double> half(given.prices.fixed.size(), 0.4);
    const auto found = patterns.find(half, true, RunContext{});
    rows += static_cast<int>(found.size());
    const std::vector<double> if_open = patterns.cost_if_open(RunContext{});
    for (std::uint32_t set = 0; set < 1U << given.choices.size(); ++set) {
      if (std::isinf(given.cost_of(set)))
        continue;
      double fixed = 0;
      for (std::size_t c = 0; c < given.prices.fixed.size(); ++c)
        fixed += given.prices.choice[c] && given.is_open(c, set) ? given.prices.fixed[c] : 0;
      for (const auto& row : found) {
        double sum = 0;
        for (const auto& [cell, factor] : row.terms)
          sum += given.is_open(static_cast<std::size_t>(cell), set) ? factor : 0;
        EXPECT_GE(sum, row.least - 1e-6);
      }
      for (const std::size_t cell : given.choices) {
        if (!given.is_open(cell, set))
          continue;
        EXPECT_LE(if_open[cell], fixed + 1e-6);
        costs += if_open[cell] > 0 ? 1 : 0;
      }
    }
  }
  EXPECT_GT(rows, 5);
  EXPECT_GT(costs, 5);
}

}  // namespace
}  // namespace lacuna::combined
