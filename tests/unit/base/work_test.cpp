// SPDX-License-Identifier: Apache-2.0
// The counter of work: what it says must depend on what was counted, not on who did it.
#include "core/base/work.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>
#include <vector>

#include "core/base/parallel.h"

namespace lacuna::base {
namespace {

RunContext with_threads(int threads) {
  RunContext run;
  run.threads = threads;
  return with_helpers(run);
}

TEST(Work, UnitsAreThousandsOfTouches) {
  const std::int64_t before = work_done();
  count_work(std::int64_t{5} * kTouchesPerUnit);
  EXPECT_EQ(work_done(), before + 5);
}

TEST(Work, ALimitStopsARunAndIsNoBrake) {
  const RunContext run = with_work(RunContext{}, 3);
  EXPECT_FALSE(run.should_stop());
  count_work(std::int64_t{3} * kTouchesPerUnit);
  EXPECT_TRUE(run.should_stop());
  EXPECT_FALSE(run.braked());
  EXPECT_EQ(run.work_left(), 0);
  EXPECT_EQ(ended_by(run), StopReason::kWork);
}

TEST(Work, ALimitWithinALimitIsTheSmaller) {
  const RunContext outer = with_work(RunContext{}, 10);
  EXPECT_EQ(with_work(outer, 100).work_end, outer.work_end);
  EXPECT_EQ(with_work(outer, kNoWorkLimit).work_end, outer.work_end);
  EXPECT_LT(with_work(outer, 4).work_end, outer.work_end);
  EXPECT_EQ(share_of_work(outer, 0.5).work_end, work_done() + 5);
  EXPECT_EQ(share_of_work(RunContext{}, 0.5).work_end, kNoWorkLimit);
}

TEST(Work, ALimitAllowsTheSameWhateverWasDoneBefore) {
  for (const std::int64_t before : {0, 1, 999}) {
    count_work(before);
    const RunContext run = with_work(RunContext{}, 2);
    std::int64_t touches = 0;
    for (; !run.should_stop(); ++touches)
      count_work(std::int64_t{1});
    EXPECT_EQ(touches, 2 * kTouchesPerUnit);
  }
}

TEST(Work, BrakesComeFirstInWhatEndedARun) {
  RunContext run = with_work(RunContext{}, 0);
  EXPECT_EQ(ended_by(run), StopReason::kWork);
  run.deadline = std::chrono::steady_clock::now();
  EXPECT_EQ(ended_by(run), StopReason::kLimit);
  std::stop_source source;
  source.request_stop();
  run.stop = source.get_token();
  EXPECT_EQ(ended_by(run), StopReason::kCancelled);
}

// Each item sees what was done before the loop, by itself, and by items long before it; the caller
// sees the sum.
TEST(Work, ItemsOfASharedLoopCountApart) {
  constexpr std::size_t kItems = 100;
  std::vector<std::int64_t> first;
  for (const int threads : {1, 2, 8}) {
    const RunContext run = with_threads(threads);
    const std::int64_t before = touches_so_far();
    std::vector<std::int64_t> seen(kItems, -1);
    share_among(run, static_cast<std::size_t>(threads), kItems, [&](std::size_t, std::size_t i) {
      count_work(i);
      seen[i] = touches_so_far() - before;
    });
    EXPECT_EQ(seen[0], 0);
    EXPECT_EQ(seen[10], 10);
    EXPECT_GT(seen[99], 99);
    EXPECT_LT(seen[99], static_cast<std::int64_t>(kItems * (kItems - 1) / 2));
    EXPECT_EQ(touches_so_far() - before, static_cast<std::int64_t>(kItems * (kItems - 1) / 2));
    if (first.empty())
      first = seen;
    EXPECT_EQ(seen, first) << threads;
  }
}

TEST(Work, ALimitEndsALongLoopAtTheSameItem) {
  for (const int threads : {1, 2, 8}) {
    const RunContext run = with_work(with_threads(threads), 100);
    std::vector<int> done(10'000, 0);
    share_among(
        run, static_cast<std::size_t>(threads), done.size(), [&](std::size_t, std::size_t i) {
          if (run.should_stop())
            return;
          count_work(kTouchesPerUnit);
          done[i] = 1;
        });
    const auto count = std::count(done.begin(), done.end(), 1);
    EXPECT_GE(count, 100);
    EXPECT_LT(count, 200);
    EXPECT_EQ(std::count(done.begin(), done.begin() + count, 1), count) << threads;
  }
}

TEST(Work, AnExceptionInALongLoopLeavesNobodyWaiting) {
  for (const int threads : {1, 8}) {
    const RunContext run = with_threads(threads);
    const auto loop = [&] {
      share_among(run, static_cast<std::size_t>(threads), 1000, [](std::size_t, std::size_t i) {
        if (i == 40)
          throw std::runtime_error("trouble");
      });
    };
    EXPECT_THROW(loop(), std::runtime_error);
  }
}

TEST(Work, NestedLoopsAddUp) {
  for (const int threads : {1, 4}) {
    const RunContext run = with_threads(threads);
    const std::int64_t before = touches_so_far();
    for_each_lane(run, 3, [&](std::size_t) {
      for_each_lane(run, 5, [&](std::size_t) { count_work(std::int64_t{7}); });
      count_work(std::int64_t{1});
    });
    EXPECT_EQ(touches_so_far() - before, 3 * (5 * 7 + 1));
  }
}

}  // namespace
}  // namespace lacuna::base
