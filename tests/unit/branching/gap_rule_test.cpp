// SPDX-License-Identifier: Apache-2.0
#include "core/branching/gap_rule.h"

#include <gtest/gtest.h>

#include <limits>

namespace lacuna::branching {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();

RunContext out_of_units() {
  RunContext run;
  run.work_end = 0;
  return run;
}

TEST(GapRule, WithoutASolutionAllBelowTheCeilingIsOfInterest) {
  GapRule rule;
  rule.gap = 1;
  EXPECT_EQ(rule.cutoff(kInfinite), kInfinite);
  rule.ceiling = 70;
  EXPECT_EQ(rule.cutoff(kInfinite), 70);
  EXPECT_FALSE(rule.met(kInfinite, kInfinite));
  EXPECT_FALSE(rule.reached(kInfinite, kInfinite));
  EXPECT_EQ(rule.settled(kInfinite, 12), 12);
  EXPECT_EQ(rule.why(kInfinite, 80, out_of_units()), StopReason::kWork);
}

TEST(GapRule, WholeCostsAreCheaperByOneOrNotAtAll) {
  GapRule rule;
  rule.step = 0.999;
  EXPECT_EQ(rule.cutoff(100), 100 - 0.999);
  EXPECT_FALSE(rule.met(100, 99));
  EXPECT_TRUE(rule.met(100, 99.5));
  EXPECT_EQ(rule.settled(100, 99.5), 100);
  EXPECT_EQ(rule.settled(100, 99), 99);
}

TEST(GapRule, RoundingIsRelative) {
  GapRule rule;
  rule.rounding = 1e-9;
  EXPECT_TRUE(rule.met(1e6, 1e6 - 1e-4));
  EXPECT_FALSE(rule.met(1e6, 1e6 - 1e-2));
}

// Nodes are worked on until the bound is there although the gap is asked for: the cutoff is not
// moved by it.
TEST(GapRule, TheGapAloneDoesNotPrune) {
  GapRule rule;
  rule.step = 0.999;
  rule.gap = 0.1;
  EXPECT_EQ(rule.cutoff(100), 100 - 0.999);
  EXPECT_TRUE(rule.reached(100, 90));
  EXPECT_FALSE(rule.reached(100, 89.9));
  rule.offset = 50;  // 15 of 150
  EXPECT_TRUE(rule.reached(100, 85));
  EXPECT_FALSE(rule.reached(100, 84.9));
}

TEST(GapRule, WhatIsPrunedCountsAsReached) {
  GapRule rule;
  rule.rounding = 1e-9;
  rule.pruned = 0.25;
  EXPECT_EQ(rule.cutoff(100), 75);
  EXPECT_TRUE(rule.reached(100, 75));
  EXPECT_FALSE(rule.reached(100, 74.9));
  EXPECT_FALSE(rule.met(100, 75));
  rule.pruned = 0;  // rounding prunes, too
  EXPECT_EQ(rule.cutoff(100), 100 - 100 * 1e-9);
}

TEST(GapRule, SaysWhyASearchEnded) {
  GapRule rule;
  rule.rounding = 1e-9;
  rule.gap = 0.1;
  EXPECT_EQ(rule.why(100, 100, out_of_units()), StopReason::kOptimal);
  EXPECT_EQ(rule.why(100, 91, out_of_units()), StopReason::kGapReached);
  EXPECT_EQ(rule.why(100, 80, out_of_units()), StopReason::kWork);
  RunContext late;
  late.deadline = {};
  EXPECT_EQ(rule.why(100, 80, late), StopReason::kLimit);
  EXPECT_EQ(rule.why(100, 91, late), StopReason::kGapReached);
}

}  // namespace
}  // namespace lacuna::branching
