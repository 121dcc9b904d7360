// SPDX-License-Identifier: Apache-2.0
// Published tables that are open on the page, and what readers can infer from them alone: one
// object for files and options, computed in the background, one after the other. Other options are
// another object. Nothing confidential is known here.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "app/inference/infer_job.h"
#include "app/job/run_options.h"
#include "apps/serve/files.h"
#include "apps/serve/json.h"
#include "lacuna/result.h"

namespace lacuna::serve {

class PublishedTables {
 public:
  // Reads the files, and prepares what is asked of them. Errors: files that may not be read,
  // options that the command does not have, or that write files.
  static Result<std::shared_ptr<PublishedTables>> open(const std::vector<std::string>& files,
                                                       const Json& options,
                                                       Files& from);

  void execute();  // on a thread of its own
  void stop() { stop_.request_stop(); }

  int id = 0;
  bool is_over() const;
  // With all cells, or with what a list needs.
  Json json(bool whole) const;
  // "json", "certificate", "page" or "text". Errors: there is nothing yet, or no such thing.
  Result<std::string> exported(const std::string& what) const;
  std::string stem() const;  // of names of files that are made of it

 private:
  Status hold(const std::string& file, Files& from);
  Error shown(Error error) const;
  void finish(Result<inference::Inference> made);

  std::vector<std::string> files_, names_;  // as the page calls them, and as answers do
  Json asked_;
  inference::InferJob job_;
  job::RunOptions run_options_;
  std::vector<Lease> uploads_;
  std::vector<std::string> folders_;  // of jobs, which answers do not name
  std::stop_source stop_;

  struct Answer {  // what there is by now
    std::string state = "queued", message;
    Json error, progress;
    std::vector<std::string> notes;
    double seconds = 0;
    std::shared_ptr<const inference::Inference> made;
  };
  mutable std::mutex mutex_;  // of the answer
  Answer answer_;
};
using PublishedPtr = std::shared_ptr<PublishedTables>;

// All of them by number.
class PublishedList {
 public:
  PublishedList() = default;
  ~PublishedList();  // stops all and waits
  PublishedList(const PublishedList&) = delete;
  PublishedList& operator=(const PublishedList&) = delete;

  // Errors: too many are kept.
  Status add(const PublishedPtr& published);
  PublishedPtr find(int id) const;
  std::vector<PublishedPtr> all() const;
  bool forget(int id);
  bool is_busy() const;

 private:
  struct Working {
    PublishedPtr published;
    std::jthread thread;
  };
  void sweep();  // with the lock

  mutable std::mutex mutex_;
  std::mutex turn_;  // one computes, the others wait
  std::map<int, PublishedPtr> kept_;
  std::vector<Working> working_;
  int last_ = 0;
};

}  // namespace lacuna::serve
