// SPDX-License-Identifier: Apache-2.0
// Work in a fixed number of lanes, each with its own solvers, so that results do not depend on how
// many threads share them.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <thread>
#include <vector>

namespace lacuna::interval {

inline constexpr std::size_t kLanes = 4;

template <class Work>
void on_lanes(std::size_t lanes, int threads, const Work& work) {
  std::atomic<std::size_t> next{0};
  const auto loop = [&] {
    for (std::size_t lane = next++; lane < lanes; lane = next++)
      work(lane);
  };
  std::vector<std::jthread> helpers;
  const std::size_t wanted = std::min(lanes, static_cast<std::size_t>(std::max(1, threads)));
  for (std::size_t t = 1; t < wanted; ++t)
    helpers.emplace_back(loop);
  loop();
}

}  // namespace lacuna::interval
