// SPDX-License-Identifier: Apache-2.0
#include "core/platform/terminal.h"

#include <poll.h>
#include <pthread.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <thread>

namespace lacuna::platform {
namespace {

// A signal handler may only set a flag.
std::atomic<std::atomic<bool>*> interrupted = nullptr;  // NOLINT: signal handlers need a global

void on_interrupt(int) {
  if (std::atomic<bool>* flag = interrupted)
    *flag = true;
}

constexpr std::array kSignals = {SIGINT, SIGTERM};

}  // namespace

void prepare_streams() {}

std::optional<unsigned> columns_of_terminal() {
  winsize size{};
  if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col < 2)
    return std::nullopt;
  return size.ws_col;
}

bool enter_is_pressed() {
  pollfd keys{STDIN_FILENO, POLLIN, 0};
  if (poll(&keys, 1, 200) <= 0)
    return false;
  std::array<char, 256> typed{};
  const ssize_t count = tcgetpgrp(STDIN_FILENO) == getpgrp()
                            ? ::read(STDIN_FILENO, typed.data(), typed.size())
                            : -1;
  if (count <= 0)
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
  return count > 0 && std::find(typed.begin(), typed.end(), '\n') != typed.end();
}

void read_without_stopping() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGTTIN);  // reading in the background fails then, and stops nobody
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
}

struct CatchInterrupt::Before {  // the process may go on, with its own
  std::array<struct sigaction, kSignals.size()> actions{};
};

CatchInterrupt::CatchInterrupt(std::atomic<bool>& flag) : before_(std::make_unique<Before>()) {
  interrupted = &flag;
  struct sigaction action {};
  action.sa_handler = on_interrupt;
  action.sa_flags = static_cast<int>(SA_RESTART | SA_RESETHAND);  // once
  for (std::size_t i = 0; i < kSignals.size(); ++i)
    sigaction(kSignals[i], &action, &before_->actions[i]);
}

CatchInterrupt::~CatchInterrupt() {
  for (std::size_t i = 0; i < kSignals.size(); ++i)
    sigaction(kSignals[i], &before_->actions[i], nullptr);
  interrupted = nullptr;
}

struct EndWithTerminal::Before {
  struct sigaction action {};
};

EndWithTerminal::EndWithTerminal() : before_(std::make_unique<Before>()) {
  sigaction(SIGHUP, nullptr, &before_->action);
  if (before_->action.sa_handler == SIG_IGN)
    return;
  struct sigaction action {};
  action.sa_handler = [](int) { ::kill(::getpid(), SIGTERM); };
  sigaction(SIGHUP, &action, nullptr);
}

EndWithTerminal::~EndWithTerminal() {
  sigaction(SIGHUP, &before_->action, nullptr);
}

}  // namespace lacuna::platform
