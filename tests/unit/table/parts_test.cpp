// SPDX-License-Identifier: Apache-2.0
#include "core/table/parts.h"

#include <gtest/gtest.h>

#include "unit/table/structure.h"

namespace lacuna::table {
namespace {

using namespace testing;  // NOLINT: the helpers of this folder

TEST(DeterminedCells, EachRelatesOnlyToFixedAndEarlierCells) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    const Table table = generated_small(seed);
    base::Random random(seed);
    std::vector<bool> open = random_free(table, random, 40);
    for (const FixedBy& fixed : determined_cells(table, open)) {
      int others = 0;
      std::int32_t own = 0;
      for (const Term& term : table.equation(fixed.equation)) {
        if (term.cell == fixed.cell)
          own = term.coefficient;
        else
          others += open[static_cast<std::size_t>(term.cell.value)] ? 1 : 0;
      }
      EXPECT_EQ(others, 0);
      EXPECT_EQ(own, fixed.coefficient);
      EXPECT_TRUE(open[static_cast<std::size_t>(fixed.cell.value)]) << "found twice";
      open[static_cast<std::size_t>(fixed.cell.value)] = false;
    }
    // Nothing is left that one equation alone would fix.
    for (const EquationId e : every_equation(table)) {
      int count = 0;
      for (const Term& term : table.equation(e))
        count += open[static_cast<std::size_t>(term.cell.value)] ? 1 : 0;
      EXPECT_NE(count, 1);
    }
  }
}

// Parts by spreading from cell to cell, slowly.
std::vector<std::int32_t> spread(const Table& table, const std::vector<bool>& free) {
  std::vector<std::int32_t> part(free.size(), -1);
  std::int32_t next = 0;
  for (std::size_t c = 0; c < free.size(); ++c) {
    if (!free[c] || part[c] >= 0)
      continue;
    std::vector<std::int32_t> queue{static_cast<std::int32_t>(c)};
    part[c] = next;
    for (std::size_t head = 0; head < queue.size(); ++head) {
      for (const Incidence& incidence : table.equations_of(CellId{queue[head]})) {
        for (const Term& term : table.equation(incidence.equation)) {
          const auto other = static_cast<std::size_t>(term.cell.value);
          if (!free[other] || part[other] >= 0)
            continue;
          part[other] = next;
          queue.push_back(term.cell.value);
        }
      }
    }
    ++next;
  }
  return part;
}

TEST(ConnectedParts, AreThoseOfASlowSearch) {
  int several = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    const Table table = generated_small(seed);
    base::Random random(seed);
    const auto free = random_free(table, random, 30);
    const Parts parts = connected_parts(table, free);
    EXPECT_EQ(parts.part_of, spread(table, free));
    several += parts.count > 1 ? 1 : 0;
  }
  EXPECT_GT(several, 20);
}

TEST(ConnectedParts, OfNothing) {
  const Table table = generated_small(1);
  EXPECT_EQ(
      connected_parts(table, std::vector<bool>(static_cast<std::size_t>(table.num_cells()), false))
          .count,
      0);
}

TEST(MovableCells, AreNotPublishedNotKnownAndNotDetermined) {
  TableBuilder builder(0);
  const Bounds any{0, 100};
  for (const Cell& cell : {Cell{.value = 1, .prior = any},
                           Cell{.value = 2, .prior = any, .status = CellStatus::kPrimary},
                           Cell{.value = 3, .prior = any, .status = CellStatus::kSecondary},
                           Cell{.value = 4, .prior = {4, 4}},
                           Cell{.value = 5, .prior = any, .status = CellStatus::kMustPublish},
                           Cell{.value = 6, .status = CellStatus::kKnown},
                           Cell{.value = 7, .prior = any}})
    ASSERT_TRUE(builder.add_cell(cell));
  const auto sum_of = [](std::initializer_list<std::int32_t> cells) {
    std::vector<Term> terms;
    for (const std::int32_t cell : cells)
      terms.push_back({CellId{cell}, 1});
    return terms;
  };
  ASSERT_TRUE(builder.add_equation(sum_of({0, 1, 2, 4}), 11));
  ASSERT_TRUE(builder.add_equation(sum_of({6, 3, 4, 5}), 22));  // tells the last cell
  const auto table = std::move(builder).build();
  ASSERT_TRUE(table);
  EXPECT_EQ(movable_cells(*table),
            (std::vector<bool>{true, true, true, false, false, false, false}));
}

}  // namespace
}  // namespace lacuna::table
