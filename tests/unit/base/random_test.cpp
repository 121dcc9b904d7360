// SPDX-License-Identifier: Apache-2.0
// The sequence is part of every generated table: it never changes. The numbers come from a second
// implementation of xoshiro256** and splitmix64 (Blackman and Vigna), in Python.
#include "core/base/random.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

namespace lacuna::base {
namespace {

TEST(Random, SequenceIsPinned) {
  Random zero(0);
  for (const std::uint64_t expected : {11091344671253066420ULL,
                                       13793997310169335082ULL,
                                       1900383378846508768ULL,
                                       7684712102626143532ULL})
    EXPECT_EQ(zero.next(), expected);
  Random one(1);
  for (const std::uint64_t expected : {12966619160104079557ULL,
                                       9600361134598540522ULL,
                                       10590380919521690900ULL,
                                       7218738570589545383ULL})
    EXPECT_EQ(one.next(), expected);
  EXPECT_EQ(Random(UINT64_MAX).next(), 10328197420357168392ULL);
}

TEST(Random, BetweenKeepsItsEnds) {
  Random random(5);
  std::map<std::int64_t, int> seen;
  for (int i = 0; i < 6000; ++i)
    ++seen[random.between(-2, 3)];
  ASSERT_EQ(seen.size(), 6U);
  EXPECT_EQ(seen.begin()->first, -2);
  EXPECT_EQ(seen.rbegin()->first, 3);
  for (const auto& [value, count] : seen)
    EXPECT_NEAR(count, 1000, 150) << value;
  EXPECT_EQ(random.between(7, 7), 7);
}

TEST(Random, BetweenTakesTheWholeRange) {
  Random random(5);
  Random same(5);
  EXPECT_EQ(random.between(INT64_MIN, INT64_MAX), static_cast<std::int64_t>(same.next()));
  for (int i = 0; i < 100; ++i) {
    EXPECT_GE(random.between(INT64_MIN, -1), INT64_MIN);
    EXPECT_LT(random.between(INT64_MIN, -1), 0);
    EXPECT_GE(random.between(INT64_MAX - 1, INT64_MAX), INT64_MAX - 1);
  }
}

TEST(Random, ChanceOfNothingAndOfEverything) {
  Random random(2);
  for (int i = 0; i < 100; ++i) {
    EXPECT_FALSE(random.chance(0, 10));
    EXPECT_TRUE(random.chance(10, 10));
  }
}

TEST(Random, EveryItemHasAStreamOfItsOwn) {
  std::set<std::uint64_t> seen;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    for (std::uint64_t item = 0; item < 20; ++item) {
      Random random = Random::of_item(seed, item);
      for (int draw = 0; draw < 5; ++draw)
        seen.insert(random.next());
    }
  }
  EXPECT_EQ(seen.size(), 2000U);
  EXPECT_EQ(Random::of_item(3, 4).next(), Random::of_item(3, 4).next());
}

}  // namespace
}  // namespace lacuna::base
