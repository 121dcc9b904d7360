// SPDX-License-Identifier: Apache-2.0
// Work in a process of its own, so that its peak memory and its time are its own, and so that what
// crashes takes nothing else along.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

namespace lacuna::bench {

struct ChildResult {
  bool finished = false;  // ended by itself with code 0
  int code = -1;          // the exit code; -1 if it did not end by itself
  std::string output;     // what the work returned, or standard output of the program
  std::string trouble;    // why it did not finish
  double cpu_seconds = 0;
  std::int64_t peak_kib = 0;
};

struct ChildLimits {
  std::chrono::seconds longest{3600};  // then it is killed
  std::stop_token stop;
  std::chrono::milliseconds patience = std::chrono::milliseconds::max();
  int signal =
      0;  // is sent once the patience is over, if any; what the child makes of it is its own
};

// Runs the work in a forked copy of this process. The caller must not have started engines or other
// threads that hold locks: whoever measures in children never solves itself.
ChildResult run_apart(const std::function<std::string()>& work, const ChildLimits& limits);

// Runs a program, found by PATH; its standard error is kept apart and, if it fails, its last line
// is the trouble.
ChildResult run_program(const std::vector<std::string>& command, const ChildLimits& limits);

}  // namespace lacuna::bench
