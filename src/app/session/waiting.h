// SPDX-License-Identifier: Apache-2.0
// A run on a thread of its own, while the thread of another language waits beside it: it looks for
// signals and hands on progress there, so that no foreign code ever runs on a thread of the solver.
// Stopped, a run ends with what it has by then, audited.
#pragma once

#include <chrono>
#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <new>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "app/job/run_options.h"
#include "data/sensitivity/attacker_reach.h"
#include "lacuna/result.h"
#include "lacuna/run_context.h"

namespace lacuna::session {

struct News {
  Progress progress;
  std::string phase;  // its own copy: the other may be gone
};

// What the two threads tell each other.
class Watch {
 public:
  explicit Watch(bool listens) : listens_(listens) {}

  // ---- on the thread of the run
  RunContext context(const job::RunOptions& options);
  void finish();

  // ---- on the thread that waits
  bool is_done_within(std::chrono::milliseconds patience);
  void wait_until_done();
  std::optional<News> take_news();  // the latest that nobody has heard
  void stop() { stop_.request_stop(); }
  bool is_stopped() const { return stop_.stop_requested(); }
  std::vector<std::string> take_notes() { return std::move(notes_); }  // after the end

 private:
  bool listens_;
  std::stop_source stop_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::optional<News> latest_;
  std::vector<std::string> notes_;
  bool done_ = false;
};

template <class T>
using Work = std::function<Result<T>(const RunContext&)>;

template <class T>
struct Waited {
  T value;
  std::vector<std::string> notes;
  bool interrupted = false;
};

// Does the work on another thread, and calls `wait` on this one, which must return after the end of
// the work alone. Throws what the work has thrown.
template <class T, class Wait>
Result<T> run_on_thread(Watch& watch,
                        const job::RunOptions& options,
                        const Work<T>& work,
                        Wait&& wait) {
  std::optional<Result<T>> result;
  std::exception_ptr failure;
  std::thread worker([&] {
    try {
      result.emplace(work(watch.context(options)));
    } catch (const std::bad_alloc&) {
      result.emplace(sensitivity::out_of_memory());
    } catch (...) {
      failure = std::current_exception();
    }
    watch.finish();
  });
  wait();
  worker.join();
  if (failure)
    std::rethrow_exception(failure);
  return *std::move(result);
}

}  // namespace lacuna::session
