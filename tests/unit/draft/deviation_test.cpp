// SPDX-License-Identifier: Apache-2.0
#include "core/draft/deviation.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/tables.h"

namespace lacuna::draft {
namespace {

TEST(Deviation, OfARoundedTable) {
  const auto problem =
      testing::problem_of(testing::two_way({{4, 5, 9}, {1, 0, 1}, {5, 5, 10}}), {});
  Draft draft;
  draft.publish_rounded(CellId{0}, 3, 3);
  draft.publish_rounded(CellId{1}, 6, 3);
  draft.withhold(CellId{8});
  const Deviation found = deviation(problem->table(), draft);
  EXPECT_EQ(found.numbers, 8);
  EXPECT_EQ(found.changed, 2);
  EXPECT_EQ(found.largest, 1);
  EXPECT_DOUBLE_EQ(found.mean, 2.0 / 8);
  const double first = std::sqrt(4.0 / 30) - std::sqrt(3.0 / 30);
  const double second = std::sqrt(5.0 / 30) - std::sqrt(6.0 / 30);
  EXPECT_NEAR(found.hellinger, std::sqrt((first * first + second * second) / 2), 1e-12);
  EXPECT_EQ(deviation(problem->table(), Draft{}).hellinger, 0);
}

}  // namespace
}  // namespace lacuna::draft
