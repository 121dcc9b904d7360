// SPDX-License-Identifier: Apache-2.0
// Several methods in one table.
#include "lacuna/mixed.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/number_tables.h"
#include "support/tables.h"

namespace lacuna::mixed {
namespace {

using ::testing::HasSubstr;
using testing::problem_of;
using testing::two_way;

std::shared_ptr<const Problem> salazar(Units lower, Units upper) {
  return problem_of(
      two_way({{20, 50, 10, 80}, {8, 19, 22, 49}, {17, 32, 12, 61}, {45, 101, 44, 190}},
              {0, kUnboundedAbove},
              0,
              {6}),
      {{.cell = CellId{6}, .lower = lower, .upper = upper}});
}

std::vector<PublishAs> groups(const Table& table,
                              PublishAs sensitive,
                              PublishAs totals,
                              PublishAs others) {
  std::vector<PublishAs> all;
  const std::vector<bool> total = total_cells(table);
  for (std::size_t c = 0; c < total.size(); ++c)
    all.push_back(c == 6 ? sensitive : total[c] ? totals : others);
  return all;
}

TEST(Mixed, TotalsAreCellsThatSumOthers) {
  const std::vector<bool> total = total_cells(salazar(0, 0)->table());
  for (std::size_t c = 0; c < 16; ++c)
    EXPECT_EQ(total[c], c % 4 == 3 || c >= 12) << c;
}

// Totals as they are, an interval for the sensitive cell, perturbed numbers for the rest. The rest
// need not move for the sums, so only the interval costs.
TEST(Mixed, IntervalAmongPerturbedCells) {
  const auto problem = salazar(10, 12);
  MixedOptions options;
  options.groups =
      groups(problem->table(), PublishAs::kInterval, PublishAs::kExact, PublishAs::kPerturbed);
  options.perturb.range = 60;
  const auto found = publish_mixed(problem, options, RunContext{});
  ASSERT_TRUE(found) << found.error().text();
  EXPECT_EQ(found->why, StopReason::kOptimal);
  EXPECT_NEAR(found->cost, 22, 1e-6);
  EXPECT_EQ(found->draft.find(CellId{6})->bounds(), (Bounds{12, 34}));
  EXPECT_EQ(found->draft.state(CellId{4}), StatementKind::kAltered);
  EXPECT_EQ(found->draft.state(CellId{15}), StatementKind::kExact);
  testing::expect_safe_on_disk(problem, found->draft);
}

// Withheld, rounded and interval cells together: the sums of rounded cells hold, and what is not
// published leaves room for them.
TEST(Mixed, WithheldAmongRoundedCells) {
  const auto problem = salazar(8, 8);
  MixedOptions options;
  options.groups =
      groups(problem->table(), PublishAs::kWithheld, PublishAs::kRounded, PublishAs::kRounded);
  options.groups[4] = PublishAs::kInterval;
  options.round.base = 10;
  const auto found = publish_mixed(problem, options, RunContext{});
  ASSERT_TRUE(found) << found.error().text();
  EXPECT_EQ(found->why, StopReason::kOptimal);
  EXPECT_EQ(found->draft.state(CellId{6}), StatementKind::kWithheld);
  EXPECT_EQ(found->draft.state(CellId{8}), StatementKind::kRounded);
  testing::expect_safe_on_disk(problem, found->draft);
}

TEST(Mixed, WhatCannotBeIsSaid) {
  const auto problem = salazar(10, 12);
  MixedOptions options;
  options.groups =
      groups(problem->table(), PublishAs::kExact, PublishAs::kExact, PublishAs::kExact);
  const auto exposed = publish_mixed(problem, options, RunContext{});
  ASSERT_FALSE(exposed);
  EXPECT_THAT(exposed.error().message, HasSubstr("a sensitive cell cannot be published as it is"));
  options.groups[6] = PublishAs::kInterval;
  const auto alone = publish_mixed(problem, options, RunContext{});
  ASSERT_TRUE(alone);
  EXPECT_EQ(alone->why, StopReason::kInfeasible);
  options.groups.pop_back();
  EXPECT_FALSE(publish_mixed(problem, options, RunContext{}));
}

}  // namespace
}  // namespace lacuna::mixed
