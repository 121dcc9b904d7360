// SPDX-License-Identifier: Apache-2.0
// Sentences that front ends once printed, and what the plain judge has to say of them.
#include "bench/sets/safety_words.h"

#include <gtest/gtest.h>

namespace lacuna::bench {
namespace {

std::size_t count(const std::string& text, const PlainFacts& facts) {
  return contradictions({"someone", text}, facts).size();
}

TEST(SafetyWords, NothingAskedIsNotSafe) {
  const PlainFacts nothing;
  for (const char* claim : {"protected: 0 of 0 requirements hold",
                            "<p class=\"figure\">\u2713 Safe, and checked</p>",
                            "\u2713 Confidentiality checked",
                            "{\"verdict\":\"protected\",\"requirements\":0"})
    EXPECT_GT(count(claim, nothing), 0U) << claim;
  EXPECT_EQ(count("unasked: nothing was asked of this release", nothing), 0U);
}

TEST(SafetyWords, WhatIsExposedIsNotSafe) {
  PlainFacts exposed;
  exposed.asked = exposed.exposed = true;
  EXPECT_GT(count("In all 4 cases enough remains open.", exposed), 0U);
  EXPECT_EQ(count("exposed: 3 of 4 requirements hold", exposed), 0U);
  EXPECT_EQ(count("Not every requirement of confidentiality is met.", exposed), 0U);
  exposed.exposed = false;
  EXPECT_EQ(count("In all 4 cases enough remains open.", exposed), 0U);
}

TEST(SafetyWords, FiguresSayNoLessThanIsFound) {
  PlainFacts facts;
  facts.asked = true;
  facts.told = 2;
  facts.largest_percent = 40;
  EXPECT_GT(count("best guess equal to the truth</dt><dd>0 (0.0%)</dd>", facts), 0U);
  EXPECT_GT(count("a reader's best guess is within 1% of the truth for 0 of 26 sensitive cells and "
                  "equal to it for 0",
                  facts),
            0U);
  EXPECT_GT(count("\"guess_exact\":0,\"guess_state\":\"computed\"", facts), 0U);
  EXPECT_GT(count("largest deviation</span></dt><dd>0%</dd>", facts), 0U);
  EXPECT_EQ(count("best guess equal to the truth</dt><dd>2 (10.0%)</dd>", facts), 0U);
  EXPECT_EQ(count("best guess equal to the truth</dt><dd>not computed</dd>", facts), 0U);
  EXPECT_EQ(count("\"guess_exact\":null,\"guess_state\":\"not computed\"", facts), 0U);
  EXPECT_EQ(count("largest deviation</span></dt><dd>1,040%</dd>", facts), 0U);
}

TEST(SafetyWords, ToldAreWithheldCellsWhoseMiddleIsTheTruth) {
  PlainJudgement plain;
  plain.findings = {{.cell = 0, .value = 10, .low = 5, .high = 5, .has_ends = true},
                    {.cell = 1, .value = 10, .low = 5, .high = 9, .has_ends = true},
                    {.cell = 2, .value = 10, .low = 5, .high = 5, .has_ends = true}};
  Draft draft;
  draft.withhold(CellId{0});
  draft.withhold(CellId{1});
  const PlainFacts facts = facts_of(plain, draft);
  EXPECT_TRUE(facts.asked);
  EXPECT_EQ(facts.told, 1);
  EXPECT_DOUBLE_EQ(facts.largest_percent, 20);
}

}  // namespace
}  // namespace lacuna::bench
