// SPDX-License-Identifier: Apache-2.0
// The ledger's own sums against a count from the start, after random assignments and releases; what
// nobody uses is idle, and what it hands out is evidence.
#include "protect/start/ledger.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "core/base/random.h"
#include "protect/start/closure.h"
#include "support/tables.h"
#include "support/tree_or_linked.h"
#include "unit/start/witness.h"

namespace lacuna::start {
namespace {

std::vector<std::int32_t> counted_uses(const Ledger& ledger) {
  const auto cells = static_cast<std::size_t>(ledger.board().table().num_cells());
  std::vector<std::int32_t> uses(cells, 0);
  std::vector<std::int32_t> shapes;
  for (std::int32_t n = 0; n < std::ssize(ledger.needs()); ++n) {
    const std::int32_t shape = ledger.shape_of(n);
    if (shape < 0 || std::find(shapes.begin(), shapes.end(), shape) != shapes.end())
      continue;
    shapes.push_back(shape);
    for (const RouteStep& step : ledger.shape(shape).steps)
      ++uses[static_cast<std::size_t>(step.cell.value)];
  }
  return uses;
}

void expect_balanced(const Ledger& ledger) {
  const std::vector<std::int32_t> uses = counted_uses(ledger);
  for (std::size_t c = 0; c < uses.size(); ++c) {
    const CellId cell{static_cast<std::int32_t>(c)};
    EXPECT_EQ(ledger.uses(cell), uses[c]);
    if (uses[c] > 0) {
      EXPECT_EQ(ledger.board().place(cell), Place::kTaken);
    }
  }
  for (std::int32_t n = 0; n < std::ssize(ledger.needs()); ++n) {
    if (ledger.shape_of(n) < 0)
      continue;
    const std::vector<std::int32_t>& users = ledger.shape(ledger.shape_of(n)).users;
    EXPECT_EQ(std::count(users.begin(), users.end(), n), 1);
  }
}

TEST(Ledger, UsesAddUp) {
  int assigned = 0;
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const auto problem = testing::tree_or_linked(seed);
    ASSERT_TRUE(problem);
    Board board(*problem, {});
    Ledger ledger(board, list_needs(board));
    const Closure closure(board);
    base::Random random(seed);
    const auto needs = static_cast<std::int32_t>(ledger.needs().size());
    for (int round = 0; round < 150; ++round) {
      const auto need = static_cast<std::int32_t>(random.between(0, needs - 1));
      if (ledger.shape_of(need) >= 0) {
        ledger.release(need);
        EXPECT_EQ(ledger.shape_of(need), -1);
      } else {
        std::int32_t shape = ledger.serving(need, [](const Shape&) { return true; });
        const auto steps = shape < 0 ? closure.find(ledger.need(need)) : std::nullopt;
        if (steps)
          shape = ledger.add_shape(*steps);
        if (shape < 0)
          continue;
        ledger.assign(need, shape);
        ++assigned;
        EXPECT_EQ(ledger.shape_of(need), shape);
      }
      if (round % 10 == 0) {
        for (const CellId cell : ledger.idle())
          ledger.open(cell);
        ledger.forget_dead();
      }
    }
    expect_balanced(ledger);
    const auto rooms =
        attack::attacker_rooms(problem->table(), board.draft(), problem->attackers().front());
    for (const Displacement& displacement : ledger.displacements())
      EXPECT_TRUE(check_displacement(problem->table(), rooms, displacement));
  }
  EXPECT_GT(assigned, 200);
}

// One shape, two users: its cells are let go with the second.
TEST(Ledger, LastUserLeavesCellsIdle) {
  auto builder = testing::two_way({{10, 10, 20}, {10, 10, 20}, {20, 20, 40}}, {0, 100}, 0, {0});
  const auto problem =
      testing::problem_of(std::move(builder), {{.cell = CellId{0}, .lower = 4, .upper = 6}});
  Board board(*problem, {});
  Ledger ledger(board, list_needs(board));
  ASSERT_EQ(ledger.needs().size(), 2U);
  const Steps cycle{{CellId{0}, 1}, {CellId{1}, -1}, {CellId{3}, -1}, {CellId{4}, 1}};
  const std::int32_t shape = ledger.add_shape(cycle);
  EXPECT_EQ(ledger.changes().size(), 3U);  // the sensitive cell is withheld anyway
  for (const std::int32_t need : {0, 1}) {
    EXPECT_EQ(ledger.serving(need, [](const Shape&) { return true; }), shape);
    EXPECT_EQ(ledger.serving(need, [](const Shape&) { return false; }), -1);
    ledger.assign(need, shape);
  }
  EXPECT_EQ(ledger.uses(CellId{4}), 1);
  EXPECT_EQ(ledger.displacements().size(), 2U);
  ledger.release(0);
  EXPECT_EQ(ledger.uses(CellId{4}), 1);
  EXPECT_TRUE(ledger.idle().empty());
  ledger.release(1);
  EXPECT_EQ(ledger.uses(CellId{4}), 0);
  std::vector<CellId> idle = ledger.idle();
  std::sort(idle.begin(), idle.end());
  EXPECT_EQ(idle, (std::vector<CellId>{CellId{1}, CellId{3}, CellId{4}}));
  for (const CellId cell : idle)
    ledger.open(cell);
  EXPECT_FALSE(ledger.shape(shape).alive);
  EXPECT_EQ(ledger.serving(0, [](const Shape&) { return true; }), -1);
}

// A level beyond a room of the cycle is not served.
TEST(Ledger, RoomsDecideWhatFits) {
  auto builder = testing::two_way({{10, 10, 20}, {10, 10, 20}, {20, 20, 40}}, {0, 100}, 0, {0});
  const auto problem = testing::problem_of(std::move(builder), {{.cell = CellId{0}, .upper = 6}});
  const Board board(*problem, {});
  const Steps cycle{{CellId{0}, 1}, {CellId{1}, -1}, {CellId{3}, -1}, {CellId{4}, 1}};
  Need need{CellId{0}, Direction::kHigh, 10};
  EXPECT_TRUE(fits(board, cycle, need));
  need.level = 11;  // cell 1 can fall by 10
  EXPECT_FALSE(fits(board, cycle, need));
  EXPECT_EQ(move_of(cycle, CellId{3}), -1);
  EXPECT_EQ(move_of(cycle, CellId{8}), 0);
}

}  // namespace
}  // namespace lacuna::start
