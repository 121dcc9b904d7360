// SPDX-License-Identifier: Apache-2.0
// The caller's thread beside a run (app/session/waiting.h): it hands on progress, and a wish to
// stop.
#pragma once

#include "app/session/waiting.h"
#include "errors.h"

namespace lacuna::c {

void wait(session::Watch& watch, lacuna_run* run);
[[noreturn]] void fail_cancelled();

// `run` may be NULL.
template <class T>
session::Waited<T> wait_for(lacuna_run* run,
                            const job::RunOptions& options,
                            const session::Work<T>& work) {
  if (run != nullptr)
    needed(run, "run");
  session::Watch watch(run != nullptr && run->function != nullptr);
  Result<T> result = session::run_on_thread<T>(watch, options, work, [&] { wait(watch, run); });
  if (!result && watch.is_stopped())
    fail_cancelled();
  return {value_or_fail(std::move(result)), watch.take_notes(), watch.is_stopped()};
}

}  // namespace lacuna::c
