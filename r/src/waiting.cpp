// SPDX-License-Identifier: Apache-2.0
#include "waiting.h"

#include <R_ext/Utils.h>

#include <chrono>
#include <cmath>

namespace lacuna::r {
namespace {

constexpr std::chrono::milliseconds kPatience{50};

cpp11::sexp number_or_na(double number) {
  return cpp11::as_sexp(std::isnan(number) ? NA_REAL : number);
}

}  // namespace

void refuse_interrupted() {
  throw Refusal({ErrorCode::kStopped, "interrupted", "interrupt"});
}

void Waiting::wait() {
  while (!watch.is_done_within(kPatience)) {
    look_for_interrupt();
    tell_progress();
  }
}

// R leaves by a jump where it finds one; R_ToplevelExec() is where that jump ends.
void Waiting::look_for_interrupt() {
  if (R_ToplevelExec([](void*) { R_CheckUserInterrupt(); }, nullptr) == FALSE) {
    interrupted = true;
    watch.stop();
  }
}

void Waiting::tell_progress() {
  const std::optional<session::News> news = watch.take_news();
  if (!news || watch.is_stopped())
    return;
  NamedList told;
  told.text("phase", std::string_view(news->phase));
  told.number("share", news->progress.share);
  told.number("seconds", news->progress.seconds);
  told.add("seconds_left", number_or_na(news->progress.seconds_left));
  told.add("incumbent", number_or_na(news->progress.incumbent));
  told.add("bound", number_or_na(news->progress.bound));
  const cpp11::sexp list = told.list();
  const cpp11::sexp call = cpp11::safe[Rf_lang2](on_progress_, static_cast<SEXP>(list));
  int failed = 0;
  const SEXP answer = R_tryEvalSilent(call, R_GlobalEnv, &failed);
  if (failed != 0)
    interrupted = true;
  else if (TYPEOF(answer) == STRSXP)
    trouble = text_of(answer);
  if (interrupted || trouble)
    watch.stop();
}

}  // namespace lacuna::r
