// SPDX-License-Identifier: Apache-2.0
// Flows in networks against the exact oracle: how far a cell moves, a witness that gets there, a
// proof that it gets no farther, and a stop where it was asked for.
#include "judge/attack/flow.h"

#include <gtest/gtest.h>

#include "app/generate/generate.h"
#include "core/base/exact.h"
#include "core/base/random.h"
#include "unit/attack/extents.h"

namespace lacuna::attack {
namespace {

using testing::RandomView;

std::vector<bool> free_cells(const AttackView& view) {
  std::vector<bool> free(static_cast<std::size_t>(view.table().num_cells()), false);
  for (const AttackView::FreeCell& cell : view.free_cells())
    free[static_cast<std::size_t>(cell.cell.value)] = true;
  return free;
}

struct Tally {
  int ends = 0, rays = 0, stops = 0;
};

void check(
    RandomView& given, FlowSearch& search, std::int32_t free, Direction direction, Tally& tally) {
  const Table& table = given.problem->table();
  const CellId cell = given.view.free_cell(free).cell;
  const auto extent = given.extent(cell, direction);
  const Reach reach = search.push(free, direction, kUnboundedAbove);
  EXPECT_EQ(reach.unbounded, !extent.has_value());
  if (!extent) {
    ++tally.rays;
    ASSERT_TRUE(reach.witness);
    EXPECT_TRUE(check_ray(table, given.view.slacks(), *reach.witness));
    return;
  }
  ++tally.ends;
  ASSERT_TRUE(reach.proof);
  EXPECT_EQ(proven_bound(table, given.slacks(), cell, direction, *reach.proof), *extent);
  ASSERT_EQ(reach.witness.has_value(), *extent > 0);
  if (!reach.witness)
    return;
  EXPECT_TRUE(check_displacement(table, given.view.slacks(), *reach.witness));
  EXPECT_EQ(displacement_of(*reach.witness, cell, direction), *extent);
  const Fraction half = *extent / 2;
  const Units stop = std::max(1L, mpz_class(half.numerator() / half.denominator()).get_si());
  const Reach stopped = search.push(free, direction, stop);
  ASSERT_TRUE(stopped.witness);
  ++tally.stops;
  EXPECT_GE(displacement_of(*stopped.witness, cell, direction), static_cast<long>(stop));
  EXPECT_TRUE(check_displacement(table, given.view.slacks(), *stopped.witness));
}

TEST(FlowSearch, EndsAreThoseOfTheOracle) {
  Tally tally;
  for (std::uint64_t seed = 1; seed <= 120; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const auto problem = std::make_shared<const Problem>(generation::generate_small(seed).value());
    base::Random random(seed);
    RandomView given(problem, testing::random_pattern(*problem, random, 1 + seed % 2));
    const auto network = table::network_form(problem->table(), free_cells(given.view));
    if (!network)
      continue;
    FlowSearch search(given.view, *network);
    const auto count = static_cast<std::int32_t>(given.view.free_cells().size());
    for (std::int32_t free = 0; free < std::min(count, 8); ++free) {
      for (const Direction direction : {Direction::kHigh, Direction::kLow})
        check(given, search, free, direction, tally);
    }
  }
  EXPECT_GT(tally.ends, 100);
  EXPECT_GT(tally.stops, 80);
}

}  // namespace
}  // namespace lacuna::attack
