// SPDX-License-Identifier: Apache-2.0
#include "app/session/waiting.h"

namespace lacuna::session {

RunContext Watch::context(const job::RunOptions& options) {
  RunContext run = options.context(stop_.get_token());
  run.log = [this](std::string_view note) {
    const std::scoped_lock lock(mutex_);
    notes_.emplace_back(note);
  };
  if (listens_) {
    run.on_progress = [this](const Progress& progress) {
      const std::scoped_lock lock(mutex_);
      latest_ = News{progress, std::string(progress.phase)};
    };
  }
  return run;
}

void Watch::finish() {
  const std::scoped_lock lock(mutex_);
  done_ = true;
  changed_.notify_all();
}

bool Watch::is_done_within(std::chrono::milliseconds patience) {
  std::unique_lock lock(mutex_);
  return changed_.wait_for(lock, patience, [this] { return done_; });
}

void Watch::wait_until_done() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return done_; });
}

std::optional<News> Watch::take_news() {
  const std::scoped_lock lock(mutex_);
  std::optional<News> news;
  news.swap(latest_);
  return news;
}

}  // namespace lacuna::session
