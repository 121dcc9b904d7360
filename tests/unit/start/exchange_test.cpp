// SPDX-License-Identifier: Apache-2.0
// An exchange that is carried out makes the pattern cheaper and leaves every goal served; one that
// is not leaves everything as it was.
#include "protect/start/exchange.h"

#include <gtest/gtest.h>

#include "support/tree_or_linked.h"
#include "unit/start/first_pattern.h"

namespace lacuna::start {
namespace {

using testing::FirstPattern;

std::vector<CellId> secondaries(const PatternState& pattern_state) {
  std::vector<CellId> cells;
  for (std::int32_t c = 0; c < pattern_state.table().num_cells(); ++c) {
    if (pattern_state.place(CellId{c}) == CellRole::kWithheld &&
        !pattern_state.permanent(CellId{c}))
      cells.push_back(CellId{c});
  }
  return cells;
}

// How many were carried out.
int exchange_all(FirstPattern& found, ExchangeKind kind, std::uint64_t salt) {
  int done = 0;
  for (const CellId cell : secondaries(found.pattern_state)) {
    if (found.pattern_state.place(cell) != CellRole::kWithheld)
      continue;  // an exchange before has published it
    Exchange exchange{.cell = cell, .kind = kind, .salt = salt};
    plan_exchange(found.assignment, *found.lanes.front(), exchange);
    const double before = found.pattern_state.total_cost();
    const auto entries = found.pattern_state.draft().entries();
    if (exchange.found && carry_out(found.assignment, exchange)) {
      ++done;
      EXPECT_LT(found.pattern_state.total_cost(), before);
      if (kind != ExchangeKind::kAround) {
        EXPECT_EQ(found.pattern_state.place(cell), CellRole::kPublished);
      }
    } else {
      EXPECT_EQ(found.pattern_state.draft().entries(), entries);
      EXPECT_EQ(found.pattern_state.total_cost(), before);
    }
  }
  return done;
}

TEST(Exchange, NeverDearerNeverUnsafe) {
  int through = 0;
  int around = 0;
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    auto problem = testing::tree_or_linked(seed);
    ASSERT_TRUE(problem);
    FirstPattern found(std::make_shared<const Problem>(std::move(problem).value()), 1);
    if (!found.unmet.empty())
      continue;
    for (std::uint64_t salt = 1; salt <= 3; ++salt)
      around += exchange_all(found, ExchangeKind::kAround, salt);
    through += exchange_all(found, ExchangeKind::kThrough, seed);
    found.expect_in_order();
    for (std::int32_t n = 0; n < std::ssize(found.assignment.goals()); ++n)
      EXPECT_GE(found.assignment.shared_route_of(n), 0);
    EXPECT_EQ(found.verdict(), Verdict::kProtected);
  }
  EXPECT_GT(through, 3);
  EXPECT_GT(around, 0);
}

// Shared routes that go round a cell serve all that they served; over and over, until none is left.
TEST(Exchange, DetoursKeepEveryNeedServed) {
  int detours = 0;
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    auto problem = testing::tree_or_linked(seed);
    ASSERT_TRUE(problem);
    FirstPattern found(std::make_shared<const Problem>(std::move(problem).value()), 1);
    if (!found.unmet.empty())
      continue;
    for (int done = 1; done > 0; detours += done) {
      done = exchange_all(found, ExchangeKind::kDetour, seed);
      found.expect_in_order();
    }
    for (std::int32_t n = 0; n < std::ssize(found.assignment.goals()); ++n)
      EXPECT_GE(found.assignment.shared_route_of(n), 0);
    EXPECT_EQ(found.verdict(), Verdict::kProtected);
  }
  EXPECT_GT(detours, 8);
}

// A plan made on a state that has changed since is not carried out, or still saves.
TEST(Exchange, StalePlansDoNoHarm) {
  auto problem = testing::tree_or_linked(2);
  ASSERT_TRUE(problem);
  FirstPattern found(std::make_shared<const Problem>(std::move(problem).value()), 1);
  ASSERT_TRUE(found.unmet.empty());
  std::vector<Exchange> plans;
  for (const CellId cell : secondaries(found.pattern_state)) {
    plans.push_back({.cell = cell});
    plan_exchange(found.assignment, *found.lanes.front(), plans.back());
  }
  for (const Exchange& plan : plans) {
    const double before = found.pattern_state.total_cost();
    if (plan.found)
      carry_out(found.assignment, plan);
    EXPECT_LE(found.pattern_state.total_cost(), before);
  }
  found.expect_in_order();
  EXPECT_EQ(found.verdict(), Verdict::kProtected);
}

}  // namespace
}  // namespace lacuna::start
