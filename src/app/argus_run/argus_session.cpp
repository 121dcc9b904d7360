// SPDX-License-Identifier: Apache-2.0
#include "app/argus_run/argus_session.h"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>

#include "core/base/confidential.h"
#include "core/base/moved_error.h"
#include "core/base/text.h"
#include "data/argus/apriori.h"
#include "data/argus/rules.h"
#include "data/argus/table_data.h"
#include "data/files/file.h"
#include "lacuna/version.h"

namespace lacuna::argus_run {

ArgusSession::ArgusSession(const argus::Batch& batch,
                           std::string path,
                           ArgusMode mode,
                           const RunContext& run)
    : batch_(batch), path_(std::move(path)), mode_(mode), run_(run), finder_(path_), log_([] {
        return argus::local_time(std::chrono::system_clock::now());
      }) {}

Status ArgusSession::run_all() {
  log_.start(path_);
  start_notes();
  Status status = ok_status();
  for (std::size_t c = 0; c < batch_.commands.size() && status; ++c) {
    const argus::Command& command = batch_.commands[c];
    now_ = &command;
    told_ = &notes_[c];
    ending_ = {};
    told_->done = told_->texts.empty() ? ArgusDone::kDone : ArgusDone::kDifferently;
    log_.command(command.line);
    status = std::visit([&](const auto& action) { return execute(action); }, command.action);
    take_finder_notes();
    if (std::holds_alternative<argus::GoInteractive>(command.action))
      break;
  }
  if (!status) {
    status = placed(status.error());
    log_.error(now_->place.line, status.error().text());
    told_->done = ArgusDone::kRefused;
    told_->texts.push_back(status.error().message);
  }
  log_.end(path_);
  settle_tables();
  const Status saved = save_log();
  return status ? saved : status;
}

Error ArgusSession::placed(Error error) const {
  // What names no line of a file is about the command.
  const bool has_place = error.where.find(':') != std::string::npos;
  return has_place
             ? error
             : base::moved_to(std::move(error), files::location(batch_.filename, now_->place));
}

Error ArgusSession::at(const argus::Word& word, std::string message) const {
  return {
      ErrorCode::kArgusCommand, std::move(message), files::location(batch_.filename, word.place)};
}

// What was read differently is told before anything is run.
void ArgusSession::start_notes() {
  std::size_t next = 0;
  for (const argus::Command& command : batch_.commands) {
    notes_.push_back({command.line, command.place.line, ArgusDone::kNotReached, {}});
    for (; next < command.notes_end; ++next) {
      log_.note(batch_.notes[next]);
      if (run_.log)
        run_.log(batch_.notes[next]);
      notes_.back().texts.push_back(batch_.notes[next]);
    }
  }
}

void ArgusSession::differently(const std::string& text) {
  told_->done = ArgusDone::kDifferently;
  note(text);
}

void ArgusSession::note(const std::string& text) {
  log_.note(text);
  told_->texts.push_back(text);
  if (run_.log)
    run_.log(text);
}

void ArgusSession::warn(const std::string& text) {
  log_.warning(text);
  told_->texts.push_back(text);
  if (run_.log)
    run_.log("WARNING: " + text);
}

void ArgusSession::take_finder_notes() {
  for (const std::string& text : finder_.take_notes())
    differently(text);
}

Status ArgusSession::save_log() {
  if (log_path_.empty() || mode_ != ArgusMode::kWrite)
    return ok_status();
  LACUNA_RETURN_IF_ERROR(check_target(log_path_));
  std::string before;
  if (std::filesystem::is_regular_file(log_path_)) {
    LACUNA_TRY(before, files::read_file(log_path_));
  }
  return files::write_file_atomically(log_path_, before + base::in_full(log_.text()));
}

// What an earlier command should have written is not there, or it is of another day.
Result<std::string> ArgusSession::find_file(const argus::Word& file) {
  auto found = finder_.find(file, batch_.filename);
  const std::string last = file.text.substr(file.text.find_last_of("/\\") + 1);
  const auto is_it = [&](const std::string& path) {
    return found ? files::same_file(*found, path)
                 : base::lower_case(std::filesystem::path(path).filename().string()) ==
                       base::lower_case(last);
  };
  if (std::any_of(unwritten_.begin(), unwritten_.end(), is_it))
    return at(file, "the job writes this file itself, and now it is run without writing any");
  return found;
}

Status ArgusSession::open_data(const argus::Word& file, argus::DataKind kind) {
  LACUNA_TRY(const std::string path, find_file(file));
  finder_.add_folder_of(path);
  ArgusSource source;
  source.kind = kind;
  source.path = path;
  sources_.push_back(std::move(source));
  return ok_status();
}

Status ArgusSession::execute(const argus::OpenMicrodata& open) {
  return open_data(open.file, argus::DataKind::kMicrodata);
}

Status ArgusSession::execute(const argus::OpenTableData& open) {
  return open_data(open.file, argus::DataKind::kTable);
}

Status ArgusSession::execute(const argus::OpenMetadata& open) {
  ArgusSource& source = sources_.back();
  LACUNA_TRY(const std::string path, find_file(open.file));
  LACUNA_TRY(std::string bytes, files::read_file(path));
  LACUNA_TRY(source.metadata, argus::read_metadata(std::move(bytes), path, source.kind));
  for (const std::string& text : source.metadata.notes)
    note(text);
  return ok_status();
}

Status ArgusSession::execute(const argus::SpecifyTable& spec) {
  ArgusTable table;
  table.name = fmt::format("table {}", tables_.size() + 1);
  table.source = sources_.size() - 1;
  table.spec = spec;
  tables_.push_back(std::move(table));
  return ok_status();
}

Status ArgusSession::execute(const argus::SafetyRule& rules) {
  tables_.back().rules = rules;
  tables_.back().has_rules = true;
  return ok_status();
}

Status ArgusSession::make(ArgusTable& table) {
  ArgusSource& source = sources_[table.source];
  LACUNA_TRY(table.given,
             argus::make_table(*source.records, table.spec, table.rules, table.recodes, run_));
  table.is_read = true;
  for (const std::string& text : table.given.notes)
    note(table.name + ": " + text);
  for (const auto& [command, path] : table.apriori)
    LACUNA_RETURN_IF_ERROR(apply(table, command, path));
  table.now = table.given;
  return ok_status();
}

void ArgusSession::tell_table(std::size_t index) {
  const ArgusTable& table = tables_[index];
  log_.specified(static_cast<int>(index + 1), table.given);
  std::int64_t unsafe = 0, filled = 0;
  for (const argus::Cell& cell : table.given.cells) {
    unsafe += argus::is_unsafe(cell.status) ? 1 : 0;
    filled += argus::is_empty(cell.status) ? 0 : 1;
  }
  log_.note(fmt::format("{}: {} cells, {} of them with contributions, {} unsafe",
                        table.name,
                        table.given.cells.size(),
                        filled,
                        unsafe));
}

Status ArgusSession::execute(const argus::ReadMicrodata&) {
  ArgusSource& source = sources_.back();
  std::vector<argus::SpecifyTable> specs;
  for (const ArgusTable& table : tables_)
    specs.push_back(table.spec);
  log_.add("Start explore file: " + source.path);
  LACUNA_TRY(source.records,
             argus::read_microdata(source.metadata, source.path, specs, finder_, run_));
  for (const std::string& text : source.records->notes)
    note(source.path + ": " + text);
  log_.add("Start computing tables");
  for (std::size_t t = 0; t < tables_.size(); ++t) {
    LACUNA_RETURN_IF_ERROR(make(tables_[t]));
    tell_table(t);
  }
  log_.add("Compute tables completed");
  return ok_status();
}

Status ArgusSession::execute(const argus::ReadTable& read) {
  for (std::size_t t = 0; t < tables_.size(); ++t) {
    ArgusTable& table = tables_[t];
    if (table.is_read)
      continue;
    const ArgusSource& source = sources_[table.source];
    LACUNA_TRY(table.given,
               argus::read_table_data(
                   source.metadata, source.path, table.spec, table.rules, read, finder_));
    table.is_read = true;
    for (const std::string& text : table.given.notes)
      note(table.name + ": " + text);
    table.now = table.given;
    tell_table(t);
  }
  log_.add("Tables have been read");
  return ok_status();
}

Result<ArgusTable*> ArgusSession::table_at(int number) {
  if (number < 1 || static_cast<std::size_t>(number) > tables_.size())
    return Error{ErrorCode::kArgusCommand,
                 fmt::format("there is no table {}; the job has {}", number, tables_.size()),
                 files::location(batch_.filename, now_->place)};
  return &tables_[static_cast<std::size_t>(number - 1)];
}

Status ArgusSession::apply(ArgusTable& table,
                           const argus::Apriori& apriori,
                           const std::string& path) {
  LACUNA_TRY(std::string bytes, files::read_file(path));
  LACUNA_TRY(const argus::AprioriResult result,
             argus::apply_apriori(table.given, apriori, std::move(bytes), path));
  for (const std::string& text : result.notes)
    note(text);
  log_.note(fmt::format("{}: {} lines applied, {} skipped", path, result.applied, result.skipped));
  return ok_status();
}

Status ArgusSession::execute(const argus::Apriori& apriori) {
  LACUNA_TRY(ArgusTable * table, table_at(apriori.table));
  LACUNA_TRY(const std::string path, find_file(apriori.file));
  LACUNA_RETURN_IF_ERROR(apply(*table, apriori, path));
  table->apriori.emplace_back(apriori, path);
  if (table->release)
    warn(table->name +
         " was protected before; what was set by hand takes effect with a new <SUPPRESS>");
  table->now = table->given;
  table->release.reset();
  return ok_status();
}

// As in tau-ARGUS a recode is of the variable: all tables that have it change.
Status ArgusSession::execute(const argus::Recode& recode) {
  LACUNA_TRY(ArgusTable * named, table_at(recode.table));
  const auto has = [&](const ArgusTable& table) {
    return std::any_of(
        table.spec.explanatory.begin(), table.spec.explanatory.end(), [&](const argus::Word& word) {
          return base::lower_case(word.text) == base::lower_case(recode.variable.text);
        });
  };
  if (!has(*named))
    return at(recode.variable,
              fmt::format("{} has no variable {}", named->name, recode.variable.text));
  argus::AppliedRecode applied{recode, ""};
  if (!recode.file.text.empty()) {
    LACUNA_TRY(applied.path, find_file(recode.file));
  }
  for (std::size_t t = 0; t < tables_.size(); ++t) {
    ArgusTable& table = tables_[t];
    if (!has(table))
      continue;
    if (table.release)
      return at(recode.variable,
                table.name + " is protected already; recodes come before <SUPPRESS>");
    table.recodes.push_back(applied);
    LACUNA_RETURN_IF_ERROR(make(table));
    log_.add(fmt::format("Variable {} has been recoded for {}", recode.variable.text, table.name));
    tell_table(t);
  }
  return ok_status();
}

Status ArgusSession::execute(const argus::Solver& solver) {
  differently(
      fmt::format("<SOLVER> {}: no solver needs to be chosen or bought; the program uses the free "
                  "ones that come with it",
                  solver.name.text));
  return ok_status();
}

Status ArgusSession::execute(const argus::Logbook& logbook) {
  if (checks())
    return ok_status();
  LACUNA_TRY(const std::string path, finder_.output(logbook.file, batch_.filename));
  LACUNA_RETURN_IF_ERROR(check_target(path));
  if (mode_ == ArgusMode::kNoFile)
    differently(path + " is not written");
  log_path_ = path;
  return ok_status();
}

Status ArgusSession::execute(const argus::VersionInfo& info) {
  if (checks())
    return ok_status();
  LACUNA_TRY(const std::string path, finder_.output(info.file, batch_.filename));
  return write_files(
      {{path, fmt::format("Lacuna {}, which runs jobs of tau-ARGUS\r\n", version())}});
}

Status ArgusSession::execute(const argus::Clear&) {
  for (ArgusShown& shown : shown_) {
    if (shown.owner)
      shown.name += ", before <CLEAR>";
    shown.owner.reset();
  }
  settle_tables();
  cleared_.push_back(std::exchange(tables_, {}));
  sources_.clear();
  return ok_status();
}

Status ArgusSession::execute(const argus::GoInteractive&) {
  differently("<GOINTERACTIVE>: there is no window to go to; the job ends here");
  return ok_status();
}

Status ArgusSession::execute(const argus::Comment&) {
  const std::string& keyword = now_->keyword;
  if (keyword.starts_with("<") && keyword != "<COMMENT>")
    differently(keyword + " has no effect here");
  return ok_status();
}

}  // namespace lacuna::argus_run
