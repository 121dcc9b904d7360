// SPDX-License-Identifier: Apache-2.0
#include "app/job/progress_line.h"

#include <gtest/gtest.h>

namespace lacuna::job {
namespace {

TEST(ProgressLine, SaysCostBoundGapAndTimeLeft) {
  Progress news{"suppress", 0.2, 1200, 900};
  news.share = 0.23;
  news.seconds = 12;
  news.seconds_left = 40;
  EXPECT_EQ(progress_line(news),
            "suppress: 23%, cost 1,200, bound 900, gap 25.00%, 12 s, about 40 s left");
}

TEST(ProgressLine, LeavesOutWhatIsNotKnown) {
  Progress news;
  news.phase = "reading";
  news.seconds = 200;
  EXPECT_EQ(progress_line(news), "reading: 0%, 3 min 20 s");
}

TEST(ProgressLine, LargeNumbersHaveNoExponent) {
  Progress news{"adjust", 0, 41062095272.5, 41061767987.4};
  news.seconds = 7500;
  EXPECT_EQ(progress_line(news),
            "adjust: 0%, cost 41,062,095,272, bound 41,061,767,987, gap 0.00%, 2 h 5 min");
}

}  // namespace
}  // namespace lacuna::job
