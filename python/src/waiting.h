// SPDX-License-Identifier: Apache-2.0
// Python's thread beside a run (app/session/waiting.h), without Python's lock. Ten times a second
// it looks for signals and hands progress to the caller's function.
#pragma once

#include <nanobind/nanobind.h>

#include <optional>

#include "app/session/waiting.h"
#include "errors.h"

namespace lacuna::python {

// Before the interpreter ends: stops all runs and waits for them a while. A thread that came back
// for Python's lock after that would be ended by Python in the middle of C++; it is parked instead.
void end_runs();

class Waiting {
 public:
  explicit Waiting(nb::object on_progress)
      : watch(!on_progress.is_none()), on_progress_(std::move(on_progress)) {}

  void wait();  // with Python's lock: until the run is over

  session::Watch watch;
  bool interrupted = false;                 // by KeyboardInterrupt
  std::optional<nb::python_error> trouble;  // any other exception meanwhile

 private:
  void look_for_signals();
  void tell_progress();
  void stop_by(nb::python_error error);
  void park_at_the_end();

  nb::object on_progress_;
};

// Throws what the run's errors are in Python, or what a function of the caller has thrown.
template <class T>
session::Waited<T> wait_for(const job::RunOptions& options,
                            nb::object on_progress,
                            const session::Work<T>& work) {
  Waiting waiting(std::move(on_progress));
  Result<T> result = run_on_thread<T>(waiting.watch, options, work, [&] { waiting.wait(); });
  if (waiting.trouble)
    throw *waiting.trouble;
  if (!result && waiting.interrupted) {
    PyErr_SetNone(PyExc_KeyboardInterrupt);
    throw nb::python_error();
  }
  return {value_or_raise(std::move(result)), waiting.watch.take_notes(), waiting.interrupted};
}

}  // namespace lacuna::python
