// SPDX-License-Identifier: Apache-2.0
#include "core/base/helper_pool.h"

#include <gtest/gtest.h>

#include <atomic>
#include <new>
#include <set>
#include <system_error>
#include <thread>
#include <utility>

namespace lacuna::base {
namespace {

// Allows so many threads and refuses the others as a system does that has no more.
HelperPool::Starter at_most(int threads) {
  return [left = threads](std::function<void()> body) mutable {
    if (left-- <= 0) {
      throw std::system_error(std::make_error_code(std::errc::resource_unavailable_try_again));
    }
    return std::thread(std::move(body));
  };
}

std::set<std::size_t> workers_of(HelperPool& pool, std::size_t helpers) {
  std::mutex guard;
  std::set<std::size_t> seen;
  pool.run(helpers, [&](std::size_t worker) {
    const std::scoped_lock lock(guard);
    seen.insert(worker);
  });
  return seen;
}

// Waits for a helper to take part: ends only if one does.
bool gets_help(HelperPool& pool, std::size_t helpers) {
  std::atomic<bool> helped{false};
  pool.run(helpers, [&](std::size_t worker) {
    if (worker == 0) {
      helped.wait(false);
    } else {
      helped = true;
      helped.notify_one();
    }
  });
  return helped;
}

TEST(HelperPool, WorksAloneIfNoThreadCanStart) {
  HelperPool pool(at_most(0));
  for (int time = 0; time < 3; ++time)  // the first failure leaves nothing behind
    EXPECT_EQ(workers_of(pool, 3), std::set<std::size_t>{0});
}

TEST(HelperPool, WorksAloneIfThereIsNoMemoryForAThread) {
  HelperPool pool([](const std::function<void()>&) -> std::thread { throw std::bad_alloc(); });
  EXPECT_EQ(workers_of(pool, 3), std::set<std::size_t>{0});
}

TEST(HelperPool, UsesTheThreadsThatCanStart) {
  HelperPool pool(at_most(1));
  for (int time = 0; time < 3; ++time)
    EXPECT_TRUE(gets_help(pool, 3));
}

TEST(HelperPool, StartsThreadsOnceItCanAgain) {
  bool refuse = true;
  HelperPool pool([&](std::function<void()> body) {
    return at_most(std::exchange(refuse, false) ? 0 : 1)(std::move(body));
  });
  EXPECT_EQ(workers_of(pool, 1), std::set<std::size_t>{0});
  EXPECT_TRUE(gets_help(pool, 1));
}

}  // namespace
}  // namespace lacuna::base
