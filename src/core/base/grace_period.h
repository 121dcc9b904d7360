// SPDX-License-Identifier: Apache-2.0
// What comes after a search (confirm, round, audit) is owed to what the search has found: its
// deadline does not end it. A stop request does, if it comes while it goes on. Where it is said to
// be bounded (the stop came before, or there is a limit), the rest may take as long again as the
// search took, and some time at least: a release that is late is worth more than none.
#pragma once

#include <algorithm>
#include <chrono>

#include "lacuna/run_context.h"

namespace lacuna::base {

inline RunContext run_with_grace(const RunContext& run,
                                 std::chrono::steady_clock::time_point start,
                                 bool bounded,
                                 std::chrono::seconds least) {
  RunContext graced = run;
  graced.deadline = std::chrono::steady_clock::time_point::max();
  graced.work_end = kNoWorkLimit;
  if (bounded) {
    const auto now = std::chrono::steady_clock::now();
    graced.stop = {};
    graced.deadline = now + std::max<std::chrono::steady_clock::duration>(now - start, least);
  }
  return graced;
}

// Of a method: only who stops it bounds it.
inline RunContext run_with_grace(const RunContext& run,
                                 std::chrono::steady_clock::time_point start) {
  return run_with_grace(run, start, run.stop.stop_requested(), std::chrono::seconds(10));
}

// Of moved ends and their audit: owed even when the limit has struck or the user has stopped the
// method, but not for ever. Who stops it stops it. Methods end early enough that a limit is kept
// (protect/methods/reserve.h), so this is for those that do not.
inline RunContext audit_run_with_grace(const RunContext& run,
                                       std::chrono::steady_clock::time_point start) {
  RunContext graced = run_with_grace(run, start, run.braked(), std::chrono::minutes(1));
  const bool limited = run.deadline != std::chrono::steady_clock::time_point::max();
  if (limited && !run.braked())
    graced.deadline = run.deadline + std::chrono::minutes(1);
  return graced;
}

}  // namespace lacuna::base
