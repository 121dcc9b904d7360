// SPDX-License-Identifier: Apache-2.0
// R's thread beside a run (app/session/waiting.h): twenty times a second it looks for an interrupt
// and hands progress to the caller's function. No error of R jumps over C++.
#pragma once

#include <optional>
#include <string>

#include "app/session/waiting.h"
#include "values.h"

namespace lacuna::r {

class Waiting {
 public:
  // A function of one argument, which answers with the text of its error or NULL; or NULL.
  explicit Waiting(SEXP on_progress)
      : watch(on_progress != R_NilValue), on_progress_(on_progress) {}

  void wait();  // until the run is over

  session::Watch watch;
  bool interrupted = false;
  std::optional<std::string> trouble;  // the error of the caller's function

 private:
  void look_for_interrupt();
  void tell_progress();

  SEXP on_progress_;  // an argument of .Call(), which R keeps
};

[[noreturn]] void refuse_interrupted();

// Throws what the run's errors are in R, or what the caller's function has said.
template <class T>
session::Waited<T> wait_for(const job::RunOptions& options,
                            SEXP on_progress,
                            const session::Work<T>& work) {
  Waiting waiting(on_progress);
  Result<T> result = run_on_thread<T>(waiting.watch, options, work, [&] { waiting.wait(); });
  if (waiting.trouble)
    throw Refusal({ErrorCode::kOptionValue, *waiting.trouble, "progress"});
  if (!result && waiting.interrupted)
    refuse_interrupted();
  return {value_or_refuse(std::move(result)), waiting.watch.take_notes(), waiting.interrupted};
}

}  // namespace lacuna::r
