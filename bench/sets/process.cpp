// SPDX-License-Identifier: Apache-2.0
#include "bench/sets/process.h"

#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <exception>
#include <mutex>

namespace lacuna::bench {
namespace {

constexpr int kPollMilliseconds = 100;
constexpr int kThrew = 3;
constexpr int kCannotRun = 127;

struct Pipe {
  int read = -1, write = -1;
};

bool open_pipe(Pipe& made) {
  int ends[2];
  if (pipe(ends) != 0)
    return false;
  made = {ends[0], ends[1]};
  return true;
}

void write_all(int file, const std::string& text) {
  std::size_t done = 0;
  while (done < text.size()) {
    const ssize_t written = write(file, text.data() + done, text.size() - done);
    if (written < 0 && errno == EINTR)
      continue;
    if (written <= 0)
      return;
    done += static_cast<std::size_t>(written);
  }
}

// Reads what is there; false at the end of the pipe.
bool read_some(int file, std::string& text) {
  std::array<char, 65536> buffer{};
  const ssize_t got = read(file, buffer.data(), buffer.size());
  if (got < 0)
    return errno == EINTR || errno == EAGAIN;
  text.append(buffer.data(), static_cast<std::size_t>(got));
  return got > 0;
}

struct Streams {
  Pipe out, err;
};

void read_until_closed(const Streams& streams,
                       pid_t child,
                       const ChildLimits& limits,
                       ChildResult& result,
                       std::string& errors) {
  const auto start = std::chrono::steady_clock::now();
  std::array<pollfd, 2> files{{{streams.out.read, POLLIN, 0}, {streams.err.read, POLLIN, 0}}};
  bool killed = false, told = limits.signal == 0;
  while (files[0].fd >= 0 || files[1].fd >= 0) {
    poll(files.data(), files.size(), told ? kPollMilliseconds : 1);
    if (!told && std::chrono::steady_clock::now() - start >= limits.patience) {
      kill(child, limits.signal);
      told = true;
    }
    for (std::size_t f = 0; f < files.size(); ++f) {
      if (files[f].fd >= 0 && files[f].revents != 0 &&
          !read_some(files[f].fd, f == 0 ? result.output : errors))
        files[f].fd = -1;
    }
    const bool late = std::chrono::steady_clock::now() - start > limits.longest;
    if (!killed && (late || limits.stop.stop_requested())) {
      kill(child, SIGKILL);
      killed = true;
      result.trouble = late ? "killed after the longest time" : "stopped";
    }
  }
}

double seconds_of(const timeval& time) {
  constexpr double kMicro = 1'000'000;
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / kMicro;
}

std::string last_line(std::string text) {
  while (!text.empty() && text.back() == '\n')
    text.pop_back();
  const std::size_t line = text.rfind('\n');
  return line == std::string::npos ? text : text.substr(line + 1);
}

void finish(pid_t child, const std::string& errors, ChildResult& result) {
  int status = 0;
  rusage usage{};
  while (wait4(child, &status, 0, &usage) < 0 && errno == EINTR) {
  }
  result.cpu_seconds = seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime);
  result.peak_kib = usage.ru_maxrss;
  result.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  result.finished = result.code == 0;
  if (result.finished || !result.trouble.empty())
    return;
  result.trouble = WIFSIGNALED(status) ? std::string("crashed: ") + strsignal(WTERMSIG(status))
                                       : "exit code " + std::to_string(WEXITSTATUS(status));
  if (!errors.empty())
    result.trouble += ": " + last_line(errors);
}

// In the child: default signals, so that Ctrl-C ends it at once, and only its own ends of the
// pipes.
void settle_child(const Streams& streams) {
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
  close(streams.out.read);
  close(streams.err.read);
}

template <class InChild>
ChildResult run_child(const ChildLimits& limits, InChild&& in_child) {
  // One at a time: a child that is forked beside another would hold the other's pipes open.
  static std::mutex forking;
  std::unique_lock alone(forking);
  ChildResult result;
  Streams streams;
  if (!open_pipe(streams.out) || !open_pipe(streams.err)) {
    result.trouble = "no pipe could be opened";
    return result;
  }
  const pid_t child = fork();
  if (child == 0) {
    alone.unlock();  // the child has a copy of its own, and may have children in turn
    settle_child(streams);
    _exit(in_child(streams));  // the parent's buffers are not flushed twice
  }
  close(streams.out.write);
  close(streams.err.write);
  alone.unlock();
  std::string errors;
  if (child < 0) {
    result.trouble = "no process could be started";
  } else {
    read_until_closed(streams, child, limits, result, errors);
    finish(child, errors, result);
  }
  close(streams.out.read);
  close(streams.err.read);
  return result;
}

}  // namespace

ChildResult run_apart(const std::function<std::string()>& work, const ChildLimits& limits) {
  return run_child(limits, [&](const Streams& streams) {
    try {
      write_all(streams.out.write, work());
      return 0;
    } catch (const std::exception& trouble) {
      write_all(streams.err.write, trouble.what());
    } catch (...) {
      write_all(streams.err.write, "unknown exception");
    }
    return kThrew;
  });
}

ChildResult run_program(const std::vector<std::string>& command, const ChildLimits& limits) {
  return run_child(limits, [&](const Streams& streams) {
    std::vector<char*> words;
    for (const std::string& word : command)
      words.push_back(const_cast<char*>(word.c_str()));  // NOLINT: execvp's old signature
    words.push_back(nullptr);
    dup2(streams.out.write, STDOUT_FILENO);
    dup2(streams.err.write, STDERR_FILENO);
    execvp(words[0], words.data());
    write_all(streams.err.write, command[0] + " cannot be run");
    return kCannotRun;
  });
}

}  // namespace lacuna::bench
