// SPDX-License-Identifier: Apache-2.0
// All that the server holds: documents by number, runs by number, and the queue. A run begins when
// there are cores and memory for it; the others wait. Nothing here depends on who asks: a page that
// is loaded again finds everything as it was.
#pragma once

#include <condition_variable>
#include <map>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "apps/serve/document.h"
#include "apps/serve/run.h"

namespace lacuna::serve {

class Workspace {
 public:
  Workspace();
  ~Workspace();  // stops all runs and waits for them
  Workspace(const Workspace&) = delete;
  Workspace& operator=(const Workspace&) = delete;

  // Errors: too many are open.
  Result<DocumentPtr> add(const DocumentPtr& document);
  DocumentPtr document(int id) const;  // null: there is none
  std::vector<DocumentPtr> documents() const;
  // In the place of the one with its number, if that is still `before`; else nothing happens, and
  // the answer is false: somebody else was faster.
  bool replace(const DocumentPtr& before, const DocumentPtr& after);
  // Its runs, too. With `may_return` they can be had back until a few others were closed.
  bool close(int id, bool may_return = false);
  struct Closed {
    DocumentPtr document;  // null: runs alone
    std::vector<RunPtr> runs;
  };
  // That table or run, by its number; both 0: what was closed last.
  std::optional<Closed> reopen(int document, int run);

  Result<RunPtr> start(const DocumentPtr& document,
                       const std::string& command,
                       const Json& options,
                       Files& files);
  RunPtr run(int id) const;
  std::vector<RunPtr> runs(int document) const;  // 0: all
  bool forget(int id, bool may_return = false);
  // A run from a project: it is audited again before it can be seen.
  Result<RunPtr> restore(const DocumentPtr& document,
                         const std::string& command,
                         const Json& options,
                         Files& files,
                         KeptRun kept);

  int running() const;
  int queued() const;
  int cores() const { return cores_; }

 private:
  Result<int> next_run();
  void queue(const RunPtr& run);
  void keep_closed(Closed closed, std::optional<Closed>& gone);  // with the lock
  void dispatch();
  bool fits(const Run& run) const;  // with the lock
  void begin(const RunPtr& run);    // with the lock

  const int cores_;
  mutable std::mutex mutex_;
  std::condition_variable_any changed_;
  std::map<int, DocumentPtr> documents_;
  std::map<int, RunPtr> runs_;
  std::vector<Closed> closed_;
  std::vector<RunPtr> waiting_, working_;  // also those that are forgotten
  std::vector<std::jthread> threads_;
  std::vector<std::thread::id> ended_;
  int last_document_ = 0, last_run_ = 0;
  std::jthread dispatcher_;
};

}  // namespace lacuna::serve
