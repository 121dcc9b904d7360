// SPDX-License-Identifier: Apache-2.0
#include "core/platform/process.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <thread>

#ifdef __APPLE__
extern char** environ;  // NOLINT: the system's own, which its headers leave out
#endif

namespace lacuna::platform {
namespace {

constexpr std::size_t kFirstHanded = 100;  // a descriptor that nothing else has

class Actions {
 public:
  Actions() { posix_spawn_file_actions_init(&actions_); }
  Actions(const Actions&) = delete;
  Actions& operator=(const Actions&) = delete;
  ~Actions() { posix_spawn_file_actions_destroy(&actions_); }

  void redirect(int stream, const Redirection& to) {
    constexpr int kNew = O_CREAT | O_TRUNC | O_WRONLY;
    const int way = stream == STDIN_FILENO ? O_RDONLY : O_WRONLY;
    if (to.kind == Redirection::Kind::kNothing)
      posix_spawn_file_actions_addopen(&actions_, stream, "/dev/null", way, 0);
    else if (to.kind == Redirection::Kind::kNewFile)
      posix_spawn_file_actions_addopen(&actions_, stream, to.file.c_str(), kNew, 0600);
    else if (to.kind == Redirection::Kind::kMemory)
      posix_spawn_file_actions_adddup2(&actions_, to.memory->descriptor(), stream);
  }
  void hand(const MemoryFile& file, std::size_t k) {
    posix_spawn_file_actions_adddup2(
        &actions_, file.descriptor(), static_cast<int>(kFirstHanded + k));
  }
  const posix_spawn_file_actions_t* get() const { return &actions_; }

 private:
  posix_spawn_file_actions_t actions_{};
};

std::optional<pid_t> spawn(const std::vector<std::string>& words, const Process::Streams& streams) {
  std::vector<char*> argv;
  for (const std::string& word : words)
    argv.push_back(const_cast<char*>(word.c_str()));  // NOLINT: the old signature
  argv.push_back(nullptr);
  Actions actions;
  actions.redirect(STDIN_FILENO, streams.input);
  actions.redirect(STDOUT_FILENO, streams.output);
  actions.redirect(STDERR_FILENO, streams.errors);
  for (std::size_t k = 0; k < streams.handed.size(); ++k)
    actions.hand(*streams.handed[k], k);
  pid_t id = 0;
  if (posix_spawnp(&id, argv[0], actions.get(), nullptr, argv.data(), environ) != 0)
    return std::nullopt;
  return id;
}

std::optional<Ending> ending(pid_t id, int options) {
  int status = 0;
  pid_t ended = 0;
  do {
    ended = ::waitpid(id, &status, options);
  } while (ended < 0 && errno == EINTR);
  if (ended != id)
    return std::nullopt;
  return WIFEXITED(status) ? Ending{WEXITSTATUS(status), 0} : Ending{0, WTERMSIG(status)};
}

// Whether the program is still there, or has ended well: some open the page and go, others are the
// browser itself and stay.
bool has_begun(pid_t id) {
  for (int tenth = 0; tenth < 20; ++tenth) {
    if (const auto ended = ending(id, WNOHANG))
      return ended->signal == 0 && ended->code == 0;
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  return true;
}

}  // namespace

std::optional<Process> Process::start(const std::vector<std::string>& words,
                                      const Streams& streams) {
  const auto id = spawn(words, streams);
  if (!id)
    return std::nullopt;
  Process process;
  process.id_ = *id;
  return process;
}

std::optional<Ending> Process::look() const {
  return ending(static_cast<pid_t>(id_), WNOHANG);
}

std::optional<Ending> Process::wait() const {
  return ending(static_cast<pid_t>(id_), 0);
}

void Process::kill() const {
  ::kill(static_cast<pid_t>(id_), SIGKILL);
  wait();
}

std::string handed_path(const MemoryFile&, std::size_t k) {
  return "/dev/fd/" + std::to_string(kFirstHanded + k);
}

void in_forked_children(void (*call)()) {
  ::pthread_atfork(nullptr, nullptr, call);
}

bool open_in_browser(const std::string& file) {
  const Redirection nothing{Redirection::Kind::kNothing};
  for (const char* program : {"xdg-open", "sensible-browser", "open"}) {
    const auto id = spawn({program, file}, {{}, nothing, nothing});
    if (id && has_begun(*id))
      return true;
  }
  return false;
}

}  // namespace lacuna::platform
