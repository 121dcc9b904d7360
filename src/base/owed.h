// SPDX-License-Identifier: Apache-2.0
// What a method does after its search (confirm, round) is owed to what the search has found: the
// deadline of the search does not end it. A stop request does, if it comes while it goes on. If it
// came before, the rest may take as long again as the search took, and ten seconds at least.
#pragma once

#include <algorithm>
#include <chrono>

#include "lacuna/run_context.h"

namespace lacuna::inline base {

inline RunContext owed_run(const RunContext& run, std::chrono::steady_clock::time_point start) {
  constexpr std::chrono::seconds kLeast{10};
  RunContext owed = run;
  owed.deadline = std::chrono::steady_clock::time_point::max();
  if (run.stop.stop_requested()) {
    const auto now = std::chrono::steady_clock::now();
    owed.stop = {};
    owed.deadline = now + std::max<std::chrono::steady_clock::duration>(now - start, kLeast);
  }
  return owed;
}

}  // namespace lacuna::inline base
