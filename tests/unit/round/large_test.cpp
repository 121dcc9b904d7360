// SPDX-License-Identifier: Apache-2.0
// The method for large tables beside the integer program, and on a table that only it can take.
#include <gtest/gtest.h>

#include "app/generate/generate.h"
#include "lacuna/round.h"
#include "support/number_tables.h"
#include "support/tables.h"

namespace lacuna::rounding {
namespace {

// Sensitive cells ask only that their value is not told exactly.
std::shared_ptr<const Problem> counts(const generation::GenerateOptions& options) {
  auto made = generation::generate(options);
  EXPECT_TRUE(made) << made.error().text();
  return std::make_shared<const Problem>(testing::changed(*made, [](ProblemParts& parts) {
    for (Requirement& need : parts.requirements) {
      need.lower = need.upper = 0;
      need.sliding = 1;
    }
  }));
}

RoundOptions base(Units units, Effort effort) {
  RoundOptions options;
  options.base = units;
  options.effort = effort;
  return options;
}

TEST(RoundLarge, BoundAndCostEncloseTheOptimum) {
  std::int64_t compared = 0;
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    generation::GenerateOptions shape;
    shape.seed = seed;
    shape.sizes =
        seed % 2 == 0 ? std::vector<std::int32_t>{5, 6} : std::vector<std::int32_t>{4, 3, 3};
    shape.typical_value = 7;
    shape.zero_percent = 10;
    const auto problem = counts(shape);
    const Units r = seed % 3 == 0 ? 5 : 3;
    const auto exact = round_table(problem, base(r, Effort::kBest), RunContext{});
    const auto fast = round_table(problem, base(r, Effort::kFast), RunContext{});
    ASSERT_TRUE(exact && fast);
    if (!exact->complete) {
      EXPECT_EQ(exact->why, StopReason::kInfeasible);
      EXPECT_FALSE(fast->complete);
      continue;
    }
    EXPECT_LE(fast->bound, exact->cost + 1e-6) << seed;
    if (!fast->complete)
      continue;
    ++compared;
    EXPECT_TRUE(fast->large);
    EXPECT_GE(fast->cost, exact->cost - 1e-6) << seed;
    EXPECT_LE(fast->cost, 1.5 * exact->cost) << seed;
    testing::expect_safe_on_disk(problem, fast->draft, fast->witnesses);
  }
  EXPECT_GE(compared, 20);
}

TEST(RoundLarge, TwentyThousandCellsWithinTwoPercent) {
  generation::GenerateOptions shape;
  shape.sizes = {26, 26, 26};
  shape.typical_value = 6;
  shape.sensitive_percent = 5;
  const auto problem = counts(shape);
  const auto found = round_table(problem, base(3, Effort::kDefault), RunContext{});
  ASSERT_TRUE(found);
  ASSERT_TRUE(found->complete);
  EXPECT_TRUE(found->large);
  EXPECT_LE(found->cost - found->bound, 0.02 * found->cost);
  testing::expect_safe_on_disk(problem, found->draft, found->witnesses);
  for (const CellEntry& entry : found->draft.entries()) {
    EXPECT_EQ(*entry.number() % 3, 0);
    EXPECT_LT(std::abs(*entry.number() - problem->table().value(entry.cell)), 3);
  }
  // The witnesses serve the audit: it searches for hardly anything.
  AuditOptions verdicts;
  verdicts.intervals = false;
  verdicts.hints = found->witnesses;
  const AuditReport report = testing::audit(problem, found->draft, verdicts);
  EXPECT_GE(report.counts.hints_used * 100, static_cast<std::int64_t>(report.findings.size()) * 99);
}

// A sum that several tables split moves with a part of each.
TEST(RoundLarge, WitnessesServeLinkedTables) {
  generation::GenerateOptions shape;
  shape.kind = generation::GenerateKind::kLinked;
  shape.depths = {2, 2, 2};
  shape.fan_least = {4};
  shape.fan_most = {6};
  shape.typical_value = 30;
  shape.sensitive_percent = 5;
  const auto problem = counts(shape);
  const auto found = round_table(problem, base(3, Effort::kFast), RunContext{});
  ASSERT_TRUE(found);
  ASSERT_TRUE(found->complete);
  AuditOptions verdicts;
  verdicts.intervals = false;
  verdicts.hints = found->witnesses;
  const AuditReport report = testing::audit(problem, found->draft, verdicts);
  EXPECT_EQ(report.verdict, Verdict::kProtected);
  EXPECT_GE(report.counts.hints_used * 100, static_cast<std::int64_t>(report.findings.size()) * 99)
      << report.counts.hints_used << " of " << report.findings.size();
}

TEST(RoundLarge, SeedDecidesAndThreadsDoNot) {
  generation::GenerateOptions shape;
  shape.sizes = {12, 12, 12};
  shape.typical_value = 6;
  const auto problem = counts(shape);
  RoundOptions options = base(3, Effort::kFast);
  options.unbiased = true;
  const auto release = [&](std::uint64_t seed, int threads) {
    RunContext run;
    run.seed = seed;
    run.threads = threads;
    return round_table(problem, options, run)->draft.entries();
  };
  EXPECT_EQ(release(1, 1), release(1, 2));
  EXPECT_NE(release(1, 1), release(2, 1));
}

TEST(RoundLarge, StepsHelpWhereNothingAddsUp) {
  generation::GenerateOptions
      shape;  // the cube of the unit tests is too small to be special here: many cubes
  shape.sizes = {2, 2, 2};
  shape.typical_value = 1;
  shape.skew = 0;
  std::int64_t relaxed = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    shape.seed = seed;
    shape.sensitive_count = 0;
    const auto problem = counts(shape);
    RoundOptions options = base(2, Effort::kFast);
    options.steps = 3;
    const auto found = round_table(problem, options, RunContext{});
    ASSERT_TRUE(found);
    ASSERT_TRUE(found->complete) << seed;
    relaxed += found->steps > 0 ? 1 : 0;
    EXPECT_TRUE(draft::check_sums(problem->table(), found->draft));
    const auto exact = round_table(problem, base(2, Effort::kBest), RunContext{});
    ASSERT_TRUE(exact);
    EXPECT_EQ(exact->complete, found->steps == 0) << seed;
  }
  EXPECT_GE(relaxed, 1);
}

}  // namespace
}  // namespace lacuna::rounding
