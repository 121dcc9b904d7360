// SPDX-License-Identifier: Apache-2.0
// The assignment's own sums against a count from the start, after random assignments and releases;
// what nobody uses is idle, and what it hands out is evidence.
#include "protect/start/route_assignment.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "core/base/random.h"
#include "protect/start/leaf_routes.h"
#include "support/tables.h"
#include "support/tree_or_linked.h"
#include "unit/start/witness.h"

namespace lacuna::start {
namespace {

std::vector<std::int32_t> counted_uses(const RouteAssignment& assignment) {
  const auto cells = static_cast<std::size_t>(assignment.pattern_state().table().num_cells());
  std::vector<std::int32_t> uses(cells, 0);
  std::vector<std::int32_t> shared_routes;
  for (std::int32_t n = 0; n < std::ssize(assignment.goals()); ++n) {
    const std::int32_t shared_route = assignment.shared_route_of(n);
    if (shared_route < 0 ||
        std::find(shared_routes.begin(), shared_routes.end(), shared_route) != shared_routes.end())
      continue;
    shared_routes.push_back(shared_route);
    for (const RouteStep& step : assignment.shared_route(shared_route).steps)
      ++uses[static_cast<std::size_t>(step.cell.value)];
  }
  return uses;
}

void expect_balanced(const RouteAssignment& assignment) {
  const std::vector<std::int32_t> uses = counted_uses(assignment);
  for (std::size_t c = 0; c < uses.size(); ++c) {
    const CellId cell{static_cast<std::int32_t>(c)};
    EXPECT_EQ(assignment.uses(cell), uses[c]);
    if (uses[c] > 0) {
      EXPECT_EQ(assignment.pattern_state().place(cell), CellRole::kWithheld);
    }
  }
  for (std::int32_t n = 0; n < std::ssize(assignment.goals()); ++n) {
    if (assignment.shared_route_of(n) < 0)
      continue;
    const std::vector<std::int32_t>& users =
        assignment.shared_route(assignment.shared_route_of(n)).users;
    EXPECT_EQ(std::count(users.begin(), users.end(), n), 1);
  }
}

TEST(RouteAssignment, UsesAddUp) {
  int assigned = 0;
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const auto problem = testing::tree_or_linked(seed);
    ASSERT_TRUE(problem);
    PatternState pattern_state(*problem, {});
    RouteAssignment assignment(pattern_state, list_goals(pattern_state));
    const LeafRoutes closure(pattern_state);
    base::Random random(seed);
    const auto goals = static_cast<std::int32_t>(assignment.goals().size());
    for (int round = 0; round < 150; ++round) {
      const auto goal = static_cast<std::int32_t>(random.between(0, goals - 1));
      if (assignment.shared_route_of(goal) >= 0) {
        assignment.unassign(goal);
        EXPECT_EQ(assignment.shared_route_of(goal), -1);
      } else {
        std::int32_t shared_route =
            assignment.serving(goal, [](const SharedRoute&) { return true; });
        const auto steps = shared_route < 0 ? closure.find(assignment.goal(goal)) : std::nullopt;
        if (steps)
          shared_route = assignment.add_shared_route(*steps);
        if (shared_route < 0)
          continue;
        assignment.assign(goal, shared_route);
        ++assigned;
        EXPECT_EQ(assignment.shared_route_of(goal), shared_route);
      }
      if (round % 10 == 0) {
        for (const CellId cell : assignment.idle())
          assignment.publish(cell);
        assignment.forget_dead();
      }
    }
    expect_balanced(assignment);
    const auto slacks = attack::attacker_slacks(
        problem->table(), pattern_state.draft(), problem->attackers().front());
    for (const Displacement& displacement : assignment.displacements())
      EXPECT_TRUE(check_displacement(problem->table(), slacks, displacement));
  }
  EXPECT_GT(assigned, 200);
}

// One shared route, two users: its cells are let go with the second.
TEST(RouteAssignment, LastUserLeavesCellsIdle) {
  auto builder = testing::two_way({{10, 10, 20}, {10, 10, 20}, {20, 20, 40}}, {0, 100}, 0, {0});
  const auto problem =
      testing::problem_of(std::move(builder), {{.cell = CellId{0}, .lower = 4, .upper = 6}});
  PatternState pattern_state(*problem, {});
  RouteAssignment assignment(pattern_state, list_goals(pattern_state));
  ASSERT_EQ(assignment.goals().size(), 2U);
  const Route cycle{{CellId{0}, 1}, {CellId{1}, -1}, {CellId{3}, -1}, {CellId{4}, 1}};
  const std::int32_t shared_route = assignment.add_shared_route(cycle);
  EXPECT_EQ(assignment.changes().size(), 3U);  // the sensitive cell is withheld anyway
  for (const std::int32_t goal : {0, 1}) {
    EXPECT_EQ(assignment.serving(goal, [](const SharedRoute&) { return true; }), shared_route);
    EXPECT_EQ(assignment.serving(goal, [](const SharedRoute&) { return false; }), -1);
    assignment.assign(goal, shared_route);
  }
  EXPECT_EQ(assignment.uses(CellId{4}), 1);
  EXPECT_EQ(assignment.displacements().size(), 2U);
  assignment.unassign(0);
  EXPECT_EQ(assignment.uses(CellId{4}), 1);
  EXPECT_TRUE(assignment.idle().empty());
  assignment.unassign(1);
  EXPECT_EQ(assignment.uses(CellId{4}), 0);
  std::vector<CellId> idle = assignment.idle();
  std::sort(idle.begin(), idle.end());
  EXPECT_EQ(idle, (std::vector<CellId>{CellId{1}, CellId{3}, CellId{4}}));
  for (const CellId cell : idle)
    assignment.publish(cell);
  EXPECT_FALSE(assignment.shared_route(shared_route).alive);
  EXPECT_EQ(assignment.serving(0, [](const SharedRoute&) { return true; }), -1);
}

// A level beyond a slack of the cycle is not served.
TEST(RouteAssignment, RoomsDecideWhatFits) {
  auto builder = testing::two_way({{10, 10, 20}, {10, 10, 20}, {20, 20, 40}}, {0, 100}, 0, {0});
  const auto problem = testing::problem_of(std::move(builder), {{.cell = CellId{0}, .upper = 6}});
  const PatternState pattern_state(*problem, {});
  const Route cycle{{CellId{0}, 1}, {CellId{1}, -1}, {CellId{3}, -1}, {CellId{4}, 1}};
  RouteGoal goal{CellId{0}, Direction::kHigh, 10};
  EXPECT_TRUE(fits(pattern_state, cycle, goal));
  goal.level = 11;  // cell 1 can fall by 10
  EXPECT_FALSE(fits(pattern_state, cycle, goal));
  EXPECT_EQ(move_of(cycle, CellId{3}), -1);
  EXPECT_EQ(move_of(cycle, CellId{8}), 0);
}

}  // namespace
}  // namespace lacuna::start
