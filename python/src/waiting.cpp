// SPDX-License-Identifier: Apache-2.0
#include "waiting.h"

#include <cmath>

namespace lacuna::python {
namespace {

constexpr std::chrono::milliseconds kPatience{100};

nb::object number_or_none(double number) {
  return std::isnan(number) ? nb::none() : nb::object(nb::float_(number));
}

nb::dict as_dict(const Waiting::News& news) {
  const Progress& progress = news.progress;
  nb::dict out;
  out["phase"] = nb::str(news.phase.c_str(), news.phase.size());
  out["share"] = progress.share;
  out["seconds"] = progress.seconds;
  out["seconds_left"] = number_or_none(progress.seconds_left);
  out["incumbent"] = number_or_none(progress.incumbent);
  out["bound"] = number_or_none(progress.bound);
  return out;
}

}  // namespace

RunContext Waiting::context(const RunOptions& options) {
  RunContext run = options.context(stop_.get_token());
  run.log = [this](std::string_view note) {
    const std::scoped_lock lock(mutex_);
    notes.emplace_back(note);
  };
  if (!on_progress_.is_none()) {
    run.on_progress = [this](const Progress& progress) {
      const std::scoped_lock lock(mutex_);
      latest_ = News{progress, std::string(progress.phase)};
    };
  }
  return run;
}

void Waiting::finish() {
  const std::scoped_lock lock(mutex_);
  done_ = true;
  changed_.notify_all();
}

void Waiting::wait() {
  for (;;) {
    {
      const nb::gil_scoped_release released;
      std::unique_lock lock(mutex_);
      if (changed_.wait_for(lock, kPatience, [this] { return done_; }))
        return;
    }
    look_for_signals();
    tell_progress();
  }
}

void Waiting::stop_by(nb::python_error error) {
  stop_.request_stop();
  if (error.matches(PyExc_KeyboardInterrupt))
    interrupted = true;
  else if (!trouble)
    trouble.emplace(std::move(error));
}

void Waiting::look_for_signals() {
  if (PyErr_CheckSignals() != 0)
    stop_by(nb::python_error());
}

void Waiting::tell_progress() {
  std::optional<News> news;
  {
    const std::scoped_lock lock(mutex_);
    news.swap(latest_);
  }
  if (!news || stop_.stop_requested())
    return;
  try {
    on_progress_(as_dict(*news));
  } catch (nb::python_error& error) {
    stop_by(std::move(error));
  }
}

}  // namespace lacuna::python
