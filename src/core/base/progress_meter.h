// SPDX-License-Identifier: Apache-2.0
// How far a run is. A run goes through stages, each of which takes a part of the bar: a search as
// far as its work is done (or its time is up), an audit as far as its reports say. Methods report
// phase, best cost and bound; share and time left are computed here, so that the bar moves as the
// work does, whatever a method reports. Nothing of this has an effect on the run.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <mutex>
#include <set>
#include <string>
#include <thread>

#include "lacuna/run_context.h"

namespace lacuna::base {

class ProgressMeter {
 public:
  using Clock = std::chrono::steady_clock;
  using Sink = std::function<void(const Progress&)>;

  // The run begins now, and this thread is the one that tells the sink.
  ProgressMeter(Sink sink, Clock::time_point deadline);

  struct Stage {
    double until = 1;                  // the share of the run at its end
    std::int64_t work = kNoWorkLimit;  // that it may do, in units
    Clock::time_point deadline = Clock::time_point::max();
  };
  // It begins where the last one was to end. Without a limit it goes as its reports say, and so
  // does a run for which none is begun.
  void begin(const Stage& stage);

  void report(const Progress& news);  // from any thread; told at once or with the next beat
  void beat();

 private:
  bool is_time_to_look() const;
  void tell(Clock::time_point now);
  double done_of_stage(Clock::time_point now) const;

  const Sink sink_;
  const Clock::time_point start_, deadline_;
  const std::thread::id teller_;
  std::int64_t looked_ = 0;  // touches when beat() last read the clock
  Clock::time_point next_;   // not told before
  bool telling_ = false;

  std::mutex guard_;  // of what follows
  Stage stage_;
  bool begun_ = false;
  double from_ = 0;  // share at the begin of the stage
  std::int64_t stage_touches_ = 0;
  Clock::time_point stage_start_;
  std::string phase_;
  Progress last_;
  std::set<std::string> told_;  // phases
  bool urgent_ = false;         // a new phase or the first incumbent waits to be told
};

}  // namespace lacuna::base
