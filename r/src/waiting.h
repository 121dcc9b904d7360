// SPDX-License-Identifier: Apache-2.0
// A run on a thread of its own, while R's thread waits. Twenty times a second it looks for an
// interrupt and hands progress to the caller's function, so that nothing of R ever runs on a thread
// of the solver, and no error of R jumps over C++. An interrupt, or an error of the function, stops
// the run; what it has by then is audited and comes back all the same.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "job/run_options.h"
#include "lacuna/run_context.h"
#include "values.h"

namespace lacuna::r {

// What the two threads tell each other.
class Waiting {
 public:
  // A function of one argument, which answers with the text of its error or NULL; or NULL.
  explicit Waiting(SEXP on_progress) : on_progress_(on_progress) {}

  // On the thread of the run.
  RunContext context(const RunOptions& options);
  void finish();
  // On R's thread: until the run is over.
  void wait();

  std::vector<std::string> notes;
  bool interrupted = false;
  std::optional<std::string> trouble;  // the error of the caller's function

 private:
  struct News {
    Progress progress;
    std::string phase;  // its own copy: the other may be gone
  };
  void look_for_interrupt();
  void tell_progress();

  SEXP on_progress_;  // an argument of .Call(), which R keeps
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

[[noreturn]] void refuse_interrupted();

// Throws what the run's errors are in R, or what the caller's function has said.
template <class T>
Waited<T> wait_for(const RunOptions& options,
                   SEXP on_progress,
                   const std::function<Result<T>(const RunContext&)>& work) {
  Waiting waiting(on_progress);
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
    throw Refusal({ErrorCode::kBadOption, *waiting.trouble, "progress"});
  if (failure)
    std::rethrow_exception(failure);
  if (!*result && waiting.interrupted)
    refuse_interrupted();
  return {value_or_refuse(*std::move(result)), std::move(waiting.notes), waiting.interrupted};
}

}  // namespace lacuna::r
