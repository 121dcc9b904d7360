// SPDX-License-Identifier: Apache-2.0
#include "data/sensitivity/rules.h"

#include <gtest/gtest.h>

#include <numeric>

#include "core/base/random.h"
#include "naive_tabulation.h"

namespace lacuna::sensitivity {
namespace {

using testing::cell_of;

struct TableLine {
  const char* cell;
  std::vector<Units> contributions;
  bool frequency, one_dominates, two_dominate, prior_posterior;
};

// Thesis Figure 2.4 and Table 2.1: all nine cells, all four rules.
TEST(Rules, AreThoseOfTable21) {
  const std::vector<Units> a1{120, 80, 40, 10}, a2{55, 45}, b1{280, 15, 5}, b2{99, 99, 2};
  const auto both = [](std::vector<Units> a, const std::vector<Units>& b) {
    a.insert(a.end(), b.begin(), b.end());
    return a;
  };
  const std::vector<TableLine> lines{
      {"A1", a1, false, false, false, false},
      {"A2", a2, true, false, true, true},
      {"B1", b1, false, true, true, true},
      {"B2", b2, false, false, true, true},
      {"A Total", both(a1, a2), false, false, false, false},
      {"B Total", both(b1, b2), false, false, false, false},
      {"1 Total", both(a1, b1), false, false, false, false},
      {"2 Total", both(a2, b2), false, false, false, false},
      {"Table Total", both(both(a1, a2), both(b1, b2)), false, false, false, false},
  };
  for (const TableLine& line : lines) {
    const CellFacts facts = cell_of(line.contributions);
    EXPECT_EQ(frequency_unsafe(facts, {.minimum = 3}), line.frequency) << line.cell;
    EXPECT_EQ(dominance_unsafe(facts, {1, 90}), line.one_dominates) << line.cell;
    EXPECT_EQ(dominance_unsafe(facts, {2, 90}), line.two_dominate) << line.cell;
    EXPECT_EQ(prior_posterior_unsafe(facts, {20, 50, 1}), line.prior_posterior) << line.cell;
  }
}

// Thesis Example 2.4: dominance calls the first cell sensitive and the second safe, although a
// contributor of the second estimates another more closely.
TEST(Rules, DominanceIsInconsistentAsInExample24) {
  const CellFacts first = cell_of({46, 45, 9});
  const CellFacts second = cell_of({80, 9, 4, 4, 3});
  EXPECT_TRUE(dominance_unsafe(first, {2, 90}));
  EXPECT_FALSE(dominance_unsafe(second, {2, 90}));
  const auto in_first = best_estimate(first, 1);
  const auto in_second = best_estimate(second, 1);
  ASSERT_TRUE(in_first && in_second);
  EXPECT_EQ(in_first->rest, 9);  // 55 - 46
  EXPECT_EQ(in_first->target, 46);
  EXPECT_EQ(in_second->rest, 11);  // 91 - 80
  EXPECT_EQ(in_second->target, 80);
  for (const CellFacts& cell :
       {first, second, cell_of({46, 45, 8, 1}), cell_of({80, 9, 4, 4, 3})}) {
    EXPECT_TRUE(prior_posterior_unsafe(cell, {20, 50, 1}));
  }
  EXPECT_TRUE(dominance_unsafe(cell_of({46, 45, 8, 1}), {3, 90}));
}

TEST(Rules, LimitsAreExact) {
  EXPECT_FALSE(dominance_unsafe(cell_of({9, 1}), {1, 90}));
  EXPECT_TRUE(dominance_unsafe(cell_of({9, 1}), {1, mpq_class(899999, 10000)}));
  EXPECT_FALSE(prior_posterior_unsafe(cell_of({100, 50, 10}), {10, 100, 1}));
  EXPECT_TRUE(prior_posterior_unsafe(cell_of({100, 50, 9}), {10, 100, 1}));
  const Units large = kMaxUnits / 4;
  EXPECT_TRUE(prior_posterior_unsafe(cell_of({large, large, large / 10}), {10, 100, 1}));
  EXPECT_FALSE(prior_posterior_unsafe(cell_of({large, large, large / 10 + 1}), {10, 100, 1}));
}

TEST(Rules, NegativeContributionsCountByTheirSize) {
  EXPECT_TRUE(dominance_unsafe(cell_of({-95, 5}), {1, 90}));
  EXPECT_FALSE(dominance_unsafe(cell_of({50, -50}), {1, 90}));
  EXPECT_TRUE(prior_posterior_unsafe(cell_of({-100, 50, 9}), {10, 100, 1}));
}

TEST(Rules, RequestAndZero) {
  CellFacts facts = cell_of({60, 30, 10});
  EXPECT_FALSE(request_unsafe(facts, {50, 0}));
  facts.largest[1].requested = true;
  EXPECT_FALSE(request_unsafe(facts, {30, 0}));
  EXPECT_TRUE(request_unsafe(facts, {29, 0}));
  EXPECT_TRUE(request_unsafe(facts, {50, 4}));
  EXPECT_TRUE(zero_unsafe(cell_of({0, 0})));
  EXPECT_TRUE(zero_unsafe(cell_of({5, -5})));
  EXPECT_FALSE(zero_unsafe(cell_of({1})));
  EXPECT_FALSE(zero_unsafe(cell_of({})));
}

TEST(Rules, WhoWaivedIsNotProtectedButMayAttack) {
  CellFacts facts = cell_of({90, 8, 2});
  EXPECT_TRUE(prior_posterior_unsafe(facts, {10, 100, 1}));
  facts.largest[0].waived = true;
  // The largest who did not waive is 8, attacked by the largest: 2 is more than 10% of 8.
  EXPECT_FALSE(prior_posterior_unsafe(facts, {10, 100, 1}));
  EXPECT_TRUE(prior_posterior_unsafe(facts, {30, 100, 1}));
  EXPECT_FALSE(dominance_unsafe(facts, {1, 80}));
  EXPECT_TRUE(dominance_unsafe(facts, {2, 80}));
  EXPECT_TRUE(frequency_unsafe(facts, {.minimum = 4}));
  facts.largest[1].waived = facts.largest[2].waived = true;
  EXPECT_FALSE(frequency_unsafe(facts, {.minimum = 4}));
  EXPECT_FALSE(prior_posterior_unsafe(facts, {30, 100, 1}));
  // Someone who is not listed may need protection.
  facts.contributors = 5;
  facts.absolute = facts.value = 101;
  EXPECT_TRUE(frequency_unsafe(facts, {.minimum = 6}));
  EXPECT_TRUE(prior_posterior_unsafe(facts, {1100, 100, 1}));
}

// The definitions, over all contributions and every attacker, in whole percents.
struct Naive {
  std::vector<Units> c;  // falling
  Units sum(std::size_t from) const {
    return from >= c.size() ? 0 : std::accumulate(c.begin() + static_cast<long>(from), c.end(), 0L);
  }
  Units total() const { return sum(0); }
  bool dominance(std::size_t n, Units k) const { return 100 * (total() - sum(n)) > k * total(); }
  // Some target, some coalition of at most r others: the rest is too small to hide the target.
  bool prior_posterior(Units p, Units q, int r) const {
    for (std::size_t t = 0; t < c.size(); ++t) {
      for (std::uint32_t set = 0; set < (1U << c.size()); ++set) {
        if (__builtin_popcount(set) > r || (set >> t & 1U) != 0)
          continue;
        Units rest = total() - c[t];
        for (std::size_t i = 0; i < c.size(); ++i)
          rest -= (set >> i & 1U) != 0 ? c[i] : 0;
        if (q * rest < p * c[t])
          return true;
      }
    }
    return false;
  }
};

TEST(Rules, AreTheDefinitionsOnRandomContributions) {
  base::Random random(7);
  int unsafe = 0;
  for (int round = 0; round < 3000; ++round) {
    Naive naive;
    for (std::int64_t i = random.between(1, 7); i > 0; --i)
      naive.c.push_back(random.chance(1, 3) ? random.between(0, 1000) : random.between(0, 20));
    std::sort(naive.c.rbegin(), naive.c.rend());
    const auto r = static_cast<std::int32_t>(random.between(1, 3));
    const auto n = static_cast<std::int32_t>(random.between(1, 4));
    const CellFacts facts = cell_of(naive.c, std::max(n, r + 1));
    const Units p = random.between(1, 60), q = random.between(61, 100), k = random.between(1, 99);
    ASSERT_EQ(dominance_unsafe(facts, {n, k}), naive.dominance(static_cast<std::size_t>(n), k));
    const bool expected = naive.prior_posterior(p, q, r);
    ASSERT_EQ(prior_posterior_unsafe(facts, {p, q, r}), expected) << "round " << round;
    unsafe += expected ? 1 : 0;
    const bool levels = prior_posterior_level(*best_estimate(facts, r), {p, q, r}, {}) > 0;
    ASSERT_EQ(levels, expected);
    ASSERT_EQ(dominance_level(facts, {n, k}) > 0, dominance_unsafe(facts, {n, k}));
  }
  EXPECT_GT(unsafe, 300);
  EXPECT_LT(unsafe, 2900);
}

}  // namespace
}  // namespace lacuna::sensitivity
