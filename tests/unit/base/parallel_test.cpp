// SPDX-License-Identifier: Apache-2.0
#include "core/base/parallel.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

namespace lacuna::base {
namespace {

RunContext with_threads() {
  RunContext run;
  run.threads = 3;
  return with_helpers(run);
}

TEST(ShareAmong, DoesEveryItemOnce) {
  const RunContext run = with_threads();
  for (const std::size_t workers : {0U, 1U, 2U, 5U}) {
    for (const std::size_t count : {0U, 1U, 3U, 1000U}) {
      std::vector<std::atomic<int>> done(count);
      share_among(run, workers, count, [&](std::size_t, std::size_t item) { ++done[item]; });
      for (const auto& times : done)
        EXPECT_EQ(times, 1);
    }
  }
}

TEST(ShareAmong, WorkersAreDifferentThreads) {
  const RunContext run = with_threads();
  std::mutex guard;
  std::set<std::thread::id> threads;
  std::atomic<int> present{0};
  share_among(run, 3, 3, [&](std::size_t, std::size_t) {
    {
      const std::scoped_lock lock(guard);
      threads.insert(std::this_thread::get_id());
    }
    ++present;
    while (present < 3)  // nobody may take two items
      std::this_thread::yield();
  });
  EXPECT_EQ(threads.size(), 3U);
}

TEST(ShareAmong, NestedCallsEnd) {
  const RunContext run = with_threads();
  std::atomic<int> done{0};
  share_among(run, 3, 8, [&](std::size_t, std::size_t) {
    share_among(run, 3, 8, [&](std::size_t, std::size_t) { ++done; });
  });
  EXPECT_EQ(done, 64);
}

TEST(ShareAmong, PassesExceptionsOn) {
  const RunContext run = with_threads();
  const auto work = [](std::size_t, std::size_t item) {
    if (item == 3)
      throw std::runtime_error("three");
  };
  EXPECT_THROW(share_among(run, 2, 10, work), std::runtime_error);
  EXPECT_THROW(share_among(run, 1, 10, work), std::runtime_error);
}

TEST(ShareAmong, WorksWithoutHelpersOfTheRun) {
  std::atomic<int> done{0};
  share_among(RunContext{}, 3, 8, [&](std::size_t, std::size_t) { ++done; });
  EXPECT_EQ(done, 8);
}

TEST(WithHelpers, AreKeptAndSharedByCopies) {
  const RunContext run = with_threads();
  ASSERT_TRUE(run.helpers);
  EXPECT_EQ(with_helpers(run).helpers, run.helpers);
  EXPECT_FALSE(with_helpers(RunContext{}).helpers);  // one thread needs none
}

// Two runs of one process have nothing in common, and a forked process makes its own.
TEST(ShareAmong, WorksInAForkedProcess) {
  const RunContext run = with_threads();
#ifdef __SANITIZE_THREAD__
  GTEST_SKIP() << "the thread sanitizer ends a process that starts threads after a fork";
#endif
  share_among(run, 2, 2, [](std::size_t, std::size_t) {});  // there are helpers before the fork
  const pid_t child = fork();
  if (child == 0) {
    const RunContext own = with_threads();
    std::atomic<int> present{0};
    // Ends a child whose second thread never comes; a busy machine may take a while.
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::minutes(5);
    share_among(own, 2, 2, [&](std::size_t, std::size_t) {
      ++present;
      while (present < 2 && std::chrono::steady_clock::now() < deadline)
        std::this_thread::yield();
    });
    _exit(present == 2 ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

}  // namespace
}  // namespace lacuna::base
