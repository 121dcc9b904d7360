// SPDX-License-Identifier: Apache-2.0
#include "apps/serve/workspace.h"

#include <algorithm>
#include <chrono>
#include <fstream>

namespace lacuna::serve {
namespace {

constexpr std::size_t kMostDocuments = 100, kMostRuns = 500, kMostWaiting = 400;

// What the system could give now, bytes.
std::uint64_t available_memory() {
  std::ifstream file("/proc/meminfo");
  std::string name, unit;
  std::uint64_t kilobytes = 0;
  while (file >> name >> kilobytes) {
    if (name == "MemAvailable:")
      return kilobytes * 1024;
    std::getline(file, unit);
  }
  return ~std::uint64_t{0};  // nobody knows
}

}  // namespace

Workspace::Workspace()
    : cores_(job::RunOptions{}.context({}).threads),
      dispatcher_([this](const std::stop_token& stop) {
        std::unique_lock lock(mutex_);
        while (!stop.stop_requested()) {
          dispatch();
          changed_.wait_for(lock, stop, std::chrono::milliseconds(500), [] { return false; });
        }
      }) {}

Workspace::~Workspace() {
  dispatcher_.request_stop();
  dispatcher_.join();
  std::vector<std::jthread> threads;
  {
    const std::scoped_lock lock(mutex_);
    for (const RunPtr& run : working_)
      run->forget();
    threads = std::move(threads_);
  }
}  // the threads are waited for

// ---- documents

Result<DocumentPtr> Workspace::add(const DocumentPtr& document) {
  const std::scoped_lock lock(mutex_);
  if (documents_.size() >= kMostDocuments)
    return Error{ErrorCode::kTooMany, "too many tables are open; close one", ""};
  auto numbered = std::make_shared<Document>(*document);
  numbered->id = ++last_document_;
  documents_[numbered->id] = numbered;
  return DocumentPtr(numbered);
}

DocumentPtr Workspace::document(int id) const {
  const std::scoped_lock lock(mutex_);
  const auto found = documents_.find(id);
  return found == documents_.end() ? nullptr : found->second;
}

std::vector<DocumentPtr> Workspace::documents() const {
  const std::scoped_lock lock(mutex_);
  std::vector<DocumentPtr> all;
  for (const auto& [id, document] : documents_)
    all.push_back(document);
  return all;
}

bool Workspace::replace(const DocumentPtr& before, const DocumentPtr& after) {
  const std::scoped_lock lock(mutex_);
  const auto found = documents_.find(before->id);
  if (found == documents_.end() || found->second != before)
    return false;
  found->second = after;
  return true;
}

bool Workspace::close(int id) {
  for (const RunPtr& run : runs(id))
    forget(run->id());
  const std::scoped_lock lock(mutex_);
  return documents_.erase(id) > 0;
}

// ---- runs

Result<RunPtr> Workspace::start(const DocumentPtr& document,
                                const std::string& command,
                                const Json& options,
                                Files& files) {
  int id = 0;
  {
    const std::scoped_lock lock(mutex_);
    if (waiting_.size() >= kMostWaiting || runs_.size() >= kMostRuns)
      return Error{ErrorCode::kTooMany, "too many runs are kept; forget some", ""};
    id = ++last_run_;
  }
  LACUNA_TRY(const RunPtr run, Run::make(id, document, command, options, files));
  const std::scoped_lock lock(mutex_);
  runs_[id] = run;
  waiting_.push_back(run);
  changed_.notify_all();
  return run;
}

RunPtr Workspace::run(int id) const {
  const std::scoped_lock lock(mutex_);
  const auto found = runs_.find(id);
  return found == runs_.end() ? nullptr : found->second;
}

std::vector<RunPtr> Workspace::runs(int document) const {
  const std::scoped_lock lock(mutex_);
  std::vector<RunPtr> some;
  for (const auto& [id, run] : runs_) {
    if (document == 0 || run->document().id == document)
      some.push_back(run);
  }
  return some;
}

bool Workspace::forget(int id) {
  const RunPtr run = this->run(id);
  if (!run)
    return false;
  run->forget();
  const std::scoped_lock lock(mutex_);
  runs_.erase(id);
  changed_.notify_all();
  return true;
}

int Workspace::running() const {
  const std::scoped_lock lock(mutex_);
  return static_cast<int>(working_.size());
}

int Workspace::queued() const {
  const std::scoped_lock lock(mutex_);
  return static_cast<int>(waiting_.size());
}

// ---- the queue

bool Workspace::fits(const Run& run) const {
  if (working_.empty())
    return true;
  int used = run.threads();
  for (const RunPtr& other : working_)
    used += other->threads();
  return used <= cores_ && run.memory_wanted() < available_memory() / 2;
}

void Workspace::begin(const RunPtr& run) {
  working_.push_back(run);
  threads_.emplace_back([this, run] {
    run->execute();
    const std::scoped_lock lock(mutex_);
    std::erase(working_, run);
    ended_.push_back(std::this_thread::get_id());
    changed_.notify_all();
  });
}

// In the order in which they came: a large run is not passed by small ones for ever.
void Workspace::dispatch() {
  std::erase_if(threads_, [&](std::jthread& thread) {
    const bool over = std::find(ended_.begin(), ended_.end(), thread.get_id()) != ended_.end();
    if (over)
      thread.join();  // it has nothing left to do but to return
    return over;
  });
  ended_.clear();
  while (!waiting_.empty()) {
    const RunPtr next = waiting_.front();
    if (!next->is_queued()) {
      waiting_.erase(waiting_.begin());
      continue;
    }
    if (!fits(*next))
      return;
    waiting_.erase(waiting_.begin());
    begin(next);
  }
}

}  // namespace lacuna::serve
