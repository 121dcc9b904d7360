// SPDX-License-Identifier: Apache-2.0
// Three ways to the cheapest safe pattern agree on random small tables (flat, hierarchical, linked;
// one to three attackers; all kinds of levels): enumeration with the oracle, the compact model, and
// branch and cut. Every pattern is audited.
#include <gtest/gtest.h>

#include "base/random.h"
#include "lacuna/generate.h"
#include "lacuna/suppress.h"
#include "property/seeds.h"
#include "protect/suppress/compact_model.h"
#include "protect/suppress/demands.h"
#include "support/enumerate.h"
#include "support/tables.h"

namespace lacuna {
namespace {

using testing::for_each_seed;
using testing::PatternEnumeration;

using Shared = std::shared_ptr<const Problem>;

constexpr double kSameCost = 1e-7;  // relative

// Some cells withheld already, some weights at random: what generate_small leaves out.
Shared dressed(std::uint64_t seed) {
  auto made = generate_small(seed);
  EXPECT_TRUE(made);
  Random random(seed * 977 + 5);
  const Table& table = made->table;
  const bool odd_weights = random.chance(1, 2);
  const bool some_withheld = random.chance(1, 3);
  TableBuilder builder(table.decimals(), table.dimensions());
  for (std::int32_t c = 0; c < table.num_cells(); ++c) {
    Cell cell = table.cell(CellId{c});
    if (odd_weights)
      cell.weight = static_cast<double>(random.between(0, 40)) / 4;
    if (some_withheld && cell.status == CellStatus::kFree && random.chance(1, 10))
      cell.status = CellStatus::kWithheld;
    EXPECT_TRUE(builder.add_cell(cell, table.codes(CellId{c})));
  }
  for (std::int32_t e = 0; e < table.num_equations(); ++e)
    EXPECT_TRUE(builder.add_equation(table.equation(EquationId{e}), table.rhs(EquationId{e})));
  auto built = std::move(builder).build();
  EXPECT_TRUE(built);
  auto problem = make_problem(std::move(built).value(), made->attackers, made->requirements);
  EXPECT_TRUE(problem) << (problem ? "" : problem.error().text());
  return std::make_shared<const Problem>(std::move(problem).value());
}

SuppressOptions exact_options() {
  SuppressOptions options;
  options.effort = Effort::kBest;
  return options;
}

CompactResult by_compact_model(const Shared& problem, const SuppressOptions& options) {
  auto solved = suppress_by_compact_model(problem, options, {}, RunContext{});
  EXPECT_TRUE(solved) << (solved ? "" : solved.error().text());
  return std::move(solved).value();
}

void expect_safe(const Shared& problem, const SuppressOptions& options, const Draft& draft) {
  const auto asked = std::make_shared<const Problem>(problem_of_pattern(*problem, options, draft));
  EXPECT_EQ(testing::audit(asked, draft).verdict, Verdict::kProtected);
  if (options.max_withheld >= 0) {
    EXPECT_LE(draft.count(CellState::kWithheld), options.max_withheld);
  }
}

void expect_same_cost(double one, double other) {
  EXPECT_NEAR(one, other, kSameCost * std::max(1.0, std::abs(other)));
}

// What enumeration says of the problem, and that the compact model says the same.
struct Tally {
  int enumerated = 0, infeasible = 0, with_secondaries = 0;
};

void expect_as_enumerated(const Shared& problem, const SuppressOptions& options, Tally& tally) {
  PatternEnumeration all(*problem, options);
  if (!all.is_small())
    return;
  ++tally.enumerated;
  const auto best = all.cheapest();
  const CompactResult compact = by_compact_model(problem, options);
  if (!best) {
    ++tally.infeasible;
    EXPECT_EQ(compact.found.why, StopReason::kInfeasible);
    return;
  }
  tally.with_secondaries += *best != 0 ? 1 : 0;
  ASSERT_EQ(compact.found.why, StopReason::kOptimal);
  expect_same_cost(compact.found.cost, all.cost_of(*best));
  expect_same_cost(compact.found.bound, all.cost_of(*best));
  expect_safe(problem, options, compact.found.draft);
}

// A single seed is replayed without counting.
bool counts() {
  return std::getenv("LACUNA_SEED") == nullptr;
}

TEST(SuppressOptimum, CompactModelAgreesWithEnumeration) {
  Tally tally;
  for_each_seed(1, 2200, [&](std::uint64_t seed) {
    expect_as_enumerated(dressed(seed), exact_options(), tally);
  });
  if (counts()) {
    EXPECT_GE(tally.enumerated, 1000);
    EXPECT_GE(tally.with_secondaries, 500);
    EXPECT_GE(tally.infeasible, 50);
  }
}

// A limit on the number of withheld cells, a least width for them, or both.
TEST(SuppressOptimum, CompactModelAgreesWithEnumerationUnderLimits) {
  Tally tally;
  for_each_seed(5001, 500, [&](std::uint64_t seed) {
    const Shared problem = dressed(seed);
    Random random(seed);
    SuppressOptions options = exact_options();
    const auto kind = random.between(0, 2);
    if (kind != 0)
      options.minimum_width = static_cast<double>(random.between(1, 40));
    if (kind != 1)
      options.max_withheld = random.between(2, 10);
    expect_as_enumerated(problem, options, tally);
  });
  if (counts()) {
    EXPECT_GE(tally.enumerated, 200);
    EXPECT_GE(tally.with_secondaries, 50);
    EXPECT_GE(tally.infeasible, 50);
  }
}

}  // namespace
}  // namespace lacuna
