// SPDX-License-Identifier: Apache-2.0
#include "apps/serve/document.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <sstream>

#include "app/argus_run/argus_job.h"
#include "app/load/manual_overrides.h"
#include "app/load/prepare.h"
#include "apps/serve/job.h"
#include "core/base/confidential.h"
#include "core/base/decimal.h"
#include "core/base/shell_word.h"
#include "data/files/csv.h"
#include "data/files/file.h"
#include "data/infer/table_guess.h"
#include "data/jobfile/job_file.h"
#include "data/problems/apriori.h"
#include "data/problems/cell_index.h"
#include "data/spec/spec_text.h"

namespace lacuna::serve {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t kSampleBytes = 64 * 1024;
constexpr std::size_t kSamples = 5;

std::string stem_of(const std::string& name) {
  return fs::path(name).stem().string();
}

// ---- what is in a data file, for the form

char separator_of(const std::string& line) {
  char best = ';';
  std::ptrdiff_t most = 0;
  for (const char c : {';', ',', '\t', '|'}) {
    const auto count = std::count(line.begin(), line.end(), c);
    if (count > most) {
      most = count;
      best = c;
    }
  }
  return best;
}

// Names and first values of the columns of a text file; null if it is none.
Json columns_of(const std::string& path) {
  if (!infer::is_table_name(path) || path.ends_with(".parquet") || path.ends_with(".arrow"))
    return nullptr;
  const auto bytes = files::read_file(path);
  if (!bytes)
    return nullptr;
  std::string text = bytes->substr(0, kSampleBytes);
  if (text.find('\0') != std::string::npos)  // a workbook or a data set
    return nullptr;
  if (bytes->size() > text.size())
    text.resize(text.rfind('\n') + 1);
  const auto file =
      files::CsvFile::parse(text, path, separator_of(text.substr(0, text.find('\n'))));
  if (!file)
    return nullptr;
  Json columns = Json::array();
  for (std::size_t c = 0; c < file->num_columns(); ++c) {
    Json sample = Json::array();
    for (std::size_t r = 0; r < std::min(kSamples, file->num_rows()); ++r)
      sample.push_back(std::string(file->field(r, c)));
    columns.push_back({{"name", std::string(file->header(c))}, {"sample", sample}});
  }
  return columns;
}

bool is_number(const std::string& text) {
  return !text.empty() && text.find_first_not_of("0123456789.,-+ ") == std::string::npos;
}

std::size_t decimals_of(const Json& sample) {
  std::size_t most = 0;
  for (const Json& each : sample) {
    const std::string text = each.get<std::string>();
    if (const std::size_t point = text.find('.'); point != std::string::npos)
      most = std::max(most, text.size() - point - 1);
  }
  return most;
}

// What the form begins with where a file says too little by itself. Where no code is the sum of
// others the rows are records, not cells: columns of texts are dimensions, the last of numbers is
// the value, and whoever knows better corrects it.
std::string first_draft(const Json& columns,
                        const std::string& name,
                        char separator,
                        bool records) {
  if (!columns.is_array())
    return "";
  JobSpec job;
  std::string value;
  std::size_t decimals = 0;
  for (const Json& column : columns) {
    const Json& sample = column["sample"];
    const std::string own = column["name"].get<std::string>();
    const bool numbers =
        !sample.empty() && std::all_of(sample.begin(), sample.end(), [](const Json& text) {
          return is_number(text.get<std::string>());
        });
    if (numbers) {
      value = own;
      decimals = decimals_of(sample);
    } else {
      JobSpec::Dimension& dimension = job.dimensions.emplace_back();
      dimension.name = own;
      dimension.total = "Total";
    }
  }
  (records ? job.input.records : job.input.table) = {{SpecSource::Kind::kFile, name}};
  job.input.separator = std::string(1, separator);
  if (records && decimals > 0)
    job.input.decimals = static_cast<std::int32_t>(decimals);
  if (!value.empty()) {
    job.columns = JobSpec::Columns{};
    job.columns->value = value;
  }
  return spec::spec_toml(job);
}

// The data that a job reads.
std::string data_path(const std::string& job, const std::string& folder) {
  const auto value = spec::value_from_toml(job, "");  // whatever else is wrong with it
  const spec::SpecValue* input = value ? value->find("input") : nullptr;
  for (const char* key : {"table", "records"}) {
    const spec::SpecValue* named = input != nullptr ? input->find(key) : nullptr;
    if (named != nullptr && !named->items.empty())
      named = &named->items.front();
    if (named != nullptr && named->is(spec::SpecValue::Kind::kText))
      return (fs::path(folder) / named->text).string();
  }
  return "";
}

// ---- opening

// What a job says of a run may come from anyone: it makes the server write nothing.
Status check_settings(const std::vector<jobfile::JobOption>& settings) {
  for (const char* command : {"protect", "audit", "verify", "report", "compare", "run", "write"}) {
    LACUNA_TRY(const std::vector<OptionInfo> known, session::options_of(command));
    for (const jobfile::JobOption& setting : settings) {
      const bool writes = std::any_of(known.begin(), known.end(), [&](const OptionInfo& each) {
        return each.name == setting.name && each.shown_as == "OUT";
      });
      if (writes)
        return Error{ErrorCode::kOptionConflict,
                     "'" + setting.name +
                         "' in [options] writes a file, and the page writes files only by export; "
                         "remove the line",
                     setting.where};
    }
  }
  return ok_status();
}

class Opening {
 public:
  Opening(Files& files, std::string file) : files_(files) {
    made_->file = std::move(file);
    made_->name = fs::path(made_->file.substr(made_->file.find(':') + 1)).filename().string();
  }

  Status run(const std::optional<std::string>& job) {
    LACUNA_TRY(path_, files_.path_of(made_->file));
    made_->upload = files_.lease(made_->file);
    made_->path = path_;
    made_->kind = kind_of_file(path_);
    if (made_->kind == "argus")
      return look_at_argus();
    if (job) {
      made_->job_is_new = true;
      path_ = fs::path(path_).replace_filename(made_->job_name()).string();
      LACUNA_RETURN_IF_ERROR(hold_job(*job));
    } else {
      LACUNA_RETURN_IF_ERROR(find_job());
    }
    return read();
  }

  std::shared_ptr<Document> document() { return made_; }

  Json draft() const { return {{"job", made_->job_shown}, {"columns", made_->columns}}; }

  // Folders are nobody's business.
  Error shown(Error error) const {
    for (std::string* text : {&error.message, &error.where}) {
      for (const std::string& folder : {folder_of(path_), folder_of(made_->path)}) {
        std::size_t at = 0;
        while (folder.size() > 1 && (at = text->find(folder, at)) != std::string::npos)
          text->erase(at, folder.size());
      }
    }
    return error;
  }

 private:
  static std::string folder_of(const std::string& path) {
    const std::string folder = fs::path(path).parent_path().string();
    return folder.empty() ? "" : folder + "/";
  }

  void set_job(std::string text) {
    made_->job_shown = job_json(text, made_->job_name());
    made_->job = std::move(text);
  }

  // The job as a value, under the name that it has or would have beside the file.
  Status hold_job(const std::string& text) {
    set_job(text);
    LACUNA_RETURN_IF_ERROR(files_.check_named(text, path_));
    made_->columns = columns_of(data_path(text, folder_of(path_)));
    LACUNA_TRY(spec::ReadSpec spec, spec::read_spec_toml(text, path_));
    inputs_.jobs[path_] = std::make_shared<const spec::ReadSpec>(std::move(spec));
    return ok_status();
  }

  Status find_job() {
    if (made_->kind == "table") {
      made_->columns = columns_of(path_);
      LACUNA_TRY(std::string bytes, files::read_file(path_));
      const char separator = separator_of(bytes.substr(0, bytes.find('\n')));
      Result<infer::GuessedJob> guess = infer::guess_job(std::move(bytes), path_, made_->name);
      if (!guess) {
        const bool records = guess.error().message.starts_with("the totals of column");
        if (std::string draft = first_draft(made_->columns, made_->name, separator, records);
            !draft.empty())
          set_job(std::move(draft));
        return guess.error();
      }
      set_job(guess->text());
    } else if (made_->kind == "job") {
      LACUNA_TRY(const std::string text, files::read_file(path_));
      return hold_job(text);
    }
    return ok_status();
  }

  Status read() {
    job::RunOptions options;
    RunContext run = options.context({});
    run.log = [&](std::string_view note) { made_->notes.push_back(base::in_full(note)); };
    LACUNA_TRY(made_->held, session::begin_problem(path_, inputs_, {}, options));
    LACUNA_RETURN_IF_ERROR(check_settings(made_->held.settings));
    bool records = false;
    if (const auto job = inputs_.jobs.find(path_); job != inputs_.jobs.end()) {
      records = job->second->over_records || job->second->job.over_records();
      made_->kind = records ? "records" : "table";
    }
    LACUNA_RETURN_IF_ERROR(read_problem(made_->held, records, inputs_, run));
    made_->now = made_->held.loaded;
    return count_together(run);
  }

  // What is published together with the table, or was before, is asked about as well: every run
  // begins with that, and what is wrong with it is told now.
  Status count_together(const RunContext& run) {
    if (!made_->held.loaded->together)
      return ok_status();
    LACUNA_TRY(const load::PreparedProblem ready,
               load::prepare(*made_->held.loaded, {}, inputs_, run));
    made_->asked_together = static_cast<std::int64_t>(ready.problem.requirements().size() -
                                                      ready.bare->requirements().size());
    return ok_status();
  }

  Status look_at_argus() {
    LACUNA_TRY(const std::string text, files::read_file(path_));
    LACUNA_RETURN_IF_ERROR(files_.check_named(text, path_));
    argus_run::ArgusJob job;
    job.input = path_;
    job.check = true;
    job::RunOptions options;
    LACUNA_TRY(const argus_run::ArgusRun run,
               argus_run::run_argus(job, argus_run::ArgusFiles::kNone, options.context({})));
    for (const argus_run::ArgusNote& note : run.notes) {
      std::string told = note.command + ": " + std::string(to_string(note.done));
      for (const std::string& each : note.texts)
        told += "; " + each;
      made_->notes.push_back(std::move(told));
    }
    return run.refused ? Status(*run.refused) : ok_status();
  }

  Files& files_;
  std::shared_ptr<Document> made_ = std::make_shared<Document>();
  std::string path_;     // of the file, or of the job in its place
  load::Inputs inputs_;  // with the job
};

// ---- changes

Result<std::optional<Units>> units_member(const Json& asked, const char* name, int decimals) {
  const std::string text = text_member(asked, name);
  if (text.empty())
    return std::optional<Units>();
  const auto units = base::parse_units(text, decimals);
  if (!units)
    return Error{ErrorCode::kBadNumber, units.error().message, name};
  return std::optional<Units>(*units);
}

Result<std::optional<AprioriStatus>> status_member(const Json& asked) {
  static constexpr std::array<std::string_view, 4> kWords{
      "safe", "unsafe", "protected", "secondary"};
  const std::string word = text_member(asked, "status");
  if (word.empty())
    return std::optional<AprioriStatus>();
  const auto found = std::find(kWords.begin(), kWords.end(), word);
  if (found == kWords.end())
    return Error{
        ErrorCode::kJobValue, "a status must be safe, unsafe, protected or secondary", "status"};
  return std::optional(static_cast<AprioriStatus>(found - kWords.begin()));
}

// What is asked of every cell of a selection.
Result<AprioriEntry> entry_of(const Json& asked, int decimals) {
  AprioriEntry entry;
  LACUNA_TRY(entry.status, status_member(asked));
  LACUNA_TRY(entry.lower, units_member(asked, "lower", decimals));
  LACUNA_TRY(entry.upper, units_member(asked, "upper", decimals));
  LACUNA_TRY(entry.sliding, units_member(asked, "sliding", decimals));
  LACUNA_TRY(entry.lower_bound, units_member(asked, "lower_bound", decimals));
  LACUNA_TRY(entry.upper_bound, units_member(asked, "upper_bound", decimals));
  if (const std::string cost = text_member(asked, "cost"); !cost.empty()) {
    double number = 0;
    const FieldInfo info{.name = "cost", .help = "", .least = 0, .above_least = true};
    LACUNA_RETURN_IF_ERROR(parse_field(info, cost, number));
    entry.cost = number;
  }
  for (const auto& level : {entry.lower, entry.upper, entry.sliding}) {
    if (level && *level < 0)
      return Error{ErrorCode::kJobValue, "a level must not be negative", "levels"};
  }
  if (!entry.status && !entry.cost && !entry.has_levels() && !entry.has_bounds())
    return Error{ErrorCode::kJobValue, "there is nothing to change", ""};
  return entry;
}

std::string text_of(const Json& asked) {
  std::string text;
  for (const char* name :
       {"status", "cost", "lower", "upper", "sliding", "lower_bound", "upper_bound"}) {
    const std::string value = text_member(asked, name);
    if (!value.empty())
      text += (text.empty() ? "" : ", ") + std::string(name) + " " + value;
  }
  return text;
}

Error no_cell(const std::string& place) {
  return {ErrorCode::kNoSuchCell, "there is no such cell", place};
}

Result<CellId> cell_with(const Table& table, const problems::CellIndex& index, const Json& names) {
  const auto& dimensions = table.dimensions();
  if (!names.is_array() || names.size() != dimensions.size() || dimensions.empty())
    return Error{ErrorCode::kNoSuchCell, "a cell needs one code of each dimension", "codes"};
  std::vector<std::int32_t> codes;
  for (std::size_t d = 0; d < dimensions.size(); ++d) {
    codes.push_back(names[d].is_string() ? dimensions[d].find(names[d].get<std::string>()) : -1);
    if (codes.back() < 0)
      return no_cell("codes");
  }
  const auto cell = index.find(codes);
  return cell ? Result<CellId>(*cell) : no_cell("codes");
}

// The cells that a call speaks of, by codes or by number.
Result<std::vector<CellId>> cells_of(const Table& table, const Json& asked) {
  const bool by_codes = asked.contains("codes");
  const Json list = asked.value(by_codes ? "codes" : "cells", Json());
  if (!list.is_array() || list.empty())
    return Error{ErrorCode::kJobValue, "cells must be a list of cells", "cells"};
  const problems::CellIndex index(table);
  std::vector<CellId> cells;
  for (const Json& each : list) {
    if (by_codes) {
      LACUNA_TRY(const CellId cell, cell_with(table, index, each));
      cells.push_back(cell);
      continue;
    }
    if (!each.is_number_integer() || each.get<std::int64_t>() < 0 ||
        each.get<std::int64_t>() >= table.num_cells())
      return no_cell("cells");
    cells.push_back(CellId{each.get<std::int32_t>()});
  }
  return cells;
}

// The reasons that were given stand beside what was done.
void add_reasons(const Document& document, load::LoadedProblem& loaded) {
  const Table& table = loaded.problem.table();
  const problems::CellIndex index(table);
  for (const Change& change : document.done) {
    for (const AprioriEntry& entry : change.entries) {
      const auto cell =
          table.dimensions().empty() ? CellId{entry.codes.front()} : index.find(entry.codes);
      if (cell && entry.status && !change.reason.empty())
        loaded.reasons[static_cast<std::size_t>(cell->value)] += " (" + change.reason + ")";
    }
  }
}

Result<DocumentPtr> rebuilt(Document document) {
  LACUNA_TRY(load::LoadedProblem loaded,
             load::with_collapsed(*document.held.loaded, document.collapsed()));
  document.now = std::make_shared<const load::LoadedProblem>(loaded);  // what can be spoken of
  if (const std::vector<AprioriEntry> entries = document.entries(); !entries.empty()) {
    LACUNA_TRY(loaded, with_overrides(std::move(loaded), entries));
    add_reasons(document, loaded);
  }
  document.now = std::make_shared<const load::LoadedProblem>(std::move(loaded));
  return DocumentPtr(std::make_shared<const Document>(std::move(document)));
}

Error no_table() {
  return {ErrorCode::kUnsupported, "a job of tau-ARGUS is changed in its own files", ""};
}

Result<DocumentPtr> with_done(const Document& document, Change change) {
  Document next = document;
  next.done.push_back(std::move(change));
  next.undone.clear();
  return rebuilt(std::move(next));
}

}  // namespace

Opened open_document(Files& files, const std::string& file, const std::optional<std::string>& job) {
  Opening opening(files, file);
  if (const Status done = opening.run(job); !done) {
    Json draft = opening.draft();
    files.refused(file, !draft["job"].is_null() || !draft["columns"].is_null());
    return OpenFailure{opening.shown(done.error()), std::move(draft)};
  }
  files.opened(file);
  return DocumentPtr(opening.document());
}

// ---- a document

std::vector<std::string> Document::collapsed() const {
  std::vector<std::string> codes;
  for (const Change& change : done)
    codes.insert(codes.end(), change.collapse.begin(), change.collapse.end());
  return codes;
}

std::vector<AprioriEntry> Document::entries() const {
  std::vector<AprioriEntry> entries;
  for (const Change& change : done)
    entries.insert(entries.end(), change.entries.begin(), change.entries.end());
  if (!collapsed().empty()) {  // of cells that are gone nothing can be said
    const problems::CellIndex index(problem().table());
    std::erase_if(entries, [&](const AprioriEntry& entry) { return !index.find(entry.codes); });
  }
  return entries;
}

std::string Document::apriori_text() const {
  if (!now || done.empty())
    return "";
  const Table& table = problem().table();
  const auto dimensions = load::apriori_dimensions(table);
  return dimensions ? problems::write_apriori_csv(
                          entries(), *dimensions, table.decimals(), ',', collapsed())
                    : "";
}

std::string safe_name(const std::string& name) {
  std::string safe;
  for (const char c : name)
    safe += std::isalnum(static_cast<unsigned char>(c)) || c == '.' || c == '-' ? c : '_';
  return safe;
}

std::string Document::changes_name() const {
  return safe_name(stem_of(name)) + "-changes.csv";
}

std::string Document::input_name() const {
  const std::size_t colon = file.find(':');
  std::string input = colon == std::string::npos ? file : file.substr(colon + 1);
  if (file.starts_with("upload:"))
    input = input.substr(input.find('/') + 1);
  return job_is_new ? fs::path(input).replace_filename(job_name()).string() : input;
}

std::string Document::job_name() const {
  const bool is_own = !job_is_new && name.ends_with(".toml");
  return is_own ? name : stem_of(name) + (job_is_new ? "-edited.toml" : ".toml");
}

session::GivenOptions Document::options_of_changes() const {
  if (apriori_text().empty())
    return {};
  return {{"apriori", {changes_name()}}};
}

load::Inputs Document::named_texts() const {
  load::Inputs inputs;
  if (std::string text = apriori_text(); !text.empty())
    inputs.texts[changes_name()] = std::move(text);
  inputs.unwritten.insert(changes_name());
  return inputs;
}

Json Document::json() const {
  Json json{{"id", id}, {"name", name}, {"file", file}, {"kind", kind}};
  json["job"] = job_shown;
  json["columns"] = columns;
  json["notes"] = notes;
  Json changes = Json::array();
  for (const Change& change : done)
    changes.push_back({{"label", change.label}, {"text", change.text}, {"reason", change.reason}});
  json["changes"] = changes;
  json["can_undo"] = !done.empty();
  json["can_redo"] = !undone.empty();
  json["manual_range"] = held.loaded ? Json(held.loaded->by_hand.manual_range.text()) : Json();
  json["command_line"] =
      command_line(*this, is_argus() ? "argus" : "protect", options_of_changes());
  if (!now)
    return json;
  session::SessionProblem shown = held;
  shown.loaded = now;
  const session::ProblemCounts counts = session::counts_of(shown);
  json["cells"] = counts.cells;
  json["equations"] = counts.equations;
  json["sensitive"] = counts.sensitive;
  json["withheld"] = counts.withheld;
  json["requirements"] = counts.requirements + asked_together;
  json["attackers"] = counts.attackers;
  json["against"] = now->attackers.text();
  json["decimals"] = problem().table().decimals();
  json["counts"] = problem().counts().has_value();
  json["has_keys"] = problem().keys() != nullptr;
  Json dimensions = Json::array();
  for (const Dimension& dimension : problem().table().dimensions())
    dimensions.push_back({{"name", dimension.name()},
                          {"total", dimension.code(dimension.total())},
                          {"codes", dimension.num_codes()}});
  json["dimensions"] = dimensions;
  Json tables = Json::array();
  for (const LinkedTable& table : now->tables)
    tables.push_back(table.name);
  json["tables"] = tables;
  return json;
}

// ---- changes

Result<DocumentPtr> with_change(const Document& document, const Json& asked) {
  if (!document.now)
    return no_table();
  const Table& table = document.problem().table();
  LACUNA_TRY(const AprioriEntry wish, entry_of(asked, table.decimals()));
  LACUNA_TRY(const std::vector<CellId> cells, cells_of(table, asked));
  Change change;
  for (const CellId cell : cells) {
    AprioriEntry entry = wish;
    const auto codes = table.codes(cell);
    entry.codes.assign(codes.begin(), codes.end());
    if (codes.empty())
      entry.codes.push_back(cell.value);
    change.entries.push_back(std::move(entry));
  }
  change.label = table.label(cells.front());
  if (cells.size() > 1)
    change.label += " and " + std::to_string(cells.size() - 1) + " more";
  change.text = text_of(asked);
  change.reason = text_member(asked, "reason");
  return with_done(document, std::move(change));
}

Result<DocumentPtr> with_collapse(const Document& document,
                                  const std::string& dimension,
                                  const std::string& code) {
  if (!document.now)
    return no_table();
  return with_done(document,
                   {{}, {dimension + "=" + code}, dimension + " = " + code, "collapsed", ""});
}

Result<DocumentPtr> with_file(const Document& document,
                              const Files& files,
                              const std::string& file) {
  if (!document.now)
    return no_table();
  LACUNA_TRY(const std::string path, files.path_of(file));
  const std::string name = fs::path(path).filename().string();
  load::Inputs inputs;
  LACUNA_TRY(inputs.texts[name], files::read_file(path));
  LACUNA_TRY(problems::AprioriFile read,
             load::read_overrides(name, document.problem().table(), inputs));
  if (read.entries.empty() && read.collapsed.empty())
    return Error{ErrorCode::kNoRows, "the file says nothing about any cell", name};
  Change change;
  change.label = name;
  change.text = std::to_string(read.entries.size()) +
                (read.entries.size() == 1 ? " cell" : " cells") + " of an a-priori file";
  if (!read.collapsed.empty())
    change.text += ", " + std::to_string(read.collapsed.size()) +
                   (read.collapsed.size() == 1 ? " code" : " codes") + " collapsed";
  for (const problems::CollapsedCode& code : read.collapsed)
    change.collapse.push_back(code.text);
  change.entries = std::move(read.entries);
  return with_done(document, std::move(change));
}

Result<DocumentPtr> with_text(const Document& document, const std::string& text, Change words) {
  if (!document.now)
    return no_table();
  load::Inputs inputs;
  inputs.texts["decision.csv"] = text;
  LACUNA_TRY(problems::AprioriFile read,
             load::read_overrides("decision.csv", document.problem().table(), inputs));
  words.collapse.clear();
  for (const problems::CollapsedCode& code : read.collapsed)
    words.collapse.push_back(code.text);
  words.entries = std::move(read.entries);
  return with_done(document, std::move(words));
}

Result<std::string> change_text(const Document& document, const Change& change) {
  if (!document.now)
    return no_table();
  const Table& table = document.held.loaded->problem.as_read().table();  // with all its codes
  LACUNA_TRY(const auto dimensions, load::apriori_dimensions(table));
  return problems::write_apriori_csv(
      change.entries, dimensions, table.decimals(), ',', change.collapse);
}

Result<DocumentPtr> undone(const Document& document) {
  if (document.done.empty())
    return Error{ErrorCode::kNoSuchThing, "there is nothing to undo", ""};
  Document next = document;
  next.undone.push_back(next.done.back());
  next.done.pop_back();
  return rebuilt(std::move(next));
}

Result<DocumentPtr> redone(const Document& document) {
  if (document.undone.empty())
    return Error{ErrorCode::kNoSuchThing, "there is nothing to redo", ""};
  Document next = document;
  next.done.push_back(next.undone.back());
  next.undone.pop_back();
  return rebuilt(std::move(next));
}

Result<std::string> job_text(const Document& document) {
  if (document.job)
    return *document.job;
  if (!document.now)
    return no_table();
  LACUNA_TRY(const jobfile::JobFiles files,
             jobfile::write_job(document.problem(), document.now->tables, "table.csv"));
  return files.toml();
}

Result<std::string> changes_text(const Document& document) {
  std::string text = document.apriori_text();
  if (text.empty())
    return Error{
        ErrorCode::kNoSuchThing, "nothing was decided by hand, so there is no file to write", ""};
  return text;
}

std::string command_line(const Document& document,
                         const std::string& command,
                         const session::GivenOptions& given) {
  std::string line = "lacuna " + command + " " + base::shell_word(document.input_name());
  for (const session::OptionTexts& option : given) {
    for (const std::string& text : option.texts) {
      line += " --" + option.name + (text == "true" ? "" : " " + base::shell_word(text));
    }
  }
  return line;
}

}  // namespace lacuna::serve
