// SPDX-License-Identifier: Apache-2.0
#include "data/infer/range_text.h"

#include <gtest/gtest.h>

namespace lacuna::infer {
namespace {

TEST(RangeText, EndsThatArePossibleAndEndsThatAreNot) {
  EXPECT_EQ(range_of("<5"), (RangeText{"", "5", true, false}));
  EXPECT_EQ(range_of(" < 5 "), (RangeText{"", "5", true, false}));
  EXPECT_EQ(range_of("<=4"), (RangeText{"", "4", false, false}));
  EXPECT_EQ(range_of("≤ 4"), (RangeText{"", "4", false, false}));
  EXPECT_EQ(range_of(">100"), (RangeText{"100", "", false, true}));
  EXPECT_EQ(range_of(">= 2.5"), (RangeText{"2.5", "", false, false}));
  EXPECT_EQ(range_of("1-4"), (RangeText{"1", "4", false, false}));
  EXPECT_EQ(range_of("1 – 4"), (RangeText{"1", "4", false, false}));
  EXPECT_EQ(range_of("1 to 4"), (RangeText{"1", "4", false, false}));
  EXPECT_EQ(range_of("Fewer than 10"), (RangeText{"", "10", true, false}));
  EXPECT_EQ(range_of("5 or less"), (RangeText{"", "5", false, false}));
  EXPECT_EQ(range_of("5 or more"), (RangeText{"5", "", false, false}));
}

TEST(RangeText, NumbersSignsAndWordsAreNone) {
  for (const char* text :
       {"", "5", "-5", "x", "-", "..", "(D)", "<", "1-", "North-South", "< x", "1-4-5", "2015M03"})
    EXPECT_FALSE(range_of(text)) << text;
}

}  // namespace
}  // namespace lacuna::infer
