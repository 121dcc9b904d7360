// SPDX-License-Identifier: Apache-2.0
// Three ways to the cheapest safe pattern agree on random small tables (flat, hierarchical, linked;
// one to three attackers; all kinds of levels): enumeration with the oracle, the compact model, and
// branch and cut. Every pattern is audited.
#include <gtest/gtest.h>

#include "core/base/random.h"
#include "lacuna/suppress.h"
#include "property/seeds.h"
#include "protect/suppress/compact_model.h"
#include "protect/suppression_model/pattern_requirements.h"
#include "support/enumerate.h"
#include "support/suppress_problems.h"
#include "support/tables.h"

namespace lacuna {
namespace {

using testing::counts_are_checked;
using testing::for_each_seed;
using testing::part_of;
using testing::PatternEnumeration;
using testing::Shared;
using testing::suppress_problem;

constexpr double kSameCost = 1e-7;  // relative

SuppressOptions exact_options() {
  SuppressOptions options;
  options.effort = Effort::kBest;
  return options;
}

suppression::CompactResult by_compact_model(const Shared& problem, const SuppressOptions& options) {
  auto solved = suppression::suppress_by_compact_model(problem, options, {}, RunContext{});
  EXPECT_TRUE(solved) << (solved ? "" : solved.error().text());
  return std::move(solved).value();
}

void expect_safe(const Shared& problem, const SuppressOptions& options, const Draft& draft) {
  const auto asked = std::make_shared<const Problem>(
      suppression_model::problem_of_pattern(*problem, options.minimum_width, draft));
  EXPECT_EQ(testing::audit(asked, draft).verdict, Verdict::kProtected);
  if (options.max_withheld >= 0) {
    EXPECT_LE(draft.count(StatementKind::kWithheld), options.max_withheld);
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
  const suppression::CompactResult compact = by_compact_model(problem, options);
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

TEST(SuppressOptimum, CompactModelAgreesWithEnumeration) {
  Tally tally;
  for_each_seed(1, part_of(2300U), [&](std::uint64_t seed) {
    expect_as_enumerated(suppress_problem(seed), exact_options(), tally);
  });
  if (counts_are_checked()) {
    EXPECT_GE(tally.enumerated, part_of(1000));
    EXPECT_GE(tally.with_secondaries, part_of(500));
    EXPECT_GE(tally.infeasible, part_of(50));
  }
}

// A limit on the number of withheld cells, a least width for them, or both.
TEST(SuppressOptimum, CompactModelAgreesWithEnumerationUnderLimits) {
  Tally tally;
  for_each_seed(5001, 500, [&](std::uint64_t seed) {
    const Shared problem = suppress_problem(seed);
    base::Random random(seed);
    SuppressOptions options = exact_options();
    const auto kind = random.between(0, 2);
    if (kind != 0)
      options.minimum_width = static_cast<double>(random.between(1, 40));
    if (kind != 1)
      options.max_withheld = random.between(2, 10);
    expect_as_enumerated(problem, options, tally);
  });
  if (counts_are_checked()) {
    EXPECT_GE(tally.enumerated, 200);
    EXPECT_GE(tally.with_secondaries, 50);
    EXPECT_GE(tally.infeasible, 50);
  }
}

}  // namespace
}  // namespace lacuna
