// SPDX-License-Identifier: Apache-2.0
#include "app/session/waiting.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace lacuna::session {
namespace {

TEST(Waiting, TheWorkIsDoneBesideAndTellsItsNotes) {
  Watch watch(true);
  const auto waiter = std::this_thread::get_id();
  const Work<int> work = [&](const RunContext& run) -> Result<int> {
    EXPECT_NE(std::this_thread::get_id(), waiter);
    run.log("a note");
    Progress progress;
    progress.phase = "search";
    run.on_progress(progress);
    return 7;
  };
  const Result<int> done = run_on_thread<int>(watch, {}, work, [&] { watch.wait_until_done(); });
  ASSERT_TRUE(done);
  EXPECT_EQ(*done, 7);
  EXPECT_EQ(watch.take_notes(), std::vector<std::string>{"a note"});
  EXPECT_EQ(watch.take_news()->phase, "search");
  EXPECT_FALSE(watch.take_news());  // told once
}

TEST(Waiting, AStopReachesTheWork) {
  Watch watch(false);
  const Work<int> work = [](const RunContext& run) -> Result<int> {
    EXPECT_FALSE(run.on_progress);  // nobody listens
    while (!run.stop.stop_requested())
      std::this_thread::yield();
    return 1;
  };
  const Result<int> done = run_on_thread<int>(watch, {}, work, [&] {
    EXPECT_FALSE(watch.is_done_within(std::chrono::milliseconds(1)));
    watch.stop();
    watch.wait_until_done();
  });
  EXPECT_TRUE(done);
  EXPECT_TRUE(watch.is_stopped());
}

TEST(Waiting, WhatTheWorkThrowsComesOut) {
  Watch watch(false);
  const Work<int> work = [](const RunContext&) -> Result<int> { throw std::runtime_error("x"); };
  EXPECT_THROW(run_on_thread<int>(watch, {}, work, [&] { watch.wait_until_done(); }),
               std::runtime_error);
}

}  // namespace
}  // namespace lacuna::session
