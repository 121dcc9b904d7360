// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/terminal.h"

#include <fmt/core.h>

#include <atomic>
#include <cmath>
#include <cstdio>
#include <string>
#include <thread>

#include "app/job/progress_line.h"
#include "core/platform/file.h"
#include "core/platform/terminal.h"

namespace lacuna {
namespace {

// What catches the signal may only set a flag; a watcher thread turns the flag into a stop request.
// The second Ctrl-C ends the program at once.
struct Watcher {
  std::stop_source source;
  std::atomic<bool> interrupted = false;
  platform::CatchInterrupt caught{interrupted};
  std::jthread thread;
};
Watcher* watcher = nullptr;  // NOLINT: belongs to the one Interrupt of the process

constexpr auto kPoll = std::chrono::milliseconds(50);
constexpr auto kQuiet = std::chrono::seconds(2);
constexpr auto kBetween = std::chrono::milliseconds(100);
constexpr auto kLine = std::chrono::seconds(10);
constexpr std::size_t kWidth = 20;  // of the bar alone

// A line that is longer than the terminal is wide would leave its beginnings behind.
std::string cut_to_terminal(const std::string& line) {
  const auto columns = platform::columns_of_terminal();
  return columns ? line.substr(0, *columns - 1U) : line;
}

}  // namespace

Interrupt::Interrupt() {
  watcher = new Watcher;  // NOLINT: owned until the destructor
  watcher->thread = std::jthread([](const std::stop_token& ended) {
    while (!ended.stop_requested()) {
      if (watcher->interrupted)
        watcher->source.request_stop();
      std::this_thread::sleep_for(kPoll);
    }
  });
}

Interrupt::~Interrupt() {
  delete watcher;  // NOLINT: see the constructor; its thread ends first
  watcher = nullptr;
}

std::stop_token Interrupt::token() const {
  return watcher->source.get_token();
}

ProgressBar::ProgressBar()
    : terminal_(platform::is_terminal(platform::Stream::kErrors)),
      start_(std::chrono::steady_clock::now()),
      last_(start_) {}

std::function<void(const Progress&)> ProgressBar::sink() {
  return [this](const Progress& progress) { show(progress); };
}

bool ProgressBar::is_time() const {
  const auto now = std::chrono::steady_clock::now();
  return terminal_ ? now - start_ >= kQuiet && now - last_ >= kBetween : now - last_ >= kLine;
}

void ProgressBar::show(const Progress& progress) {
  if (!is_time())
    return;
  last_ = std::chrono::steady_clock::now();
  if (!first_told_ && std::isfinite(progress.first_seconds)) {
    first_told_ = true;
    clear();
    fmt::print(stderr, "lacuna: first safe result after {:.1f} s\n", progress.first_seconds);
  }
  if (terminal_) {
    const auto filled = static_cast<std::size_t>(progress.share * kWidth);
    const std::string bar = std::string(filled, '#') + std::string(kWidth - filled, '.');
    const std::string line = "[" + bar + "] " + job::progress_line(progress);
    fmt::print(stderr, "\r{}\033[K", cut_to_terminal(line));
    drawn_ = true;
  } else {
    fmt::print(stderr, "lacuna: {}\n", job::progress_line(progress));
  }
  std::fflush(stderr);
}

void ProgressBar::clear() {
  if (drawn_)
    std::fputs("\r\033[K", stderr);
  drawn_ = false;
}

}  // namespace lacuna
