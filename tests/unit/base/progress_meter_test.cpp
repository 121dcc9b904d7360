// SPDX-License-Identifier: Apache-2.0
// What is told of a run: shares of work, whatever the clock says.
#include "core/base/progress_meter.h"

#include <gtest/gtest.h>

#include <cmath>
#include <thread>
#include <vector>

#include "core/base/parallel.h"
#include "core/base/work.h"

namespace lacuna::base {
namespace {

constexpr double kNear = 1e-9;
constexpr std::int64_t kBudget = 1000;  // units

struct Told {
  std::string phase;
  Progress news;
};

// A new phase is told at once, so each report has one of its own.
class Progresses : public ::testing::Test {
 protected:
  Progresses() {
    RunContext listened;
    listened.on_progress = [this](const Progress& news) {
      told_.push_back({std::string(news.phase), news});
    };
    run_ = with_progress(listened);
  }

  const Progress& tell(double fraction = 0, double cost = Progress::kNone) {
    run_.on_progress({"phase " + std::to_string(++phases_), fraction, cost, Progress::kNone});
    return told_.back().news;
  }
  static void work(double units) {
    count_work(static_cast<std::int64_t>(units * static_cast<double>(kTouchesPerUnit)));
  }

  RunContext run_;
  std::vector<Told> told_;
  int phases_ = 0;
};

TEST_F(Progresses, FollowTheWorkOfAStage) {
  run_.meter->begin({.until = 0.8, .work = kBudget});
  EXPECT_NEAR(tell().share, 0, kNear);
  work(kBudget / 4);
  EXPECT_NEAR(tell(0.99).share, 0.2, kNear);  // whatever the method says of its phase
  work(2 * kBudget);
  EXPECT_NEAR(tell().share, 0.8, kNear);
}

TEST_F(Progresses, GoOnWhereAStageWasToEnd) {
  run_.meter->begin({.until = 0.8, .work = kBudget});
  work(kBudget / 10);
  run_.meter->begin({});  // it has ended early
  EXPECT_NEAR(tell(0).share, 0.8, kNear);
  EXPECT_NEAR(tell(0.5).share, 0.9, kNear);
  EXPECT_NEAR(tell(0.1).share, 0.9, kNear);  // never back
  EXPECT_NEAR(tell(1).share, 1, kNear);
}

TEST_F(Progresses, FollowReportsWithoutStages) {
  EXPECT_NEAR(tell(0.25).share, 0.25, kNear);
  EXPECT_NEAR(tell(0.75).share, 0.75, kNear);
}

// In a loop that several threads share, what other items have done counts as well.
TEST_F(Progresses, CountFinishedItems) {
  run_.meter->begin({.until = 1, .work = kBudget});
  share_among(run_, 1, 4, [&](std::size_t, std::size_t item) {
    work(kBudget / 10);
    EXPECT_NEAR(tell().share, 0.1 * static_cast<double>(item + 1), kNear);
  });
  EXPECT_NEAR(tell().share, 0.4, kNear);
}

TEST_F(Progresses, KeepTheBestAndSayWhenItCame) {
  EXPECT_TRUE(std::isnan(tell().first_seconds));
  run_.on_progress({"phase 1", 0, 7, 5});  // no new phase, but the first incumbent
  ASSERT_EQ(told_.size(), 2U);
  EXPECT_EQ(told_.back().news.incumbent, 7);
  const double first = told_.back().news.first_seconds;
  EXPECT_TRUE(std::isfinite(first));
  const Progress& later = tell();
  EXPECT_EQ(later.incumbent, 7);
  EXPECT_EQ(later.bound, 5);
  EXPECT_EQ(later.first_seconds, first);
}

TEST_F(Progresses, OfOtherThreadsWaitForTheOneThatTells) {
  std::thread([this] { run_.on_progress({.phase = "elsewhere"}); }).join();
  EXPECT_TRUE(told_.empty());
  work(kBudget);
  EXPECT_FALSE(run_.should_stop());  // a sign of life
  ASSERT_EQ(told_.size(), 1U);
  EXPECT_EQ(told_.back().phase, "elsewhere");
}

TEST(Progress, CostsNothingWhereNobodyListens) {
  EXPECT_EQ(with_progress({}).meter, nullptr);
}

}  // namespace
}  // namespace lacuna::base
