// SPDX-License-Identifier: Apache-2.0
#include "core/base/readable.h"

#include <gtest/gtest.h>

#include <limits>

namespace lacuna::base {
namespace {

TEST(Readable, ThousandsStandInGroups) {
  EXPECT_EQ(grouped("7"), "7");
  EXPECT_EQ(grouped("999"), "999");
  EXPECT_EQ(grouped("1000"), "1,000");
  EXPECT_EQ(grouped("-18278031.4567"), "-18,278,031.4567");
  EXPECT_EQ(grouped("none"), "none");
  EXPECT_EQ(grouped(std::int64_t{100000}), "100,000");
  EXPECT_EQ(grouped(std::numeric_limits<std::int64_t>::min()), "-9,223,372,036,854,775,808");
}

TEST(Readable, NoExponentsAndNoDigitsThatNobodyReads) {
  EXPECT_EQ(readable(1.18635e+08), "118,635,000");
  EXPECT_EQ(readable(41062095272.5), "41,062,095,272");
  EXPECT_EQ(readable(72.52279653), "72.52");
  EXPECT_EQ(readable(900), "900");
  EXPECT_EQ(readable(0.5), "0.5");
  EXPECT_EQ(readable(0.00123456), "0.001235");
  EXPECT_EQ(readable(0), "0");
  EXPECT_EQ(readable(-1234.4), "-1,234");
  EXPECT_EQ(readable(1.25e17), "1.2 x 10^17");
  EXPECT_EQ(readable(std::numeric_limits<double>::infinity()), "unbounded");
}

TEST(Readable, SharesBeyondTenTimesAreMultiples) {
  EXPECT_EQ(readable_percent(1079488.23), "10,795 times");
  EXPECT_EQ(readable_percent(0.0449), "0.04%");
  EXPECT_EQ(readable_percent(11.27), "11.3%");
  EXPECT_EQ(readable_percent(250.4), "250%");
  EXPECT_EQ(readable_percent(0), "0%");
  EXPECT_EQ(readable_percent(100), "100%");
}

}  // namespace
}  // namespace lacuna::base
