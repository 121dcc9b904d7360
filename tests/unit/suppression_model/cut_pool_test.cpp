// SPDX-License-Identifier: Apache-2.0
// The pool of cuts: none twice, the most violated first, slack rows leave and stay known, and what
// the pool forgets is never a row.
#include "protect/suppression_model/cut_pool.h"

#include <gtest/gtest.h>

#include "protect/suppression_model/tuning.h"

namespace lacuna::suppression_model {
namespace {

Cut cut_of(std::vector<std::int32_t> columns, std::vector<double> values, double rhs) {
  return {CutFamily::kCapacity, std::move(columns), std::move(values), rhs};
}

// x_0 >= rhs, a cut of its own for each i.
Cut numbered(std::int32_t i) {
  return cut_of({0}, {1}, 1 + static_cast<double>(i));
}

TEST(CutPool, NoCutTwice) {
  CutPool pool;
  EXPECT_NE(pool.add(cut_of({0, 2}, {1, 1}, 1)), nullptr);
  EXPECT_EQ(pool.add(cut_of({0, 2}, {1, 1}, 1)), nullptr);
  EXPECT_NE(pool.add(cut_of({0, 2}, {1, 1}, 2)), nullptr);
  EXPECT_NE(pool.add(cut_of({0, 3}, {1, 1}, 1)), nullptr);
  EXPECT_NE(pool.add(cut_of({0, 2}, {1, 0.5}, 1)), nullptr);
  EXPECT_EQ(pool.total(), 4);
}

TEST(CutPool, ViolatedOnesTheMostFirst) {
  CutPool pool;
  const SharedCut little = pool.add(cut_of({0, 1}, {1, 1}, 1));  // violated by 0.5
  const SharedCut much = pool.add(cut_of({2}, {1}, 1));          // by 1
  pool.add(cut_of({0, 3}, {1, 1}, 1));                           // holds
  const SharedCut row = pool.add(cut_of({1, 2}, {1, 1}, 1));     // by 0.75, but a row
  pool.make_row(row);
  const std::vector<double> x{0.25, 0.25, 0, 1};
  EXPECT_EQ(pool.violated(x, 10), (std::vector<SharedCut>{much, little}));
  EXPECT_EQ(pool.violated(x, 1), std::vector<SharedCut>{much});
  EXPECT_TRUE(pool.violated(std::vector<double>{1, 1, 1, 1}, 10).empty());
}

TEST(CutPool, SlackRowsLeaveAndTightOnesStay) {
  CutPool pool;
  const SharedCut slack = pool.add(numbered(0));
  const SharedCut tight = pool.add(numbered(1));
  Cut most{CutFamily::kLimit, {0}, {-1}, -1};
  const SharedCut limit = pool.add(std::move(most));
  for (const SharedCut& cut : {slack, tight, limit, slack})
    pool.make_row(cut);
  ASSERT_EQ(pool.rows().size(), 3U);
  for (std::int32_t solve = 0; solve < suppression_model::kTuning.cut_pool.patience; ++solve)
    pool.age({tight.get()});
  EXPECT_EQ(pool.rows().size(), 3U);
  pool.age({tight.get()});
  EXPECT_EQ(pool.rows(), (std::vector<SharedCut>{tight, limit}));
  // It is still known, and found where it is violated.
  EXPECT_EQ(pool.add(numbered(0)), nullptr);
  EXPECT_EQ(pool.violated(std::vector<double>{0}, 10), std::vector<SharedCut>{slack});
}

TEST(CutPool, ForgetsTheOldestButNoRows) {
  CutPool pool;
  const auto size = static_cast<std::int32_t>(suppression_model::kTuning.cut_pool.size);
  const SharedCut first = pool.add(numbered(0));
  pool.make_row(first);
  for (std::int32_t i = 1; i <= size + 1; ++i)  // the row does not count
    ASSERT_NE(pool.add(numbered(i)), nullptr);
  EXPECT_EQ(pool.add(numbered(0)), nullptr) << "a row was forgotten";
  EXPECT_NE(pool.add(numbered(1)), nullptr) << "the oldest was not";
  EXPECT_EQ(pool.add(numbered(size + 1)), nullptr);
  EXPECT_EQ(pool.violated(std::vector<double>{0}, 2 * pool.rows().size()).size(), 2U);
}

}  // namespace
}  // namespace lacuna::suppression_model
