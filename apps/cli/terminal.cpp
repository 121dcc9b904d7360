// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/terminal.h"

#include <fmt/core.h>
#include <unistd.h>

#include <atomic>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <string>
#include <thread>

namespace lacuna {
namespace {

// A signal handler may only set a flag; a watcher thread turns the flag into a stop request. The
// second Ctrl-C ends the program at once.
volatile std::sig_atomic_t interrupted = 0;  // NOLINT: signal handlers need a global

void on_interrupt(int signal) {
  interrupted = 1;
  std::signal(signal, SIG_DFL);
}

struct Watcher {
  std::stop_source source;
  std::jthread thread;
};
Watcher* watcher = nullptr;  // NOLINT: belongs to the one Interrupt of the process

constexpr auto kPoll = std::chrono::milliseconds(50);
constexpr auto kQuiet = std::chrono::seconds(2);
constexpr auto kBetween = std::chrono::milliseconds(100);
constexpr int kWidth = 30;

}  // namespace

Interrupt::Interrupt() {
  watcher = new Watcher;  // NOLINT: owned until the destructor
  watcher->thread = std::jthread([](const std::stop_token& ended) {
    while (!ended.stop_requested()) {
      if (interrupted != 0)
        watcher->source.request_stop();
      std::this_thread::sleep_for(kPoll);
    }
  });
  std::signal(SIGINT, on_interrupt);
  std::signal(SIGTERM, on_interrupt);
}

Interrupt::~Interrupt() {
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
  watcher->thread.request_stop();
  watcher->thread.join();
  delete watcher;  // NOLINT: see the constructor
  watcher = nullptr;
}

std::stop_token Interrupt::token() const {
  return watcher->source.get_token();
}

ProgressBar::ProgressBar() : start_(std::chrono::steady_clock::now()), last_(start_) {}

std::function<void(const Progress&)> ProgressBar::sink() {
  if (isatty(STDERR_FILENO) == 0)
    return {};
  return [this](const Progress& progress) { show(progress); };
}

void ProgressBar::show(const Progress& progress) {
  const auto now = std::chrono::steady_clock::now();
  if (now - start_ < kQuiet || now - last_ < kBetween)
    return;
  last_ = now;
  drawn_ = true;
  const int filled = static_cast<int>(progress.fraction * kWidth);
  std::string bar(static_cast<std::size_t>(kWidth), '.');
  for (int i = 0; i < filled && i < kWidth; ++i)
    bar[static_cast<std::size_t>(i)] = '#';
  const double seconds = std::chrono::duration<double>(now - start_).count();
  std::string costs;  // of a search that has found something
  if (std::isfinite(progress.incumbent) && progress.incumbent > 0) {
    const double gap = (progress.incumbent - progress.bound) / progress.incumbent * 100;
    costs = fmt::format(
        "best {:.10g} bound {:.10g} gap {:.2f}% ", progress.incumbent, progress.bound, gap);
  }
  std::fprintf(stderr,
               "\r%.*s [%s] %3.0f%% %s%.0f s ",
               static_cast<int>(progress.phase.size()),
               progress.phase.data(),
               bar.c_str(),
               progress.fraction * 100,
               costs.c_str(),
               seconds);
  std::fflush(stderr);
}

void ProgressBar::clear() {
  if (drawn_)
    std::fputs("\r\033[K", stderr);
  drawn_ = false;
}

}  // namespace lacuna
