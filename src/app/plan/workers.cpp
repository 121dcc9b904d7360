// SPDX-License-Identifier: Apache-2.0
#include "app/plan/workers.h"

#include <chrono>
#include <deque>
#include <fstream>
#include <optional>
#include <thread>

#include "app/job/run_options.h"
#include "core/platform/process.h"

namespace lacuna::plan {
namespace {

struct Worker {
  platform::Process process;
  std::size_t unit = 0;
};

std::optional<platform::Process> start(const Unit& unit, const Workers& workers) {
  std::vector<std::string> words{workers.program};
  for (const std::string& word : unit.arguments(workers.threads))
    words.push_back(word);
  using Kind = platform::Redirection::Kind;
  return platform::Process::start(words,
                                  {{Kind::kNothing},
                                   {Kind::kNewFile, unit.folder + "/run.json"},
                                   {Kind::kNewFile, unit.log_file()}});
}

// A part in which nothing is sensitive, or of which something was waived, is a result all the same;
// what is said of the table is the driver's.
bool has_result(job::ExitCode code) {
  return code == job::ExitCode::kDone || code == job::ExitCode::kUnasked ||
         code == job::ExitCode::kWaived;
}

std::string message_of(const Unit& unit, const platform::Ending& ended) {
  if (ended.signal != 0)
    return "the worker was killed (signal " + std::to_string(ended.signal) + ")";
  if (has_result(static_cast<job::ExitCode>(ended.code)))
    return "";
  const std::string said = last_words(unit);
  return said.empty() ? "the worker ended with " + std::to_string(ended.code) : said;
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
    if (const auto process = start(units_[unit], workers_))
      busy_.push_back({*process, unit});
    else
      ended_(unit, "the worker cannot be started: " + workers_.program);
  }

  bool look() {  // whether one has ended
    for (std::size_t i = 0; i < busy_.size(); ++i) {
      const auto ending = busy_[i].process.look();
      if (!ending)
        continue;
      const std::size_t unit = busy_[i].unit;
      busy_.erase(busy_.begin() + static_cast<std::ptrdiff_t>(i));
      ended_(unit, message_of(units_[unit], *ending));
      return true;
    }
    return false;
  }

  void end_all() {
    for (const Worker& worker : busy_) {
      worker.process.kill();  // its files are whole or not there
      ended_(worker.unit, "stopped");
    }
    busy_.clear();
  }

  const std::vector<Unit>& units_;
  const Workers& workers_;
  const std::function<void(std::size_t, const std::string&)>& ended_;
  std::vector<Worker> busy_;
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
