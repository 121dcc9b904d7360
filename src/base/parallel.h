// SPDX-License-Identifier: Apache-2.0
// A fixed number of work lanes on any number of threads. What a lane computes depends on the lane
// alone, so results are the same whatever the number of threads.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace lacuna {

// Calls work(lane) once for every lane. The first exception, if any, is passed on at the end.
template <class Work>
void for_each_lane(std::size_t lanes, int threads, Work&& work) {
  std::atomic<std::size_t> next{0};
  std::exception_ptr trouble;
  std::mutex guard;
  const auto loop = [&] {
    try {
      for (std::size_t lane = next++; lane < lanes; lane = next++)
        work(lane);
    } catch (...) {
      const std::scoped_lock lock(guard);
      trouble = std::current_exception();
      next = lanes;
    }
  };
  const auto workers = std::min(lanes, static_cast<std::size_t>(std::max(1, threads)));
  {
    std::vector<std::jthread> helpers;
    for (std::size_t i = 1; i < workers; ++i)
      helpers.emplace_back(loop);
    loop();
  }
  if (trouble)
    std::rethrow_exception(trouble);
}

}  // namespace lacuna
