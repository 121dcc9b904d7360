// SPDX-License-Identifier: Apache-2.0
// There is an explanation exactly where nothing is safe, and what it says is true: judged by
// enumeration and by the oracle.
#include <gtest/gtest.h>

#include "core/base/random.h"
#include "property/seeds.h"
#include "protect/suppress/explain.h"
#include "support/enumerate.h"
#include "support/oracle.h"
#include "support/suppress_problems.h"

namespace lacuna {
namespace {

using testing::counts_are_checked;
using testing::for_each_seed;
using testing::Oracle;
using testing::PatternEnumeration;
using testing::Shared;
using testing::suppress_problem;

std::optional<suppression::Explanation> explain(const Shared& problem,
                                                const SuppressOptions& options) {
  auto explained = suppression::explain_infeasibility(problem, options, RunContext{});
  EXPECT_TRUE(explained) << (explained ? "" : explained.error().text());
  return std::move(explained).value();
}

Requirement with_level(const suppression::UnmetLevel& unmet, Units level) {
  Requirement need{.cell = unmet.requirement.cell, .attacker = unmet.requirement.attacker};
  switch (unmet.kind) {
    case suppression::LevelKind::kUpper:
      need.upper = level;
      break;
    case suppression::LevelKind::kLower:
      need.lower = level;
      break;
    case suppression::LevelKind::kSliding:
      need.sliding = level;
      break;
  }
  return need;
}

void expect_true(const Shared& problem,
                 const SuppressOptions& options,
                 const suppression::UnmetLevel& unmet) {
  const auto largest = suppression::largest_pattern(problem, options, RunContext{});
  ASSERT_TRUE(largest);
  const Attacker& attacker =
      problem->attackers()[static_cast<std::size_t>(unmet.requirement.attacker)];
  Oracle oracle(problem->table(), *largest, attacker);
  EXPECT_NE(oracle.verdict(with_level(unmet, unmet.possible)), Verdict::kExposed);
  EXPECT_EQ(oracle.verdict(with_level(unmet, unmet.possible + 1)), Verdict::kExposed);
  EXPECT_LT(unmet.possible, unmet.level);
  if (unmet.would_help.empty())
    return;
  Draft more = *largest;
  for (const CellId cell : unmet.would_help) {
    EXPECT_EQ(problem->table().cell(cell).status, CellStatus::kMustPublish);
    more.withhold(cell);
  }
  EXPECT_EQ(Oracle(problem->table(), more, attacker).verdict(unmet.requirement),
            Verdict::kProtected);
  for (const CellId cell : unmet.would_help) {
    Draft fewer = more;
    fewer.publish_exact(cell);
    EXPECT_EQ(Oracle(problem->table(), fewer, attacker).verdict(unmet.requirement),
              Verdict::kExposed);
  }
}

struct Tally {
  int unmet = 0, released = 0, too_few = 0, fine = 0;
};

void expect_explained(const Shared& problem, const SuppressOptions& options, Tally& tally) {
  PatternEnumeration all(*problem, options);
  if (!all.is_small())
    return;
  const auto explained = explain(problem, options);
  EXPECT_EQ(!explained, all.cheapest().has_value());
  if (!explained) {
    ++tally.fine;
    return;
  }
  for (const suppression::UnmetLevel& unmet : explained->unmet) {
    expect_true(problem, options, unmet);
    ++tally.unmet;
    tally.released += unmet.would_help.empty() ? 0 : 1;
  }
  if (explained->too_few) {
    SuppressOptions any = options;
    any.max_withheld = -1;
    EXPECT_TRUE(explained->too_few->exact);
    EXPECT_EQ(explained->too_few->least, PatternEnumeration(*problem, any).fewest_withheld());
    ++tally.too_few;
  }
}

TEST(SuppressExplain, ExplainedExactlyIfNothingIsSafe) {
  Tally tally;
  for_each_seed(20'001, 500, [&](std::uint64_t seed) {
    base::Random random(seed);
    SuppressOptions options;
    if (random.chance(1, 3))
      options.minimum_width = static_cast<double>(random.between(1, 40));
    if (random.chance(1, 3))
      options.max_withheld = random.between(1, 6);
    const Shared problem = suppress_problem(seed, {.published_percent = 40});
    expect_explained(problem, options, tally);
  });
  if (counts_are_checked()) {
    EXPECT_GE(tally.unmet, 50);
    EXPECT_GE(tally.released, 20);
    EXPECT_GE(tally.too_few, 10);
    EXPECT_GE(tally.fine, 50);
  }
}

}  // namespace
}  // namespace lacuna
