// SPDX-License-Identifier: Apache-2.0
// A run on a thread of its own, while the thread that asked for it waits without Python's lock. Ten
// times a second it looks for signals and hands progress to the caller's function, so that no
// foreign code ever runs on a thread of the solver. A signal, or an exception of the function,
// stops the run; what it has by then is audited and comes back all the same.
#pragma once

#include <nanobind/nanobind.h>

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "errors.h"
#include "job/run_options.h"
#include "lacuna/run_context.h"

namespace lacuna::python {

// Before the interpreter ends: stops all runs and waits for them a while. A thread that came back
// for Python's lock after that would be ended by Python in the middle of C++; it is parked instead.
void end_runs();

// What the two threads tell each other.
class Waiting {
 public:
  explicit Waiting(nb::object on_progress) : on_progress_(std::move(on_progress)) {}

  struct News {
    Progress progress;
    std::string phase;  // its own copy: the other may be gone
  };

  // On the thread of the run.
  RunContext context(const RunOptions& options);
  void finish();
  // On the caller's thread, with Python's lock: until the run is over.
  void wait();

  std::vector<std::string> notes;
  bool interrupted = false;                 // by KeyboardInterrupt
  std::optional<nb::python_error> trouble;  // any other exception meanwhile

 private:
  void look_for_signals();
  void tell_progress();
  void stop_by(nb::python_error error);
  void park_at_the_end();

  nb::object on_progress_;
  std::stop_source stop_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::optional<News> latest_;
  bool done_ = false;
};

template <class T>
struct Waited {
  T value;
  std::vector<std::string> notes;
  bool interrupted = false;
};

// Throws what the run's errors are in Python, or what a function of the caller has thrown.
template <class T>
Waited<T> wait_for(const RunOptions& options,
                   nb::object on_progress,
                   const std::function<Result<T>(const RunContext&)>& work) {
  Waiting waiting(std::move(on_progress));
  std::optional<Result<T>> result;
  std::exception_ptr failure;
  std::thread worker([&] {
    try {
      result.emplace(work(waiting.context(options)));
    } catch (...) {
      failure = std::current_exception();
    }
    waiting.finish();
  });
  waiting.wait();
  worker.join();
  if (waiting.trouble)
    throw *waiting.trouble;
  if (failure)
    std::rethrow_exception(failure);
  if (!*result && waiting.interrupted) {
    PyErr_SetNone(PyExc_KeyboardInterrupt);
    throw nb::python_error();
  }
  return {value_or_raise(*std::move(result)), std::move(waiting.notes), waiting.interrupted};
}

}  // namespace lacuna::python
