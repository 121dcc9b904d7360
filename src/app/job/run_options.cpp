// SPDX-License-Identifier: Apache-2.0
#include "app/job/run_options.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <optional>
#include <thread>

namespace lacuna::job {
namespace {

// Of the control group, in cores, as the system says it: "200000 100000" (microseconds of each
// period) or "max 100000".
std::optional<int> cores_of_group(const char* path) {
  std::ifstream file(path);
  double quota = 0, period = 0;
  if (!(file >> quota >> period) || quota <= 0 || period <= 0)
    return std::nullopt;
  return std::max(1, static_cast<int>(std::ceil(quota / period)));
}

// What LACUNA_THREADS says, else the cores that this process may use: those it is bound to, and no
// more than its control group pays for.
int threads_by_default() {
  if (const char* given = std::getenv("LACUNA_THREADS"); given != nullptr) {
    int threads = 0;
    const char* end = given + std::strlen(given);
    if (std::from_chars(given, end, threads).ptr == end && threads > 0 && threads <= kMostThreads)
      return threads;
  }
  const int bound = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  return std::min(bound, cores_of_group("/sys/fs/cgroup/cpu.max").value_or(bound));
}

}  // namespace

RunContext RunOptions::context(std::stop_token stop) const {
  using Clock = std::chrono::steady_clock;
  RunContext run;
  run.threads = threads > 0 ? threads : threads_by_default();
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

}  // namespace lacuna::job
