// SPDX-License-Identifier: Apache-2.0
// What every long computation receives as its last argument: log and progress sinks, cancellation,
// deadline, seed, threads. No globals: two runs in one process never meet.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <stop_token>
#include <string_view>

#include "lacuna/export.h"

namespace LACUNA_API lacuna {

inline namespace base {
class HelperPool;
}

struct Progress {
  std::string_view phase;
  double fraction = 0;   // of the phase, in [0, 1]
  double incumbent = 0;  // best cost so far, NaN if none
  double bound = 0;      // proven lower bound, NaN if none
};

// How an optimization ended: part of its result, never an error.
enum class StopReason : std::uint8_t {
  kOptimal,     // cost and bound meet
  kGapReached,  // the gap that was asked for is proven
  kLimit,       // the deadline, or all that the effort allows is done
  kCancelled,   // the stop token
  kInfeasible,  // proven: nothing meets the requirements
};
std::string_view to_string(StopReason reason);  // "optimal", "gap", "limit", ...

struct RunContext {
  std::function<void(std::string_view)> log;         // empty means silent
  std::function<void(const Progress&)> on_progress;  // one thread, at most ten times a second
  std::stop_token stop;                              // one-way; checked at every LP and every node
  std::chrono::steady_clock::time_point deadline = std::chrono::steady_clock::time_point::max();
  std::uint64_t seed = 1;
  int threads = 1;
  // Threads that wait for work of this run; they end with its last copy. Whoever calls several
  // functions with one run makes them once, by with_helpers(); else each call makes its own.
  std::shared_ptr<HelperPool> helpers{};

  bool out_of_time() const {
    return deadline != std::chrono::steady_clock::time_point::max() &&
           std::chrono::steady_clock::now() >= deadline;
  }
  bool should_stop() const { return stop.stop_requested() || out_of_time(); }
};

// The same run with helpers, if it has several threads and no helpers yet. No thread starts before
// there is work for it.
RunContext with_helpers(RunContext run);

}  // namespace lacuna
