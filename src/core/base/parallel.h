// SPDX-License-Identifier: Apache-2.0
// The one loop over work that several threads share. Items are handed out in order; what an item
// computes may depend on nothing but the item, so results are the same whatever the number of
// threads, and merging is the caller's, in the order of the items.
#pragma once

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <utility>
#include <vector>

#include "core/base/work.h"
#include "lacuna/run_context.h"

namespace lacuna::base {

// Calls work(0) on this thread and work(1), ..., work(helpers) on the helpers of the run, or on
// ones of its own if the run has none, and returns when all that have begun have ended. A helper
// that comes too late is not called, so work(0) must be able to do all there is; nor is one that
// the system has no thread for. Work must not throw. Calls may be nested.
void run_with_helpers(const RunContext& run,
                      std::size_t helpers,
                      const std::function<void(std::size_t)>& work);

// What the items of a shared loop have done, in their order. An item begins with the reading at the
// start of the loop and what all items up to a fixed distance before it have done, so that a limit
// of work ends a long loop at the same item for any number of threads.
class WorkOfItems {
 public:
  explicit WorkOfItems(std::size_t count);
  std::int64_t begin_of(std::size_t item);  // waits for those before it, unless closed
  void add(std::size_t item, std::int64_t touches);
  void close();  // nobody waits any more
  std::int64_t before() const { return before_; }
  const std::atomic<std::int64_t>& finished() const { return finished_; }  // sum of what is added

 private:
  static constexpr std::size_t kDistance = 16;
  const std::int64_t before_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::int64_t> done_;  // by item; -1: not yet
  std::vector<std::int64_t> sums_;  // of the first items, as far as all are done
  std::atomic<std::int64_t> finished_{0};
  bool closed_ = false;
};

// Calls work(worker, item) once for every item in [0, count); workers are numbered from 0, which is
// the calling thread. The first exception, if any, is passed on at the end.
template <class Work>
void share_among(const RunContext& run, std::size_t workers, std::size_t count, Work&& work) {
  std::atomic<std::size_t> next{0};
  WorkOfItems counts(count);
  std::exception_ptr trouble;
  std::mutex guard;
  const auto loop = [&](std::size_t worker) {
    try {
      for (std::size_t item = next++; item < count; item = next++) {
        const WorkItem counted(counts.begin_of(item), counts.before(), counts.finished());
        work(worker, item);
        counts.add(item, counted.done());
      }
    } catch (...) {
      const std::scoped_lock lock(guard);
      trouble = std::current_exception();
      next = count;
      counts.close();
    }
  };
  run_with_helpers(run, std::max<std::size_t>(1, std::min(workers, count)) - 1, loop);
  if (trouble)
    std::rethrow_exception(trouble);
  count_work(counts.finished().load());
}

// The same where it does not matter who works: calls work(lane) once for every lane.
template <class Work>
void for_each_lane(const RunContext& run, std::size_t lanes, int threads, Work&& work) {
  const auto workers = static_cast<std::size_t>(std::max(1, threads));
  share_among(run, workers, lanes, [&](std::size_t, std::size_t lane) { work(lane); });
}

template <class Work>
void for_each_lane(const RunContext& run, std::size_t lanes, Work&& work) {
  for_each_lane(run, lanes, run.threads, std::forward<Work>(work));
}

}  // namespace lacuna::base
