// SPDX-License-Identifier: Apache-2.0
#include "app/plan/workers.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <deque>
#include <fstream>
#include <thread>

#include "app/job/run_options.h"

namespace lacuna::plan {
namespace {

struct Process {
  pid_t id = 0;
  std::size_t unit = 0;
};

bool start(const Unit& unit, const Workers& workers, pid_t& id) {
  std::vector<std::string> words{workers.program};
  for (const std::string& word : unit.arguments(workers.threads))
    words.push_back(word);
  std::vector<char*> argv;
  for (std::string& word : words)
    argv.push_back(word.data());
  argv.push_back(nullptr);
  const std::string log = unit.log_file(), out = unit.folder + "/run.json";
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  constexpr int kNew = O_CREAT | O_TRUNC | O_WRONLY;
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, out.c_str(), kNew, 0600);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, log.c_str(), kNew, 0600);
  const int failed =
      posix_spawn(&id, workers.program.c_str(), &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  return failed == 0;
}

// A part in which nothing is sensitive, or of which something was waived, is a result all the same;
// what is said of the table is the driver's.
bool has_result(job::ExitCode code) {
  return code == job::ExitCode::kDone || code == job::ExitCode::kUnasked ||
         code == job::ExitCode::kWaived;
}

std::string message_of(const Unit& unit, int status) {
  if (WIFEXITED(status) && has_result(static_cast<job::ExitCode>(WEXITSTATUS(status))))
    return "";
  if (WIFSIGNALED(status))
    return "the worker was killed (signal " + std::to_string(WTERMSIG(status)) + ")";
  const std::string said = last_words(unit);
  return said.empty() ? "the worker ended with " + std::to_string(WEXITSTATUS(status)) : said;
}

// The same without a process: for programs that are not `lacuna`.
std::string do_here(const Unit& unit, const RunContext& run) {
  job::ProtectJob job;
  job::RunOptions options;
  std::vector<BoundOption> bound = bind_options(job);
  for (BoundOption& option : bind_options(options))
    bound.push_back(std::move(option));
  for (const auto& [name, text] : unit.named_options()) {
    for (BoundOption& option : bound) {
      if (option.info.name != name)
        continue;
      if (const Status set = option.set({&text, 1}); !set)
        return set.error().text();
    }
  }
  job.input = unit.problem_file();
  job.outputs = {unit.result_file()};
  job.certificate = unit.certificate_file();
  options.threads = run.threads;
  const Result<job::JobOutput> done = job::run_job(job, options.context(run.stop));
  if (!done)
    return done.error().text();
  return has_result(done->code) ? "" : done->message;
}

class Crew {
 public:
  Crew(const std::vector<Unit>& units,
       const Workers& workers,
       const std::function<void(std::size_t, const std::string&)>& ended)
      : units_(units), workers_(workers), ended_(ended) {}

  void run(std::deque<std::size_t> todo, const RunContext& run) {
    while ((!todo.empty() || !busy_.empty()) && !run.braked()) {
      while (!todo.empty() && busy_.size() < static_cast<std::size_t>(workers_.at_once)) {
        begin(todo.front());
        todo.pop_front();
      }
      if (!look())
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    end_all();
  }

 private:
  void begin(std::size_t unit) {
    Process process{0, unit};
    if (start(units_[unit], workers_, process.id))
      busy_.push_back(process);
    else
      ended_(unit, "the worker cannot be started: " + workers_.program);
  }

  bool look() {  // whether one has ended
    for (std::size_t i = 0; i < busy_.size(); ++i) {
      int status = 0;
      if (waitpid(busy_[i].id, &status, WNOHANG) != busy_[i].id)
        continue;
      const Process process = busy_[i];
      busy_.erase(busy_.begin() + static_cast<std::ptrdiff_t>(i));
      ended_(process.unit, message_of(units_[process.unit], status));
      return true;
    }
    return false;
  }

  void end_all() {
    for (const Process& process : busy_)
      kill(process.id, SIGKILL);  // their files are whole or not there
    for (const Process& process : busy_) {
      int status = 0;
      waitpid(process.id, &status, 0);
      ended_(process.unit, "stopped");
    }
    busy_.clear();
  }

  const std::vector<Unit>& units_;
  const Workers& workers_;
  const std::function<void(std::size_t, const std::string&)>& ended_;
  std::vector<Process> busy_;
};

}  // namespace

std::string last_words(const Unit& unit) {
  std::ifstream file(unit.log_file());
  std::string line, last;
  while (std::getline(file, line)) {
    if (!line.empty())
      last = line;
  }
  return last;
}

void work_on(const std::vector<Unit>& units,
             const std::vector<std::size_t>& todo,
             const Workers& workers,
             const RunContext& run,
             const std::function<void(std::size_t, const std::string&)>& ended) {
  if (!workers.program.empty()) {
    Crew(units, workers, ended).run({todo.begin(), todo.end()}, run);
    return;
  }
  for (const std::size_t unit : todo) {
    if (run.braked())
      return;
    ended(unit, do_here(units[unit], run));
  }
}

}  // namespace lacuna::plan
