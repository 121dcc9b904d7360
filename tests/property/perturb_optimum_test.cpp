// SPDX-License-Identifier: Apache-2.0
// Cell perturbation and mixtures against all tables within the ranges, each judged by the audit;
// mixtures of intervals alone against interval publication.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "app/generate/generate.h"
#include "bench/models/interval_compact.h"
#include "core/base/random.h"
#include "lacuna/mixed.h"
#include "lacuna/perturb.h"
#include "property/seeds.h"
#include "protect/perturb/ranges.h"
#include "support/number_tables.h"
#include "support/tables.h"

namespace lacuna {
namespace {

std::shared_ptr<const Problem> small_table(base::Random& random, std::uint64_t seed) {
  static const std::vector<std::vector<std::int32_t>> kSizes{{2, 2}, {2, 3}, {3}, {2, 2, 2}};
  generation::GenerateOptions options;
  options.seed = seed;
  options.sizes = kSizes[static_cast<std::size_t>(random.between(0, 3))];
  options.typical_value = random.between(4, 12);
  options.skew = static_cast<std::int32_t>(random.between(0, 2));
  options.sensitive_count = static_cast<std::int32_t>(random.between(1, 2));
  options.upper_percent = static_cast<std::int32_t>(random.between(5, 30));
  options.asymmetry = random.chance(1, 3) ? 2 : 1;
  options.sliding_percent = random.chance(1, 3) ? 50 : 0;
  options.below_percent = random.chance(2, 3) ? 100 : 40;
  auto problem = generation::generate(options);
  EXPECT_TRUE(problem) << problem.error().text();
  return std::make_shared<const Problem>(std::move(problem).value());
}

// How each cell may be published, worked out apart from the library: numbers and what they tell.
struct Menu {
  std::vector<std::vector<Units>> numbers;
  std::vector<Units> reach;
  std::vector<StatementKind> state;
};

void add_perturbed(const Problem& problem, std::int32_t c, Bounds range, Menu& menu) {
  const Units value = problem.table().value(CellId{c});
  bool sensitive = false;
  for (const Requirement& need : problem.requirements())
    sensitive = sensitive || need.cell == CellId{c};
  std::vector<Units> numbers;
  if (sensitive) {  // which of them is drawn
    PerturbOptions options;
    options.ranges.assign(static_cast<std::size_t>(problem.table().num_cells()), Bounds{});
    options.ranges[static_cast<std::size_t>(c)] = range;
    const auto drawn = perturbation::drawn_from(problem, RunContext{}.seed);
    const auto plan = perturbation::perturbed_plan(problem, options, drawn, CellId{c});
    EXPECT_TRUE(plan) << plan.error().text();
    for (const auto& choice : plan->choices) {
      EXPECT_TRUE(range.contains(choice.value) && choice.value != value);
      numbers.push_back(choice.value);
    }
  } else {
    for (Units v = range.lower; v <= range.upper; ++v)
      numbers.push_back(v);
  }
  menu.numbers.push_back(numbers);
  const Units reach = range.upper - range.lower;  // at most 6
  menu.reach.push_back(reach <= 2 ? std::max<Units>(reach, 1) : reach <= 5 ? 5 : 10);
  menu.state.push_back(range.is_point() && !sensitive ? StatementKind::kExact
                                                      : StatementKind::kAltered);
}

void add_rounded(const Problem& problem, std::int32_t c, Units base, Menu& menu) {
  const Units value = problem.table().value(CellId{c});
  const Units low = value / base * base;
  menu.numbers.push_back({low});
  if (low != value)
    menu.numbers.back().push_back(low + base);
  menu.reach.push_back(base);
  menu.state.push_back(StatementKind::kRounded);
}

struct Found {
  double cost = 0;
  std::vector<Units> numbers;
};

std::optional<double> cheapest_safe(const std::shared_ptr<const Problem>& problem,
                                    const Menu& menu,
                                    std::int64_t max_changed) {
  const Table& table = problem->table();
  std::vector<Found> all;
  testing::NumberTables(table, menu.numbers).for_each([&](const std::vector<Units>& numbers) {
    Found found{0, numbers};
    std::int64_t changed = 0;
    for (std::size_t c = 0; c < numbers.size(); ++c) {
      const Units off = numbers[c] - table.value(CellId{static_cast<std::int32_t>(c)});
      found.cost += static_cast<double>(std::abs(off));
      changed += off != 0 ? 1 : 0;
    }
    if (max_changed < 0 || changed <= max_changed)
      all.push_back(std::move(found));
  });
  std::stable_sort(
      all.begin(), all.end(), [](const Found& a, const Found& b) { return a.cost < b.cost; });
  for (const Found& each : all) {
    Draft draft;
    for (std::size_t c = 0; c < each.numbers.size(); ++c) {
      const Units v = each.numbers[c];
      const CellId cell{static_cast<std::int32_t>(c)};
      if (menu.state[c] == StatementKind::kRounded)
        draft.publish_rounded(cell, v, menu.reach[c]);
      else if (menu.state[c] == StatementKind::kAltered)
        draft.publish_altered(cell, v, {v - menu.reach[c], v + menu.reach[c]});
    }
    AuditOptions verdicts;
    verdicts.intervals = false;
    if (testing::audit(problem, draft, verdicts).verdict == Verdict::kProtected)
      return each.cost;
  }
  return std::nullopt;
}

// Ranges of at most two units for cells that are not sensitive, the given ones for the others.
std::vector<Bounds> random_ranges(const Problem& problem, base::Random& random) {
  std::vector<Bounds> ranges;
  for (std::int32_t c = 0; c < problem.table().num_cells(); ++c) {
    const Units value = problem.table().value(CellId{c});
    ranges.push_back({value - std::min(value, random.between(0, 3)), value + random.between(0, 3)});
  }
  for (const Requirement& need : problem.requirements()) {
    Bounds& range = ranges[static_cast<std::size_t>(need.cell.value)];
    const Units value = problem.table().value(need.cell);
    range = {value - std::min(value, random.between(1, 3)), value + random.between(1, 3)};
  }
  return ranges;
}

template <class Result>
void expect_same(const std::shared_ptr<const Problem>& problem,
                 const Result& found,
                 const std::optional<double>& best) {
  if (!best) {  // with these draws: perturb() then tries others, which must be safe as well
    if (found && found->complete)
      testing::expect_safe_on_disk(problem, found->draft);
    else
      EXPECT_TRUE(!found || found->why == StopReason::kInfeasible);
    return;
  }
  ASSERT_TRUE(found) << found.error().text();
  ASSERT_TRUE(found->complete) << found->reason;
  EXPECT_EQ(found->why, StopReason::kOptimal);
  EXPECT_NEAR(found->cost, *best, 1e-6);
  EXPECT_NEAR(found->bound, *best, 1e-5 * std::max(1.0, *best));
  testing::expect_safe_on_disk(problem, found->draft);
}

TEST(PerturbOptimum, SameAsEnumeration) {
  std::int64_t safe = 0, none = 0, cuts = 0;
  testing::for_each_seed(1, testing::part_of(300U), [&](std::uint64_t seed) {
    base::Random random(seed);
    const auto problem = small_table(random, seed);
    PerturbOptions options;
    options.ranges = random_ranges(*problem, random);
    if (random.chance(1, 3))
      options.max_changed = random.between(2, 8);
    Menu menu;
    for (std::int32_t c = 0; c < problem->table().num_cells(); ++c)
      add_perturbed(*problem, c, options.ranges[static_cast<std::size_t>(c)], menu);
    const std::optional<double> best = cheapest_safe(problem, menu, options.max_changed);
    const auto found = perturb(problem, options, RunContext{});
    expect_same(problem, found, best);
    ++(best ? safe : none);
    cuts += found ? found->cuts : 0;
  });
  if (safe + none > 1) {
    EXPECT_GT(safe, testing::part_of(60));
    EXPECT_GT(none, testing::part_of(30));
    EXPECT_GT(cuts, testing::part_of(30));
  }
}

TEST(MixedOptimum, SameAsEnumeration) {
  std::int64_t safe = 0;
  testing::for_each_seed(2001, testing::part_of(300U), [&](std::uint64_t seed) {
    base::Random random(seed);
    const auto problem = small_table(random, seed);
    MixedOptions options;
    options.perturb.ranges = random_ranges(*problem, random);
    const Units base = random.between(2, 5);
    options.round.base = base;
    Menu menu;
    for (std::int32_t c = 0; c < problem->table().num_cells(); ++c) {
      const bool rounded = random.chance(1, 4);
      options.groups.push_back(rounded ? PublishAs::kRounded : PublishAs::kPerturbed);
      if (rounded)
        add_rounded(*problem, c, base, menu);
      else
        add_perturbed(*problem, c, options.perturb.ranges[static_cast<std::size_t>(c)], menu);
    }
    const std::optional<double> best = cheapest_safe(problem, menu, -1);
    expect_same(problem, publish_mixed(problem, options, RunContext{}), best);
    safe += best ? 1 : 0;
  });
  if (std::getenv("LACUNA_SEED") == nullptr) {
    EXPECT_GT(safe, testing::part_of(60));
  }
}

// Everything an interval: the cost of the compact model of interval publication, but for the
// rounding of ends to whole units.
TEST(MixedOptimum, IntervalsAloneAreIntervalPublication) {
  testing::for_each_seed(4001, 50, [](std::uint64_t seed) {
    auto made = generation::generate_small(seed);
    ASSERT_TRUE(made);
    const auto problem = std::make_shared<const Problem>(std::move(made).value());
    MixedOptions options;
    IntervalOptions same;
    for (std::int32_t c = 0; c < problem->table().num_cells(); ++c) {
      const bool may = may_be_withheld(problem->table().cell(CellId{c}));
      options.groups.push_back(may ? PublishAs::kInterval : PublishAs::kExact);
    }
    const auto model = interval::make_model(*problem, same);
    ASSERT_TRUE(model);
    const auto compact = models::solve_compact(*model, "", RunContext{});
    ASSERT_TRUE(compact);
    const auto found = publish_mixed(problem, options, RunContext{});
    ASSERT_TRUE(found) << found.error().text();
    if (compact->status != LpStatus::kOptimal || !found->complete)
      return;  // intervals of mixtures are not as wide as those of their own method may be
    double ends = 0;
    for (const CellEntry& entry : found->draft.entries())
      ends += 2 * problem->table().cell(entry.cell).weight;
    ends /= std::pow(10.0, problem->table().decimals());
    const double near = 1e-6 * std::max(1.0, compact->cost);
    EXPECT_GE(found->cost, compact->cost - near);
    EXPECT_LE(found->cost, compact->cost + ends + near);
    testing::expect_safe_on_disk(problem, found->draft);
  });
}

}  // namespace
}  // namespace lacuna
