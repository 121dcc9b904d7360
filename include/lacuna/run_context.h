// SPDX-License-Identifier: Apache-2.0
// What every long computation receives as its last argument: log and progress sinks, how much work
// it may do, cancellation, deadline, seed, threads. No globals: two runs in one process never meet.
//
// Work is counted, not timed: entries touched, steps of the simplex method, nodes, iterations of
// the LP engine, in units of about a microsecond of an ordinary core. What a computation has done
// when its work is used up is the same on every machine, under any load and for any number of
// threads. The deadline and the stop token are brakes from outside: they end a run wherever it is.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <stop_token>
#include <string_view>

#include "lacuna/export.h"

namespace LACUNA_API lacuna {

namespace base {
class HelperPool;
class ProgressMeter;
}

struct Progress {
  static constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

  std::string_view phase;
  double fraction = 0;       // of the phase, in [0, 1]
  double incumbent = kNone;  // best cost so far, NaN if none
  double bound = kNone;      // proven lower bound, NaN if none
  // Of the whole run; with_progress() fills them in:
  double share = 0;              // in [0, 1]; moves as the work does and never goes back
  double seconds = 0;            // since it began
  double seconds_left = kNone;   // about; NaN if nobody knows
  double first_seconds = kNone;  // when the first incumbent came, NaN if none
};

// How an optimization ended: part of its result, never an error.
enum class StopReason : std::uint8_t {
  kOptimal,     // cost and bound meet
  kGapReached,  // the gap that was asked for is proven
  kWork,        // all the work that the effort or the user allows is done, or more is in vain
  kLimit,       // the deadline
  kCancelled,   // the stop token
  kInfeasible,  // proven: nothing meets the requirements
};
std::string_view to_string(StopReason reason);  // "optimal", "gap", "work", ...

inline constexpr std::int64_t kNoWorkLimit = std::numeric_limits<std::int64_t>::max();

// What this thread has done so far, in units. Inside a loop that several threads share, it is what
// was done before the loop and what the item at hand has done, so it does not depend on the others.
std::int64_t work_done();

struct RunContext {
  std::function<void(std::string_view)> log;         // empty means silent
  std::function<void(const Progress&)> on_progress;  // one thread, at most ten times a second
  std::stop_token stop;                              // one-way; checked at every LP and every node
  std::chrono::steady_clock::time_point deadline = std::chrono::steady_clock::time_point::max();
  std::int64_t work_end = kNoWorkLimit;  // reading of work_done(): see with_work()
  std::uint64_t seed = 1;
  int threads = 1;
  // Threads that wait for work of this run; they end with its last copy. Whoever calls several
  // functions with one run makes them once, by with_helpers(); else each call makes its own.
  std::shared_ptr<base::HelperPool> helpers{};
  std::shared_ptr<base::ProgressMeter> meter{};  // see with_progress()

  bool out_of_time() const {
    return deadline != std::chrono::steady_clock::time_point::max() &&
           std::chrono::steady_clock::now() >= deadline;
  }
  bool out_of_work() const { return work_end != kNoWorkLimit && work_done() >= work_end; }
  std::int64_t work_left() const {
    return work_end == kNoWorkLimit ? kNoWorkLimit
                                    : std::max<std::int64_t>(0, work_end - work_done());
  }
  // Has somebody stopped it from outside? Then the result would be another on another day.
  bool braked() const {
    if (meter)
      beat();
    return stop.stop_requested() || out_of_time();
  }
  bool should_stop() const { return out_of_work() || braked(); }
  void beat() const;  // a sign of life: now and then on_progress hears of it
};

// The same run, which may do at most so much work from now on, and no more than before. To be made
// by the thread that will use it.
RunContext with_work(RunContext run, std::int64_t units);

// Why a search that is neither optimal nor within its gap has ended.
StopReason ended_by(const RunContext& run);

// The same run with helpers, if it has several threads and no helpers yet. No thread starts before
// there is work for it.
RunContext with_helpers(RunContext run);

// The same run, begun now by this thread, whose on_progress is told share and time left, even while
// nothing is reported, and no more than ten times a second. Does nothing if nobody listens.
RunContext with_progress(RunContext run);

}  // namespace lacuna
