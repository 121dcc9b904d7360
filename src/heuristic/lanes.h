// SPDX-License-Identifier: Apache-2.0
// Work in lanes: item i of a batch may be done by any lane, because what comes out depends on the
// item alone; merging is the caller's, in the order of the items.
#pragma once

#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace lacuna {

// work(lane, item) for item in [0, count), lane in [0, lanes).
template <class Work>
void in_lanes(std::size_t lanes, std::size_t count, Work&& work) {
  if (lanes <= 1 || count <= 1) {
    for (std::size_t item = 0; item < count; ++item)
      work(std::size_t{0}, item);
    return;
  }
  std::atomic<std::size_t> next{0};
  std::exception_ptr trouble;
  std::mutex guard;
  const auto loop = [&](std::size_t lane) {
    try {
      for (std::size_t item = next++; item < count; item = next++)
        work(lane, item);
    } catch (...) {
      const std::scoped_lock lock(guard);
      trouble = std::current_exception();
      next = count;
    }
  };
  {
    std::vector<std::jthread> helpers;
    for (std::size_t lane = 1; lane < lanes && lane < count; ++lane)
      helpers.emplace_back([&, lane] { loop(lane); });
    loop(0);
  }
  if (trouble)
    std::rethrow_exception(trouble);
}

}  // namespace lacuna
