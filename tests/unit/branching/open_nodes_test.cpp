// SPDX-License-Identifier: Apache-2.0
#include "core/branching/open_nodes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "core/base/random.h"

namespace lacuna::branching {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();

struct Plain : OpenNode {};

struct Large : OpenNode {
  bool much = true;
  bool keeps_much() const { return much; }
  void drop() { much = false; }
};

template <class Node = Plain>
Node node_of(double bound, std::int64_t number) {
  Node node;
  node.bound = bound;
  node.number = number;
  return node;
}

TEST(OpenNodes, LeastBoundThenTheOlder) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    base::Random random(seed);
    OpenNodes<Plain> open(NodeOrder::kLeastBound);
    std::vector<std::pair<double, std::int64_t>> expected;
    for (std::int64_t i = 0; i < 40; ++i) {  // in any order, with many equal bounds
      const auto bound = static_cast<double>(random.between(0, 5));
      expected.emplace_back(bound, i);
    }
    std::vector<std::pair<double, std::int64_t>> mixed = expected;
    for (std::size_t i = mixed.size() - 1; i > 0; --i)
      std::swap(mixed[i],
                mixed[static_cast<std::size_t>(random.between(0, static_cast<std::int64_t>(i)))]);
    for (const auto& [bound, number] : mixed)
      open.push(node_of(bound, number));
    std::sort(expected.begin(), expected.end());
    for (const auto& [bound, number] : expected) {
      EXPECT_EQ(open.least_bound(), bound);
      EXPECT_EQ(open.next().number, number);
      EXPECT_EQ(open.pop().number, number) << seed;
    }
    EXPECT_TRUE(open.empty());
    EXPECT_EQ(open.least_bound(), kInfinite);
  }
}

TEST(OpenNodes, TheNewestFirstWhateverItsBound) {
  OpenNodes<Plain> open(NodeOrder::kNewest);
  open.push(node_of(3, 0));
  open.push(node_of(1, 1));
  open.push(node_of(2, 2));
  EXPECT_EQ(open.least_bound(), 1);
  EXPECT_EQ(open.next().number, 2);
  EXPECT_EQ(open.pop().number, 2);
  open.push(node_of(9, 3));
  EXPECT_EQ(open.pop().number, 3);
  EXPECT_EQ(open.pop().number, 1);
  EXPECT_EQ(open.pop().number, 0);
}

TEST(OpenNodes, PruningLeavesWhatIsBelowTheCutoffInOrder) {
  for (const NodeOrder order : {NodeOrder::kLeastBound, NodeOrder::kNewest}) {
    OpenNodes<Plain> open(order);
    for (std::int64_t i = 0; i < 20; ++i)
      open.push(node_of(static_cast<double>((7 * i) % 10), i));
    EXPECT_EQ(open.prune(11), kInfinite);
    EXPECT_EQ(open.size(), 20U);
    EXPECT_EQ(open.prune(4.5), 5);
    EXPECT_EQ(open.prune(4), 4);  // at the cutoff is not below it
    EXPECT_EQ(open.size(), 8U);
    std::vector<std::int64_t> left;
    while (!open.empty())
      left.push_back(open.pop().number);
    const std::vector<std::int64_t> best_first{0, 10, 3, 13, 6, 16, 9, 19};
    const std::vector<std::int64_t> newest_first{19, 16, 13, 10, 9, 6, 3, 0};
    EXPECT_EQ(left, order == NodeOrder::kLeastBound ? best_first : newest_first);
  }
}

TEST(OpenNodes, SoManyKeepMuch) {
  OpenNodes<Large> open(NodeOrder::kLeastBound, 2);
  for (std::int64_t i = 0; i < 4; ++i)
    open.push(node_of<Large>(static_cast<double>(i), i));
  EXPECT_TRUE(open.pop().much);  // 0; then 1 keeps it, 2 and 3 came too late
  open.push(node_of<Large>(1.5, 4));
  open.push(node_of<Large>(1.7, 5));
  open.prune(3);
  open.push(node_of<Large>(1.8, 6));
  std::vector<bool> much;
  while (!open.empty())
    much.push_back(open.pop().much);
  EXPECT_EQ(much, (std::vector<bool>{true, true, false, false, false}));
  open.push(node_of<Large>(1, 7));
  open.push(node_of<Large>(2, 8));
  open.prune(0);  // those that leave make room
  open.push(node_of<Large>(3, 9));
  EXPECT_TRUE(open.pop().much);
}

}  // namespace
}  // namespace lacuna::branching
