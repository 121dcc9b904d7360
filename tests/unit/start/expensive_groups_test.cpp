// SPDX-License-Identifier: Apache-2.0
// Cost alone decides which cells are expensive; expensive groups that are routed together share
// what they withhold, and a program never makes a pattern dearer or leaves a goal behind.
#include "protect/start/expensive_groups.h"

#include <gtest/gtest.h>

#include "protect/start/exchange.h"
#include "support/tables.h"
#include "support/tree_or_linked.h"
#include "unit/start/first_pattern.h"

namespace lacuna::start {
namespace {

using testing::FirstPattern;

constexpr std::int32_t kRows = 4, kColumns = 3;

CellId cell_at(std::int32_t row, std::int32_t column) {
  return CellId{row * (kColumns + 1) + column};
}

// Four rows and three columns with their totals, which must be published. Two sensitive cells in
// the first column: each has a cheapest route of its own (weight 9), over row 2 or row 3; one of
// both together costs 10.
std::shared_ptr<const Problem> planted() {
  constexpr Units kValue = 100;
  std::vector<std::vector<double>> weights(kRows, std::vector<double>(kColumns, 1000));
  weights[0][1] = weights[2][0] = weights[2][1] = 3;
  weights[1][2] = weights[3][0] = weights[3][2] = 3;
  TableBuilder builder(0);
  for (std::int32_t r = 0; r <= kRows; ++r) {
    for (std::int32_t c = 0; c <= kColumns; ++c) {
      const bool total = r == kRows || c == kColumns;
      Cell cell{.value = kValue * (r == kRows ? kRows : 1) * (c == kColumns ? kColumns : 1)};
      cell.weight = total ? 1 : weights[static_cast<std::size_t>(r)][static_cast<std::size_t>(c)];
      if (total)
        cell.status = CellStatus::kMustPublish;
      if (c == 0 && r < 2)
        cell.status = CellStatus::kPrimary;
      EXPECT_TRUE(builder.add_cell(cell));
    }
  }
  for (std::int32_t r = 0; r < kRows; ++r) {
    std::vector<Term> terms;
    for (std::int32_t c = 0; c <= kColumns; ++c)
      terms.push_back({cell_at(r, c), c < kColumns ? 1 : -1});
    EXPECT_TRUE(builder.add_equation(terms));
  }
  for (std::int32_t c = 0; c < kColumns; ++c) {
    std::vector<Term> terms;
    for (std::int32_t r = 0; r <= kRows; ++r)
      terms.push_back({cell_at(r, c), r < kRows ? 1 : -1});
    EXPECT_TRUE(builder.add_equation(terms));
  }
  return testing::problem_of(std::move(builder),
                             {{.cell = cell_at(0, 0), .lower = 50, .upper = 50},
                              {.cell = cell_at(1, 0), .lower = 40, .upper = 40}});
}

// The circuit over two rows and two columns.
Route circuit(std::int32_t row, std::int32_t other_row, std::int32_t column) {
  Route steps{{cell_at(row, 0), 1},
              {cell_at(row, column), -1},
              {cell_at(other_row, 0), -1},
              {cell_at(other_row, column), 1}};
  std::sort(steps.begin(), steps.end(), [](const RouteStep& a, const RouteStep& b) {
    return a.cell < b.cell;
  });
  return steps;
}

struct Separate {
  Separate(const Problem& problem, const std::vector<double>& costs)
      : pattern_state(problem, costs),
        assignment(pattern_state, list_goals(pattern_state)),
        lane(assignment, run, "") {
    const std::int32_t first = assignment.add_shared_route(circuit(0, 2, 1));
    const std::int32_t second = assignment.add_shared_route(circuit(1, 3, 2));
    for (std::int32_t n = 0; n < std::ssize(assignment.goals()); ++n)
      assignment.assign(n, assignment.goal(n).cell == cell_at(0, 0) ? first : second);
    assignment.idle();
  }
  RunContext run;
  PatternState pattern_state;
  RouteAssignment assignment;
  Lane lane;
};

std::vector<double> weights_of(const Problem& problem) {
  std::vector<double> weights;
  for (const Cell& cell : problem.table().cells())
    weights.push_back(cell.weight);
  return weights;
}

TEST(Giants, ShareWhatTheyWithhold) {
  const auto problem = planted();
  std::vector<double> costs = weights_of(*problem);
  for (const std::int32_t row : {0, 1})
    costs[static_cast<std::size_t>(cell_at(row, row == 0 ? 2 : 1).value)] = 7;
  Separate separate(*problem, costs);
  const double before = separate.pattern_state.total_cost();
  Exchange exchange{.cell = cell_at(2, 1), .kind = ExchangeKind::kTogether};
  exchange.group = {0, 1};
  plan_together(separate.assignment, separate.lane, exchange, RunContext{});
  ASSERT_TRUE(exchange.found);
  ASSERT_TRUE(carry_out(separate.assignment, exchange));
  // Both sensitive cells move against each other: two cells of one column instead of six.
  EXPECT_DOUBLE_EQ(separate.pattern_state.total_cost(), before - 18 + 10);
  for (std::int32_t n = 0; n < std::ssize(separate.assignment.goals()); ++n) {
    ASSERT_GE(separate.assignment.shared_route_of(n), 0);
    const SharedRoute& shared_route =
        separate.assignment.shared_route(separate.assignment.shared_route_of(n));
    EXPECT_TRUE(separate.assignment.fits(shared_route.steps, separate.assignment.goal(n)));
  }
  EXPECT_TRUE(testing::audit(problem, separate.pattern_state.draft()).verdict ==
              Verdict::kProtected);
}

TEST(Giants, AreFoundByTheirCost) {
  const auto problem = planted();
  std::vector<double> costs = weights_of(*problem);
  Separate even(*problem, costs);
  EXPECT_TRUE(expensive_groups(even.assignment).empty()) << "six cells of the same cost";
  costs[static_cast<std::size_t>(cell_at(2, 1).value)] = 100;
  Separate uneven(*problem, costs);
  const std::vector<ExpensiveGroup> groups = expensive_groups(uneven.assignment);
  ASSERT_EQ(groups.size(), 1);
  EXPECT_EQ(groups.front().cell, cell_at(2, 1));
  EXPECT_EQ(groups.front().shared_routes, std::vector<std::int32_t>{0});
  EXPECT_DOUBLE_EQ(groups.front().stake, 106);
}

TEST(Giants, NeverDearerNeverUnsafe) {
  int saved = 0;
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    auto problem = testing::tree_or_linked(seed);
    ASSERT_TRUE(problem);
    FirstPattern found(std::make_shared<const Problem>(std::move(problem).value()), 1);
    if (!found.unmet.empty())
      continue;
    for (std::int32_t n = 0; n < std::min<std::int64_t>(4, std::ssize(found.assignment.goals()));
         ++n) {
      const std::int32_t shared_route = found.assignment.shared_route_of(n);
      Exchange exchange{.cell = found.assignment.goal(n).cell, .kind = ExchangeKind::kTogether};
      exchange.group = {shared_route};
      const std::int32_t other = found.assignment.shared_route_of(
          n + 1 < std::ssize(found.assignment.goals()) ? n + 1 : n);
      if (other != shared_route)
        exchange.group = {std::min(shared_route, other), std::max(shared_route, other)};
      plan_together(
          found.assignment, *found.lanes.front(), exchange, with_work(RunContext{}, 300'000));
      const double before = found.pattern_state.total_cost();
      if (exchange.found && carry_out(found.assignment, exchange)) {
        ++saved;
        EXPECT_LT(found.pattern_state.total_cost(), before);
      } else {
        EXPECT_EQ(found.pattern_state.total_cost(), before);
      }
    }
    found.expect_in_order();
    EXPECT_EQ(found.verdict(), Verdict::kProtected);
  }
  EXPECT_GT(saved, 0);
}

}  // namespace
}  // namespace lacuna::start
