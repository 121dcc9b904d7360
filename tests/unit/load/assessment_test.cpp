// SPDX-License-Identifier: Apache-2.0
// What a run is asked, as options.
#include "app/load/assessment.h"

#include <gtest/gtest.h>

namespace lacuna::load {
namespace {

std::string refused(std::string_view name, const std::string& text) {
  Assessment asked;
  const Status status = set_option(asked, name, text);
  return status ? "accepted" : status.error().text();
}

TEST(Assessment, AWrongChoiceIsAnsweredWithAllChoices) {
  EXPECT_EQ(refused("zeros", "shown"),
            "--zeros: must be published, sensitive or structural, not 'shown'");
  EXPECT_EQ(refused("withheld-means", "rules"),
            "--withheld-means: must be any, nonzero or rule, not 'rules'; did you mean 'rule'?");
  EXPECT_EQ(refused("levels", "some"), "--levels: must be file, minimal or none, not 'some'");
  EXPECT_EQ(refused("zero-levels", "none"), "--zero-levels: must be raised or stated, not 'none'");
  EXPECT_EQ(refused("kinds", "exact,smal"),
            "--kinds: there is no kind 'smal'; did you mean 'small'?; they are exact, small, zero, "
            "all, group, implied, levels");
  EXPECT_EQ(refused("threshold", "few"), "--threshold: must be a whole number, not 'few'");
  EXPECT_EQ(refused("coalition", "1.5"), "--coalition: must be a whole number, not '1.5'");
}

TEST(Assessment, WhatIsSaidOfCountsGoesBeforeTheJob) {
  CountOptions job;
  job.threshold = 5;
  job.zeros = Zeros::kSensitive;
  Assessment asked;
  EXPECT_FALSE(asked.counts.any());
  EXPECT_EQ(with_assessment(job, asked.counts).threshold, 5);
  ASSERT_TRUE(set_option(asked, "threshold", "7"));
  ASSERT_TRUE(set_option(asked, "kinds", "exact, zero,exact"));
  EXPECT_TRUE(asked.counts.any());
  const CountOptions told = with_assessment(job, asked.counts);
  EXPECT_EQ(told.threshold, 7);
  EXPECT_EQ(told.zeros, Zeros::kSensitive);
  EXPECT_EQ(told.kinds, (std::vector{CountKind::kExact, CountKind::kZero}));
  EXPECT_EQ(field_text(told.kinds), "exact,zero");
  ASSERT_TRUE(set_option(asked, "zeros", "published"));
  EXPECT_EQ(with_assessment(job, asked.counts).zeros, Zeros::kPublished)
      << "also where it is the default";
}

}  // namespace
}  // namespace lacuna::load
