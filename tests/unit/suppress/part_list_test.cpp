// SPDX-License-Identifier: Apache-2.0
#include "protect/suppress/part_list.h"

#include <gtest/gtest.h>

namespace lacuna::suppression {
namespace {

// Two sums without a common cell: 5 = 2 + 3, of which 2 is sensitive, and 9 = 4 + 5, where 4 is.
Problem two_sums() {
  TableBuilder builder(0, {});
  for (const Units value : {5, 2, 3, 9, 4, 5}) {
    Cell cell;
    cell.value = value;
    cell.weight = static_cast<double>(value);
    cell.status = value == 2 || value == 4 ? CellStatus::kPrimary : CellStatus::kFree;
    EXPECT_TRUE(builder.add_cell(cell, {}));
  }
  for (const std::int32_t total : {0, 3}) {
    const std::vector<Term> terms{
        {CellId{total}, -1}, {CellId{total + 1}, 1}, {CellId{total + 2}, 1}};
    EXPECT_TRUE(builder.add_equation(terms));
  }
  return *make_problem(*std::move(builder).build(),
                       {outsider()},
                       {{.cell = CellId{1}, .upper = 1}, {.cell = CellId{4}, .upper = 1}});
}

TEST(PartList, ALimitTiesPartsTogether) {
  const Problem problem = two_sums();
  const PartList apart(problem, {}, false);
  EXPECT_EQ(apart.count(), 2U);
  EXPECT_TRUE(apart.are_small());
  const PartList together(problem, {}, true);
  ASSERT_EQ(together.count(), 1U);
  EXPECT_EQ(together.cells(0).size(), apart.cells(0).size() + apart.cells(1).size());
}

TEST(PartList, CountsWhatIsWithheldInAnyCase) {
  const PartList parts(two_sums(), {}, false);
  EXPECT_EQ(parts.always(), (std::vector<bool>{false, true, false, false, true, false}));
  EXPECT_EQ(parts.settled_cells(), 0);  // both are of a part
  EXPECT_EQ(parts.settled_weight(), 0);
}

TEST(PartList, CellsThatStandForSeveralCountAsMany) {
  const PartList parts(two_sums(), {10, 3, {1, 2, 1, 1, 5, 1}}, false);
  EXPECT_EQ(parts.settled_weight(), 10);
  EXPECT_EQ(parts.settled_cells(), 3);
  EXPECT_EQ(parts.size_of({CellId{1}, CellId{4}}), 7);
  const PartList plain(two_sums(), {}, false);
  EXPECT_EQ(plain.size_of({CellId{1}, CellId{4}}), 2);
}

}  // namespace
}  // namespace lacuna::suppression
