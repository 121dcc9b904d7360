// SPDX-License-Identifier: Apache-2.0
// Controlled rounding against all zero-restricted roundings of small tables, each judged by the
// audit; every release written, read again, added up and audited.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "app/generate/generate.h"
#include "core/base/random.h"
#include "lacuna/round.h"
#include "property/seeds.h"
#include "support/number_tables.h"
#include "support/tables.h"

namespace lacuna {
namespace {

struct Rounding {
  double cost = 0;
  std::vector<Units> numbers;
};

// All of them, cheapest first.
std::vector<Rounding> all_roundings(const Table& table, Units base) {
  std::vector<std::vector<Units>> candidates;
  for (const Cell& cell : table.cells()) {
    const Units low = (cell.value / base) * base;  // values are not negative here
    candidates.push_back({low});
    if (low != cell.value)
      candidates.back().push_back(low + base);
  }
  std::vector<Rounding> all;
  testing::NumberTables(table, candidates).for_each([&](const std::vector<Units>& numbers) {
    Rounding found{0, numbers};
    for (std::size_t c = 0; c < numbers.size(); ++c) {
      const Cell& cell = table.cell(CellId{static_cast<std::int32_t>(c)});
      found.cost += cell.weight * static_cast<double>(std::abs(numbers[c] - cell.value));
    }
    all.push_back(std::move(found));
  });
  std::stable_sort(
      all.begin(), all.end(), [](const Rounding& a, const Rounding& b) { return a.cost < b.cost; });
  return all;
}

std::optional<double> cheapest_safe(const std::shared_ptr<const Problem>& problem, Units base) {
  for (const Rounding& each : all_roundings(problem->table(), base)) {
    Draft draft;
    for (std::size_t c = 0; c < each.numbers.size(); ++c)
      draft.publish_rounded(CellId{static_cast<std::int32_t>(c)}, each.numbers[c], base);
    AuditOptions verdicts;
    verdicts.intervals = false;
    if (testing::audit(problem, draft, verdicts).verdict == Verdict::kProtected)
      return each.cost;
  }
  return std::nullopt;
}

// One who knows some cells that are not sensitive, and from whom the others are safe all the same.
void add_insider(Problem& problem, base::Random& random) {
  Attacker insider{"insider", {}};
  const std::int64_t share = random.between(1, 6);
  std::vector<Requirement> needs = problem.requirements();
  for (std::int32_t c = 0; c < problem.table().num_cells(); ++c) {
    const Cell& cell = problem.table().cell(CellId{c});
    if (cell.status != CellStatus::kPrimary && random.chance(share, 8))
      insider.known.push_back({CellId{c}, {cell.value, cell.value}});
  }
  for (Requirement need : problem.requirements()) {
    if (need.attacker == 0) {
      need.attacker = static_cast<std::int32_t>(problem.attackers().size());
      needs.push_back(need);
    }
  }
  std::vector<Attacker> attackers = problem.attackers();
  attackers.push_back(insider);
  auto made = make_problem(problem.table(), attackers, needs);
  ASSERT_TRUE(made) << made.error().text();
  problem = std::move(made).value();
}

std::shared_ptr<const Problem> small_table(base::Random& random, std::uint64_t seed) {
  static const std::vector<std::vector<std::int32_t>> kSizes{
      {2, 2}, {2, 3}, {3, 3}, {4}, {2, 4}, {2, 2, 2}};
  generation::GenerateOptions options;
  options.seed = seed;
  options.sizes = kSizes[static_cast<std::size_t>(random.between(0, 5))];
  options.typical_value = random.between(2, 15);
  options.skew = static_cast<std::int32_t>(random.between(0, 3));
  options.sensitive_count = static_cast<std::int32_t>(random.between(1, 3));
  options.zero_percent = options.sensitive_count == 1 ? 20 : 0;
  options.upper_percent = static_cast<std::int32_t>(random.between(5, 40));
  options.sliding_percent = random.chance(1, 3) ? 60 : 0;
  options.below_percent = random.chance(1, 2) ? 100 : 40;
  options.above_percent = random.chance(1, 2) ? 1000 : 60;
  auto made = generation::generate(options);
  EXPECT_TRUE(made) << made.error().text();
  Problem problem = std::move(made).value();
  std::vector<double> weights;
  for (std::int32_t c = 0; c < problem.table().num_cells(); ++c)
    weights.push_back(static_cast<double>(random.between(1, 4)));
  problem.set_weights(weights);
  if (random.chance(3, 4))
    add_insider(problem, random);
  return std::make_shared<const Problem>(std::move(problem));
}

TEST(RoundOptimum, SameAsEnumeration) {
  std::int64_t safe = 0, none = 0, cuts = 0;
  testing::for_each_seed(1, 600, [&](std::uint64_t seed) {
    base::Random random(seed);
    const auto problem = small_table(random, seed);
    RoundOptions options;
    options.base =
        std::vector<Units>{2, 3, 4, 5, 10}[static_cast<std::size_t>(random.between(0, 4))];
    const std::optional<double> best = cheapest_safe(problem, options.base->digits());
    const auto found = round_table(problem, options, RunContext{});
    if (!best) {  // the levels are too much for the base, or nothing adds up and is safe
      ++none;
      cuts += found ? found->cuts : 0;
      EXPECT_TRUE(!found || found->why == StopReason::kInfeasible);
      return;
    }
    ++safe;
    ASSERT_TRUE(found) << found.error().text();
    ASSERT_TRUE(found->complete) << to_string(found->why) << " " << found->reason << " cost "
                                 << *best << " bound " << found->bound << " rounds "
                                 << found->rounds << " cuts " << found->cuts;
    cuts += found->cuts;
    EXPECT_EQ(found->why, StopReason::kOptimal);
    EXPECT_NEAR(found->cost, *best, 1e-6);
    EXPECT_NEAR(found->bound, *best, 1e-5 * std::max(1.0, *best));
    testing::expect_safe_on_disk(problem, found->draft);
  });
  if (safe + none > 1) {  // not a replay of one seed: all cases are met
    EXPECT_GT(safe, 200);
    EXPECT_GT(none, 100);
    EXPECT_GT(cuts, 50);
  }
}

// Whatever is asked for beside: the release is safe, adds up, and keeps what was asked.
TEST(RoundOptimum, OptionsKeepWhatTheySay) {
  testing::for_each_seed(5000, 120, [](std::uint64_t seed) {
    base::Random random(seed);
    const auto problem = small_table(random, seed);
    RoundOptions options;
    options.base = random.between(2, 6);
    options.steps = static_cast<std::int32_t>(random.between(0, 2));
    options.unbiased = random.chance(1, 2);
    options.no_small_counts = random.chance(1, 2);
    RunContext run;
    run.seed = seed;
    const auto found = round_table(problem, options, run);
    if (!found || !found->complete)
      return;
    testing::expect_safe_on_disk(problem, found->draft);
    for (const CellEntry& entry : found->draft.entries()) {
      const Units value = problem->table().value(entry.cell);
      EXPECT_EQ(*entry.number() % options.base->digits(), 0);
      EXPECT_GE(*entry.number(), 0);
      if (options.no_small_counts)
        EXPECT_TRUE(*entry.number() != 1 && *entry.number() != 2);
      else
        EXPECT_LT(std::abs(*entry.number() - value), (found->steps + 1) * options.base->digits());
    }
    RoundOptions plain = options;
    plain.unbiased = false;
    const auto optimum = round_table(problem, plain, run);
    ASSERT_TRUE(optimum);
    EXPECT_LE(optimum->cost, found->cost + 1e-6);
    EXPECT_LE(found->cost, optimum->cost * (1 + options.unbiased_cost) + 1e-6);
  });
}

}  // namespace
}  // namespace lacuna
