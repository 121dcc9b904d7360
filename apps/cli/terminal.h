// SPDX-License-Identifier: Apache-2.0
// What a terminal adds to a run: Ctrl-C as a request to stop with the best result so far, and news
// on standard error: a bar once a run has taken two seconds, or, where standard error is no
// terminal, a line every ten seconds.
#pragma once

#include <chrono>
#include <functional>
#include <stop_token>

#include "lacuna/run_context.h"

namespace lacuna {

class Interrupt {  // at most one at a time: signals are process-wide
 public:
  Interrupt();
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;
  std::stop_token token() const;
};

class ProgressBar {
 public:
  ProgressBar();
  std::function<void(const Progress&)> sink();
  void clear();  // before anything else is printed

 private:
  bool is_time() const;
  void show(const Progress& progress);
  const bool terminal_;
  const std::chrono::steady_clock::time_point start_;
  std::chrono::steady_clock::time_point last_;
  bool drawn_ = false;
  bool first_told_ = false;  // when there was something safe first
};

}  // namespace lacuna
