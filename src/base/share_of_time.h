// SPDX-License-Identifier: Apache-2.0
// A share of the time that is left, for one step of several; without a limit there is none.
#pragma once

#include <chrono>

#include "lacuna/run_context.h"

namespace lacuna::inline base {

inline RunContext share_of_time(const RunContext& run, double share) {
  using Clock = std::chrono::steady_clock;
  RunContext part = run;
  if (run.deadline != Clock::time_point::max()) {
    const auto left = run.deadline - Clock::now();
    part.deadline = Clock::now() + std::chrono::duration_cast<Clock::duration>(left * share);
  }
  return part;
}

}  // namespace lacuna::inline base
