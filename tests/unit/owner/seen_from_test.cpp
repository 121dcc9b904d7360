// SPDX-License-Identifier: Apache-2.0
#include "protect/owner/seen_from.h"

#include <gtest/gtest.h>

namespace lacuna::owner {
namespace {

// From t + d to t + z, where z = (1/2, -3, 0) and d = (0, -3, 2).
TEST(SeenFrom, LeadsToTheSameTable) {
  const Displacement witness{{CellId{0}, CellId{1}}, {1, -6}, 2};
  const Displacement seen = seen_from(TableMove{{1, -3}, {2, 2}}, witness);
  EXPECT_EQ(seen.cells, (std::vector<CellId>{CellId{0}, CellId{2}}));
  EXPECT_EQ(seen.moves, (std::vector<Integer>{1, -4}));
  EXPECT_EQ(seen.denominator, Integer(2));
}

TEST(SeenFrom, NothingMovedIsTheSame) {
  const Displacement witness{{CellId{3}}, {5}, 1};
  EXPECT_EQ(seen_from(TableMove{}, witness), witness);
}

}  // namespace
}  // namespace lacuna::owner
