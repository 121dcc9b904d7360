// SPDX-License-Identifier: Apache-2.0
// One run in the background: a protection, an audit or a job of tau-ARGUS, from the queue to its
// end. Anyone may look at it, stop it or forget it while it works.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "app/job/jobs.h"
#include "app/session/session.h"
#include "apps/serve/document.h"
#include "apps/serve/json.h"
#include "lacuna/report.h"

namespace lacuna::serve {

// What came out of a run: a release that passed the audit, or an audit.
struct Outcome {
  std::shared_ptr<const session::SessionRelease> release;
  std::shared_ptr<const session::SessionAudit>
      audit;  // of the release with intervals, or of what was asked
  std::vector<session::SessionArgusTable> tables;  // of a job of tau-ARGUS
};

// One table with what readers see of it, and what was found: of a run or of its table.
struct Seen {
  const Problem* problem = nullptr;
  const Draft* draft = nullptr;
  const AuditReport* report = nullptr;
  std::vector<LinkedTable> tables;
  std::vector<std::string> reasons;
  std::vector<PageColumn> columns{};   // what is published beside the cells
  const job::AuditOutcome* audit = nullptr;
  std::shared_ptr<const void> keeper;  // of all of them
};

// What a project has of a run that has ended (project.h): how it went, and its release.
struct KeptRun {
  Json told;                                // as json() told it
  std::optional<session::SavedRelease> release;  // of a run that had one
};

class Run {
 public:
  // Errors: options that the command does not have, files that may not be read.
  static Result<std::shared_ptr<Run>> make(
      int id, DocumentPtr document, const std::string& command, const Json& options, Files& files);

  // In the place of a run: what came out of it before, which is audited again.
  void keep(KeptRun kept) { kept_ = std::move(kept); }

  void execute();  // on a thread of its own
  void stop();     // with the best so far; one that has not begun is cancelled
  void forget() {
    forgotten_ = true;
    stop();
  }

  int id() const { return id_; }
  const Document& document() const { return *document_; }
  int threads() const;                  // that it will use
  std::uint64_t memory_wanted() const;  // about, bytes
  bool is_over() const;
  bool is_queued() const;
  std::int64_t version() const;  // grows with every news
  Json json(bool with_history) const;
  Outcome outcome() const;
  // Everything that the command line reads (repeat.h).
  Result<std::string> repeat_archive() const;
  Result<std::map<std::string, std::string>> files_to_repeat() const;
  Result<Seen> seen(int table) const;  // Errors: there is nothing to see yet

 private:
  Run() = default;
  Status prepare(const Json& options, Files& files);
  void hold_uploads(const Json& options, Files& files);
  void protect(const RunContext& run);
  void audit(const RunContext& run);
  void argus(const RunContext& run);
  void restore(const RunContext& run);
  void held(std::shared_ptr<session::SessionRelease> release, const RunContext& run);
  void look_closer(const session::SessionRelease& release, const RunContext& run);
  void fail(const Error& error);
  void set_state(const std::string& state);
  RunContext context();

  int id_ = 0;
  DocumentPtr document_;
  std::string command_;
  Json asked_;
  session::GivenOptions given_,
      shown_;  // with the paths of files, and with the names that they go by
  load::Inputs named_;
  job::RunOptions run_options_;
  job::ProtectJob protect_job_;
  job::AuditJob audit_job_;
  std::vector<Lease> uploads_;  // that its options name
  std::optional<KeptRun> kept_;
  std::stop_source stop_;
  std::atomic<bool> forgotten_{false};

  mutable std::mutex mutex_;  // of all below
  std::string state_ = "queued", message_;
  std::int64_t version_ = 1;
  Json progress_, error_, summary_, lifted_;
  struct Ended {
    bool needs_word = false;
    bool stopped = false;      // by hand, before it was through
    bool reproducible = true;  // no brake from outside has shaped the result
  } ended_;
  std::string verdict_;
  std::vector<std::array<double, 3>> history_;
  std::vector<std::string> notes_;
  double seconds_ = 0;
  std::chrono::steady_clock::time_point begun_{};
  Outcome outcome_;
};
using RunPtr = std::shared_ptr<Run>;

// Nothing was asked, and neither a rule nor an option says that this is meant: public files need a
// word of their own.
bool needs_word(const session::SessionRelease& release);

// Options of a call as the command line would have them. Files are found where the page may read.
// Errors: a file that may not be read, an option that writes a file.
Result<session::GivenOptions> given_options(const Json& options,
                                            const std::string& command,
                                            const Files& files);
Result<session::GivenOptions> given_options(const Json& options,
                                            const std::vector<OptionInfo>& known,
                                            const Files& files);

}  // namespace lacuna::serve
