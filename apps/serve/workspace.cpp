// SPDX-License-Identifier: Apache-2.0
#include "apps/serve/workspace.h"

#include <algorithm>
#include <chrono>

#include "core/platform/system.h"

namespace lacuna::serve {
namespace {

constexpr std::size_t kMostDocuments = 100, kMostRuns = 500, kMostWaiting = 400, kMostClosed = 5;

// What the system could give now, bytes; where nobody knows, any number.
std::uint64_t available_memory() {
  return platform::available_memory().value_or(~std::uint64_t{0});
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

// What is let go is removed after the lock.
void Workspace::keep_closed(Closed closed, std::optional<Closed>& gone) {
  if (closed_.size() >= kMostClosed) {
    gone = std::move(closed_.front());
    closed_.erase(closed_.begin());
  }
  closed_.push_back(std::move(closed));
}

bool Workspace::close(int id, bool may_return) {
  Closed closed{document(id), runs(id)};
  for (const RunPtr& run : closed.runs)
    forget(run->id());
  if (!closed.document)
    return false;
  std::erase_if(closed.runs, [](const RunPtr& run) { return !run->is_over(); });
  std::optional<Closed> gone;
  const std::scoped_lock lock(mutex_);
  if (documents_.erase(id) == 0)
    return false;
  if (may_return)
    keep_closed(std::move(closed), gone);
  return true;
}

std::optional<Workspace::Closed> Workspace::reopen(int document, int run) {
  const std::scoped_lock lock(mutex_);
  const auto wanted = [&](const Closed& each) {
    if (document > 0)
      return each.document && each.document->id == document;
    return run <= 0 || (!each.document && each.runs.front()->id() == run);
  };
  const auto found = std::find_if(closed_.rbegin(), closed_.rend(), wanted);
  if (found == closed_.rend())
    return std::nullopt;
  Closed last = std::move(*found);
  closed_.erase(std::next(found).base());
  if (last.document)
    documents_[last.document->id] = last.document;
  for (const RunPtr& run : last.runs)
    runs_[run->id()] = run;
  return last;
}

// ---- runs

Result<RunPtr> Workspace::start(const DocumentPtr& document,
                                const std::string& command,
                                const Json& options,
                                Files& files) {
  LACUNA_TRY(const int id, next_run());
  LACUNA_TRY(const RunPtr run, Run::make(id, document, command, options, files));
  queue(run);
  return run;
}

Result<RunPtr> Workspace::restore(const DocumentPtr& document,
                                  const std::string& command,
                                  const Json& options,
                                  Files& files,
                                  KeptRun kept) {
  LACUNA_TRY(const int id, next_run());
  LACUNA_TRY(const RunPtr run, Run::make(id, document, command, options, files));
  run->keep(std::move(kept));
  queue(run);
  return run;
}

Result<int> Workspace::next_run() {
  const std::scoped_lock lock(mutex_);
  if (waiting_.size() >= kMostWaiting || runs_.size() >= kMostRuns)
    return Error{ErrorCode::kTooMany, "too many runs are kept; forget some", ""};
  return ++last_run_;
}

void Workspace::queue(const RunPtr& run) {
  const std::scoped_lock lock(mutex_);
  runs_[run->id()] = run;
  waiting_.push_back(run);
  changed_.notify_all();
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

bool Workspace::forget(int id, bool may_return) {
  const RunPtr run = this->run(id);
  if (!run)
    return false;
  const bool returns = may_return && run->is_over();
  if (!run->is_over())
    run->forget();
  std::optional<Closed> gone;
  const std::scoped_lock lock(mutex_);
  runs_.erase(id);
  if (returns)
    keep_closed({nullptr, {run}}, gone);
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
