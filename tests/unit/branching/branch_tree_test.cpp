// SPDX-License-Identifier: Apache-2.0
// The tree on a small problem, the cheapest choice of items whose sizes reach a demand, against
// all choices: bounds are never above the optimum, each order finds it, threads change nothing; and
// each way to end.
#include "core/branching/branch_tree.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "core/base/random.h"
#include "core/base/work.h"
#include "core/branching/gap_rule.h"

namespace lacuna::branching {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();

struct Items {
  std::vector<double> costs, sizes;
  double demand = 0;
};

Items random_items(std::uint64_t seed, std::int64_t count) {
  base::Random random(seed);
  Items items;
  for (std::int64_t i = 0; i < count; ++i) {
    items.costs.push_back(static_cast<double>(random.between(1, 12)));
    items.sizes.push_back(static_cast<double>(random.between(1, 12)));
  }
  const double all = std::accumulate(items.sizes.begin(), items.sizes.end(), 0.0);
  items.demand = std::floor(all * static_cast<double>(random.between(20, 105)) / 100);
  return items;
}

double least_cost(const Items& items) {
  double least = kInfinite;
  for (std::uint32_t chosen = 0; chosen < 1U << items.costs.size(); ++chosen) {
    double cost = 0;
    double size = 0;
    for (std::size_t i = 0; i < items.costs.size(); ++i) {
      cost += ((chosen >> i) & 1U) != 0 ? items.costs[i] : 0;
      size += ((chosen >> i) & 1U) != 0 ? items.sizes[i] : 0;
    }
    if (size >= items.demand)
      least = std::min(least, cost);
  }
  return least;
}

struct Choice : OpenNode {
  std::vector<int> decided;  // by item: -1 open
};

struct Look {
  bool finished = true;
  double bound = 0, cost = kInfinite;
  std::int32_t item = -1;  // that the relaxation takes in part
  double share = 0;
};

struct Setting {
  NodeOrder order = NodeOrder::kLeastBound;
  std::size_t batch = 1;
  bool goes_on = false;             // with the child that the relaxation is nearer to
  bool prunes = false;              // what is open; else only what is looked at
  std::int64_t unfinished_one = 0;  // of so many nodes is not finished at first; 0: none
  double gap = 0;
  std::int64_t ends_at = -1;  // node at which the method ends it
};

class Covering : private BranchMethod<Choice, Look> {
 public:
  Covering(const Items& items, const Setting& setting)
      : items_(items), setting_(setting), tree_({setting.order, setting.batch}) {
    rule_.step = 0.999;
    rule_.gap = setting.gap;
    for (std::int32_t i = 0; i < std::int32_t(items.costs.size()); ++i)
      order_.push_back(i);
    std::stable_sort(order_.begin(), order_.end(), [&](std::int32_t a, std::int32_t b) {
      return cost(a) * size(b) < cost(b) * size(a);
    });
  }

  TreeEnding solve(const RunContext& run, std::int64_t nodes = -1) {
    if (!tree_.begun()) {
      Choice root;
      root.decided.assign(order_.size(), -1);
      tree_.open(root);
    }
    return tree_.run(*this, nodes, run);
  }
  double cost() const { return cost_; }
  double bound() const { return rule_.settled(cost_, std::min(cost_, tree_.bound())); }
  const std::vector<double>& bounds() const { return bounds_; }
  const std::string& journal() const { return journal_; }
  const BranchTree<Choice, Look>& tree() const { return tree_; }

 private:
  double cost(std::int32_t i) const { return items_.costs[static_cast<std::size_t>(i)]; }
  double size(std::int32_t i) const { return items_.sizes[static_cast<std::size_t>(i)]; }

  // The relaxation takes the items that are cheapest for their size, the last in part.
  Look work_on(Choice& node, std::size_t, const RunContext&) override {
    base::count_work(base::kTouchesPerUnit);
    Look look;
    if (setting_.unfinished_one > 0 && node.number % setting_.unfinished_one == 0 &&
        !std::exchange(seen_[static_cast<std::size_t>(node.number)], true)) {
      look.finished = false;
      return look;
    }
    double missing = items_.demand;
    double total = 0;
    for (const std::int32_t i : order_) {
      if (node.decided[static_cast<std::size_t>(i)] != 1)
        continue;
      total += cost(i);
      missing -= size(i);
    }
    double whole = total;
    for (const std::int32_t i : order_) {
      if (node.decided[static_cast<std::size_t>(i)] != -1 || missing <= 0)
        continue;
      look.share = std::min(1.0, missing / size(i));
      if (look.share < 1)
        look.item = i;
      total += look.share * cost(i);
      whole += cost(i);
      missing -= size(i);
    }
    look.bound = missing > 0 ? kInfinite : total;
    look.cost = missing > 0 ? kInfinite : whole;
    return look;
  }

  NodeFate merge(Choice& node, Look look) override {
    if (node.number == setting_.ends_at)
      return NodeFate::kEnds;
    if (!look.finished)
      return NodeFate::kReturns;
    journal_ += std::to_string(node.number) + " ";
    cost_ = std::min(cost_, look.cost);
    if (look.bound >= rule_.cutoff(cost_) || look.item < 0)
      return NodeFate::kDone;
    node.bound = std::max(node.bound, look.bound);
    const int nearer = look.share > 0.5 ? 1 : 0;
    for (const int value : {1 - nearer, nearer}) {
      Choice child = node;
      child.decided[static_cast<std::size_t>(look.item)] = value;
      if (value == nearer && setting_.goes_on)
        tree_.go_on_with(child);
      else
        tree_.open(child);
    }
    return NodeFate::kDone;
  }

  void after_batch(const RunContext&) override {
    if (setting_.prunes)
      tree_.prune(rule_.cutoff(cost_));
    bounds_.push_back(bound());
  }
  bool reached() const override { return rule_.reached(cost_, bound()); }

  const Items& items_;
  Setting setting_;
  GapRule rule_;
  BranchTree<Choice, Look> tree_;
  std::vector<std::int32_t> order_;
  std::vector<char> seen_ = std::vector<char>(10'000, 0);
  double cost_ = kInfinite;
  std::vector<double> bounds_;
  std::string journal_;
};

TEST(BranchTree, FindsTheOptimumAndIsNeverAboveIt) {
  int infeasible = 0;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    const Items items = random_items(seed, 4 + static_cast<std::int64_t>(seed % 7));
    const double least = least_cost(items);
    infeasible += least == kInfinite ? 1 : 0;
    for (const Setting& setting : {Setting{},
                                   Setting{NodeOrder::kNewest},
                                   Setting{NodeOrder::kNewest, 1, false, true},
                                   Setting{NodeOrder::kLeastBound, 4, false, true},
                                   Setting{NodeOrder::kLeastBound, 1, true, true},
                                   Setting{NodeOrder::kLeastBound, 3, true, false, 2},
                                   Setting{NodeOrder::kNewest, 1, false, false, 3}}) {
      Covering covering(items, setting);
      const TreeEnding ending = covering.solve({});
      EXPECT_TRUE(ending == TreeEnding::kNothingOpen || ending == TreeEnding::kGap) << seed;
      EXPECT_EQ(covering.cost(), least) << seed;
      EXPECT_EQ(covering.bound(), least) << seed;
      double before = -kInfinite;
      for (const double bound : covering.bounds()) {
        EXPECT_LE(bound, least) << seed;
        EXPECT_GE(bound, before) << seed;
        before = bound;
      }
    }
  }
  EXPECT_GT(infeasible, 0);
}

TEST(BranchTree, ThreadsChangeNothing) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    const Items items = random_items(seed, 12);
    RunContext one;
    RunContext three;
    three.threads = 3;
    for (const std::int64_t unfinished : {0, 3}) {
      const Setting setting{NodeOrder::kLeastBound, 4, false, true, unfinished};
      Covering alone(items, setting);
      Covering shared(items, setting);
      const std::int64_t begin = base::touches_so_far();
      alone.solve(one);
      const std::int64_t between = base::touches_so_far();
      shared.solve(three);
      EXPECT_EQ(between - begin, base::touches_so_far() - between) << seed;
      EXPECT_EQ(alone.journal(), shared.journal()) << seed;
      EXPECT_EQ(alone.bounds(), shared.bounds()) << seed;
      EXPECT_EQ(alone.tree().taken(), shared.tree().taken()) << seed;
    }
  }
}

Items hard() {  // many nodes: items that cost nearly what they are large
  return {{21, 22, 26, 29, 30, 34, 36, 38, 41, 44, 47, 51},
          {20, 22, 25, 28, 30, 33, 35, 38, 40, 43, 46, 50},
          251};
}

TEST(BranchTree, EndsAtTheGap) {
  const Items items = hard();
  Setting setting;
  setting.gap = 0.02;
  Covering covering(items, setting);
  EXPECT_EQ(covering.solve({}), TreeEnding::kGap);
  EXPECT_LE(covering.cost() - covering.bound(), 0.02 * covering.cost());
  EXPECT_FALSE(covering.tree().nothing_open());
}

TEST(BranchTree, EndsAfterSoManyNodesAndGoesOn) {
  Setting setting;
  setting.order = NodeOrder::kNewest;
  setting.unfinished_one = 2;
  const Items items = hard();
  Covering at_once(items, setting);
  const TreeEnding ending = at_once.solve({});
  ASSERT_GT(at_once.tree().done(), 10);
  Covering in_turns(items, setting);
  EXPECT_EQ(in_turns.solve({}, 0), TreeEnding::kNodes);
  EXPECT_EQ(in_turns.tree().taken(), 0);
  EXPECT_EQ(in_turns.bound(), 0);  // the root is open
  EXPECT_EQ(in_turns.solve({}, 5), TreeEnding::kNodes);
  EXPECT_EQ(in_turns.tree().done(), 5);
  EXPECT_GT(in_turns.tree().taken(), 5);  // with those that returned
  EXPECT_EQ(in_turns.solve({}), ending);
  EXPECT_EQ(in_turns.journal(), at_once.journal());
  EXPECT_EQ(in_turns.cost(), at_once.cost());
}

TEST(BranchTree, EndsWithTheRun) {
  const Items items = hard();
  Covering covering(items, Setting{NodeOrder::kNewest});
  RunContext run;
  std::stop_source source;
  run.stop = source.get_token();
  EXPECT_EQ(covering.solve(with_work(run, 3)), TreeEnding::kStopped);
  EXPECT_EQ(covering.tree().done(), 3);
  EXPECT_LE(covering.bound(), least_cost(items));
  source.request_stop();
  EXPECT_EQ(covering.solve(run), TreeEnding::kStopped);
  EXPECT_EQ(covering.tree().done(), 3);
}

// The nodes of the batch that were not merged are open again, with their bounds.
TEST(BranchTree, EndsWhereTheMethodSays) {
  const Items items = hard();
  for (const std::int64_t node : {0, 3, 4}) {
    Covering covering(items, Setting{NodeOrder::kLeastBound, 4, false, false, 0, 0, node});
    EXPECT_EQ(covering.solve({}), TreeEnding::kMethod);
    EXPECT_FALSE(covering.tree().nothing_open());
    EXPECT_LT(covering.tree().done(), covering.tree().taken());
    EXPECT_LE(covering.bound(), least_cost(items));
    EXPECT_EQ(covering.journal().find(std::to_string(node) + " "), std::string::npos);
  }
}

TEST(BranchTree, ClosedBoundsStay) {
  BranchTree<Choice, Look> tree({});
  EXPECT_EQ(tree.bound(), kInfinite);
  EXPECT_FALSE(tree.begun());
  for (const double bound : {3.0, 5.0, 7.0}) {
    Choice node;
    node.bound = bound;
    tree.open(node);
  }
  EXPECT_EQ(tree.bound(), 3);
  EXPECT_EQ(tree.open_nodes(), 3U);
  tree.prune(5);
  EXPECT_EQ(tree.closed_bound(), 5);
  EXPECT_EQ(tree.bound(), 3);
  tree.close(2);
  EXPECT_EQ(tree.bound(), 2);
  EXPECT_EQ(tree.open_nodes(), 1U);
}

}  // namespace
}  // namespace lacuna::branching
