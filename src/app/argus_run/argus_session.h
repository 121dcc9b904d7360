// SPDX-License-Identifier: Apache-2.0
// A tau-ARGUS job at work: what its commands have opened, computed and protected so far, its log,
// and what it has written. Tables that share cells with tables protected before are protected with
// these: what is published already stays published, what is withheld stays withheld, also where the
// table itself is protected again, and after <CLEAR>.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/argus_run/argus_notes.h"
#include "app/argus_run/argus_protect.h"
#include "data/argus/batch.h"
#include "data/argus/found_file.h"
#include "data/argus/logbook.h"
#include "data/argus/metadata.h"
#include "data/argus/microdata.h"
#include "data/argus/table.h"
#include "lacuna/result.h"
#include "lacuna/run_context.h"

namespace lacuna::argus_run {

struct ArgusTable {  // of the session
  std::string name;  // "table 1"
  std::size_t source = 0;
  argus::SpecifyTable spec;
  argus::SafetyRule rules;
  bool has_rules = false, is_read = false, is_written = false;
  std::vector<argus::AppliedRecode> recodes;
  std::vector<std::pair<argus::Apriori, std::string>> apriori;  // with their paths
  argus::Table given;                                           // before any method
  argus::Table now;
  std::shared_ptr<ArgusRelease> release;  // of this table, perhaps with others
  std::size_t place = 0;                  // in that release
  bool is_public = false;  // readers may see it as it is; said when the job or its part ends
};

// What a file for readers shows of a table: it stays so, whatever <APRIORI>, <SUPPRESS> or <CLEAR>
// do to the table afterwards.
struct ArgusShown {
  std::string name;
  std::optional<std::size_t> owner;  // table of the session; none after <CLEAR>
  argus::Table table;                // as it was given, with what the release made of it
  std::string method;                // of its release; "suppress" for a table as it is
  ArgusSingletons singletons;
};

// A table of the same data that readers have or will have beside the ones at hand.
struct ArgusRelatedTable {
  std::string name;
  argus::Table table;
  std::optional<std::size_t> index;  // of the session, if its release may still be replaced
  bool is_written = false, is_cleared = false;
  std::string method;
  ArgusSingletons singletons;
};

struct ArgusSource {
  argus::DataKind kind = argus::DataKind::kMicrodata;
  std::string path;
  argus::Metadata metadata;
  std::optional<argus::Microdata> records;
};

struct ArgusRunRow {                // one <SUPPRESS>
  std::vector<std::size_t> tables;  // from 1
  std::string old_method;
  publish::RunSummary summary;
};

enum class ArgusMode : std::uint8_t {
  kCheck,   // everything is read and told, nothing is protected or written
  kNoFile,  // all is done, and no file is written
  kWrite,
};

class ArgusSession {
 public:
  ArgusSession(const argus::Batch& batch, std::string path, ArgusMode mode, const RunContext& run);

  void look_in(const std::string& folder) { finder_.add_folder_of(folder + "/."); }
  void log_to(std::string path) { log_path_ = std::move(path); }  // unless the job names a file
  void on_unasked(job::UnaskedRule rule) { unasked_ = rule; }

  // Errors are placed at the command; the log has them, too.
  Status run_all();

  const std::vector<ArgusTable>& tables() const { return tables_; }
  const std::vector<ArgusSource>& sources() const { return sources_; }
  const std::vector<ArgusRunRow>& rows() const { return rows_; }
  const std::vector<std::string>& written() const { return written_; }
  // That of what the job let out: unasked or waived in parts, or done.
  job::ExitCode code() const;
  const ArgusEnding& ending() const { return ending_; }  // of a job that was refused
  const std::vector<ArgusNote>& notes() const { return notes_; }
  const std::string& log() const { return log_.text(); }
  // Those before each <CLEAR>, and the last ones. The session is at its end.
  std::vector<std::vector<ArgusTable>> take_tables() {
    cleared_.push_back(std::move(tables_));
    return std::move(cleared_);
  }
  const std::vector<std::string>& inputs() const { return finder_.found(); }
  const std::vector<argus::Suppress>& planned() const { return planned_; }
  const ArgusWishes& wishes() const { return wishes_; }

 private:
  template <class Action>
  Status execute(const Action&) {
    return ok_status();
  }
  Status execute(const argus::OpenMicrodata& open);
  Status execute(const argus::OpenTableData& open);
  Status execute(const argus::OpenMetadata& open);
  Status execute(const argus::SpecifyTable& spec);
  Status execute(const argus::SafetyRule& rules);
  Status execute(const argus::ReadMicrodata& read);
  Status execute(const argus::ReadTable& read);
  Status execute(const argus::Apriori& apriori);
  Status execute(const argus::Recode& recode);
  Status execute(const argus::Suppress& suppress);
  Status execute(const argus::WriteTable& write);
  Status execute(const argus::Solver& solver);
  Status execute(const argus::Logbook& logbook);
  Status execute(const argus::VersionInfo& info);
  Status execute(const argus::Clear& clear);
  Status execute(const argus::GoInteractive& go);
  Status execute(const argus::Comment& comment);
  Status execute(const argus::Own& own);

  Result<std::string> find_file(const argus::Word& file);
  Status open_data(const argus::Word& file, argus::DataKind kind);
  Status make(ArgusTable& table);
  Status apply(ArgusTable& table, const argus::Apriori& apriori, const std::string& path);
  void tell_table(std::size_t index);
  Result<ArgusTable*> table_at(int number);

  // Tables that readers see together with these: released, or shown in a file.
  std::vector<ArgusRelatedTable> beside(const std::vector<std::size_t>& which) const;
  bool is_related(const ArgusRelatedTable& other, const std::vector<std::size_t>& which) const;
  ArgusRequest request_for(const std::vector<std::size_t>& which,
                           const std::vector<ArgusRelatedTable>& others) const;
  // ... for the command at hand, with its cell keys.
  ArgusRequest request_for(const argus::Suppress& suppress,
                           const std::vector<std::size_t>& which,
                           const std::vector<ArgusRelatedTable>& others) const;
  Status execute_each(const argus::Suppress& suppress);  // of table 0
  Status choose_cell_keys(const argus::Suppress& suppress);
  Status protect_alone(const argus::Suppress& suppress,
                       const std::vector<std::size_t>& which,
                       const ArgusSingletons& singletons);
  Status protect_with_related(const argus::Suppress& suppress,
                              const std::vector<std::size_t>& which,
                              std::vector<ArgusRelatedTable> others);
  Status protect_anew(const argus::Suppress& suppress,
                      const std::vector<std::size_t>& which,
                      const std::vector<ArgusRelatedTable>& others,
                      const std::string& why);
  // Files of the part before <CLEAR> are of another job; where they cannot be kept to, readers of
  // the log are told. `method`: only those that clash with it; empty: all.
  void leave_cleared(std::vector<ArgusRelatedTable>& others,
                     const std::string& method,
                     const std::string& why);
  void take(const std::string& old_method,
            ArgusRelease release,
            const std::vector<std::size_t>& which,
            const std::vector<ArgusRelatedTable>& others);
  void remember_shown(std::size_t which);
  // The release of a table: that of its <SUPPRESS>, else the table as it is if the audit passes it
  // beside all others.
  Status need_release(std::size_t which);
  Status need_intervals(ArgusTable& table);
  Result<std::string> report_page(const ArgusTable& table) const;  // for the office
  std::string reader_page(const ArgusTable& table) const;
  Status write_files(const std::vector<std::pair<std::string, std::string>>& files);
  // A file of "//lacuna: public", "certificate" or "result".
  Status write_one(const std::string& name, const ArgusRelease& release, const std::string& path);
  Status check_target(const std::string& path) const;
  bool checks() const { return mode_ == ArgusMode::kCheck; }
  // Notes the file; false if none is to be written.
  bool writes(const std::string& path);
  // Whether readers must not see the table as it is without a release.
  bool hides(std::size_t which) const;
  void settle_tables();
  // Whether something is asked of the table: a rule was applied, or cells of it or of tables beside
  // it are unsafe.
  bool is_asked(std::size_t which) const;
  // Before a file for readers. Errors: nothing is asked of the table, and nobody says that this is
  // meant.
  Status need_question(std::size_t which);

  Status own_wish(const argus::Own& own);
  Status own_output(const argus::Own& own);

  void note(const std::string& text);
  void warn(const std::string& text);
  void differently(const std::string& text);  // than tau-ARGUS does it
  void start_notes();
  void take_finder_notes();
  Status save_log();
  Error placed(Error error) const;
  Error at(const argus::Word& word, std::string message) const;

  const argus::Batch& batch_;
  std::string path_;  // of the job
  ArgusMode mode_;
  const RunContext& run_;
  argus::FileFinder finder_;
  argus::JobLog log_;
  std::string log_path_;
  const argus::Command* now_ = nullptr;
  std::vector<ArgusNote> notes_;  // by command
  ArgusNote* told_ = nullptr;     // of the command that is run
  std::vector<ArgusSource> sources_;
  std::vector<ArgusTable> tables_;
  std::vector<ArgusShown> shown_;
  std::vector<ArgusRunRow> rows_;
  std::vector<argus::Suppress> planned_;
  std::vector<std::string> written_, unwritten_;
  std::vector<std::vector<ArgusTable>> cleared_;
  ArgusWishes wishes_;
  job::UnaskedRule unasked_ = job::UnaskedRule::kRefuse;
  ArgusEnding ending_;                      // how the job ends if the command at hand is refused
  bool shows_unasked_ = false;              // a file for readers, of which nothing is asked
  std::optional<ArgusCellKeys> cell_keys_;  // of the <SUPPRESS> at hand, if it is CKM
};

}  // namespace lacuna::argus_run
