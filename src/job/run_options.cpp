// SPDX-License-Identifier: Apache-2.0
#include "job/run_options.h"

#include <algorithm>
#include <chrono>
#include <thread>

namespace lacuna::inline job {

RunContext RunOptions::context(std::stop_token stop) const {
  using Clock = std::chrono::steady_clock;
  RunContext run;
  run.threads =
      threads > 0 ? threads : static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  run.seed = seed;
  run.stop = std::move(stop);
  constexpr double kForever = 1e9;  // 30 years; the clock cannot hold much more
  if (time_limit > 0 && time_limit < kForever) {
    run.deadline = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                      std::chrono::duration<double>(time_limit));
  }
  if (work > 0)
    run = with_work(std::move(run), work);
  return with_helpers(std::move(run));
}

}  // namespace lacuna::inline job
