// SPDX-License-Identifier: Apache-2.0
#include "run.h"

namespace lacuna::c {
namespace {

constexpr std::chrono::milliseconds kPatience{50};

void tell(session::Watch& watch, lacuna_run& run) {
  const std::optional<session::News> news = watch.take_news();
  if (!news || run.cancelled)
    return;
  const Progress& progress = news->progress;
  const lacuna_progress told{sizeof(lacuna_progress),
                             news->phase.c_str(),
                             progress.share,
                             progress.seconds,
                             progress.seconds_left,
                             progress.incumbent,
                             progress.bound};
  if (run.function(&told, run.user) != 0)
    run.cancelled = true;
}

}  // namespace

// The last news is told, too, so that even a short run is heard of.
void wait(session::Watch& watch, lacuna_run* run) {
  for (bool done = false; !done;) {
    if (run != nullptr && run->cancelled)
      watch.stop();
    done = watch.is_done_within(kPatience);
    if (run != nullptr && run->function != nullptr)
      tell(watch, *run);
  }
}

void fail_cancelled() {
  throw Failure{LACUNA_CANCELLED, "cancelled", "cancelled before there was a complete result"};
}

}  // namespace lacuna::c

extern "C" {

using namespace lacuna::c;

lacuna_status lacuna_run_new(lacuna_run** out, lacuna_error** error) {
  return guarded(error, [&] { place_of(out, "out") = new lacuna_run; });
}

lacuna_status lacuna_run_on_progress(lacuna_run* run,
                                     lacuna_progress_function function,
                                     void* user,
                                     lacuna_error** error) {
  return guarded(error, [&] {
    needed(run, "run").function = function;
    run->user = user;
  });
}

lacuna_status lacuna_run_cancel(lacuna_run* run, lacuna_error** error) {
  return guarded(error, [&] { needed(run, "run").cancelled = true; });
}

void lacuna_run_free(lacuna_run* run) {
  delete run;
}

}  // extern "C"
