// SPDX-License-Identifier: Apache-2.0
// The second half of a session: what is protected, audited and written.
#include <fmt/core.h>

#include <algorithm>
#include <filesystem>

#include "app/argus_run/argus_related.h"
#include "app/argus_run/argus_session.h"
#include "app/load/provenance.h"
#include "app/report/assurance.h"
#include "core/base/confidential.h"
#include "core/base/nearest.h"
#include "core/base/spelling.h"
#include "core/base/text.h"
#include "data/argus/linked.h"
#include "data/argus/write_table.h"
#include "data/files/file.h"
#include "data/publish/release_file.h"
#include "lacuna/files.h"
#include "lacuna/report.h"
#include "lacuna/version.h"

namespace lacuna::argus_run {
namespace {

constexpr const char* kAsItIs = "as it is";  // no command has protected the table

std::string lower_text(const argus::Word& word) {
  return base::lower_case(word.text);
}

std::int64_t secondaries(const argus::Table& table) {
  return std::count_if(table.cells.begin(), table.cells.end(), [](const argus::Cell& cell) {
    return argus::is_secondary(cell.status);
  });
}

// Whether the file shows no more than what is published: an x for what is not.
bool looks_published(const argus::WriteTable& write, const argus::Table& table) {
  const bool with_keys = write.type == 7 && table.protection == argus::Protection::kCellKeys;
  return write.type == 1 || ((write.type == 2 || write.type == 3) && !write.options.status) ||
         (with_keys && !write.options.for_office());
}

Status check_additive(const ArgusTable& table) {
  if (table.given.additive)
    return ok_status();
  return Error{ErrorCode::kContradiction,
               table.name +
                   " does not add up (<READTABLE> 2), so it is not known what its sums disclose; "
                   "<READTABLE> 1 recomputes the totals",
               ""};
}

std::string page_with_related(const std::string& path) {
  std::filesystem::path page(path);
  return page.replace_extension(".html").string();
}

}  // namespace

void ArgusSession::take(const std::string& old_method,
                        ArgusRelease release,
                        const std::vector<std::size_t>& which,
                        const std::vector<ArgusRelatedTable>& others) {
  const auto shared = std::make_shared<ArgusRelease>(std::move(release));
  for (const std::string& text : shared->notes)
    note(text);
  ArgusRunRow row;
  for (std::size_t i = 0; i < which.size(); ++i) {
    ArgusTable& table = tables_[which[i]];
    table.now = table.given;
    take_release(*shared, i, table.now);
    table.release = shared;
    table.place = i;
    row.tables.push_back(which[i] + 1);
    if (old_method != kAsItIs && shared->judged.summary.verdict != to_string(Verdict::kProtected))
      log_.note(shared->judged.summary.method + " of lacuna, for " + old_method +
                ", was run; the verdict on its result is not protected but " +
                shared->judged.summary.verdict);
    else if (old_method != kAsItIs)
      log_.protected_by(
          fmt::format("{} of lacuna, for {}", shared->judged.summary.method, old_method),
          secondaries(table.now),
          static_cast<std::int64_t>(shared->judged.summary.seconds));
  }
  for (std::size_t i = 0; i < others.size(); ++i) {
    if (!others[i].index)
      continue;
    tables_[*others[i].index].release = shared;
    tables_[*others[i].index].place = which.size() + i;
  }
  const publish::RunSummary& summary = shared->judged.summary;
  log_.note(fmt::format(
      "{}, cost {}, bound {}, gap {:.2f} percent; audited against {}: {}",
      summary.status,
      base::confidential(fmt::format("{:.10g}", summary.objective)),  // over hidden cells
      base::confidential(fmt::format("{:.10g}", summary.bound)),
      summary.gap() * 100,
      shared->attackers.text(),
      summary.verdict));
  if (summary.method == to_string(Method::kCellKey) && !summary.note.empty())
    note(summary.note);
  row.old_method = old_method;
  row.summary = summary;
  rows_.push_back(std::move(row));
}

Status ArgusSession::execute(const argus::Suppress& suppress) {
  const bool by_keys = suppress.method == argus::SuppressMethod::kCkm && !wishes_.method;
  if (by_keys && suppress.table == 0)
    return execute_each(suppress);
  differently(mapping_text(suppress, wishes_));
  cell_keys_.reset();
  if (by_keys)
    LACUNA_RETURN_IF_ERROR(choose_cell_keys(suppress));
  if (checks()) {
    planned_.push_back(suppress);
    return ok_status();
  }
  std::vector<std::size_t> which;
  for (std::size_t t = 0; t < tables_.size(); ++t) {
    const bool wanted = suppress.table == 0 ? tables_[t].is_read
                                            : static_cast<std::size_t>(suppress.table) == t + 1;
    if (!wanted)
      continue;
    LACUNA_RETURN_IF_ERROR(check_additive(tables_[t]));
    which.push_back(t);
  }
  std::vector<ArgusRelatedTable> others = beside(which);
  if (others.empty())
    return protect_alone(suppress, which, {});
  return protect_with_related(suppress, which, std::move(others));
}

Status ArgusSession::choose_cell_keys(const argus::Suppress& suppress) {
  LACUNA_TRY(ArgusTable * table, table_at(suppress.table));
  const ArgusCellKeySource source{
      suppress, batch_.filename, sources_[table->source].metadata, table->given};
  LACUNA_TRY(cell_keys_, cell_keys_of(source, finder_));
  for (const std::string& text : cell_keys_->notes)
    note(table->name + ": " + text);
  return ok_status();
}

// Keys make tables agree by themselves; all that are there are audited together.
Status ArgusSession::execute_each(const argus::Suppress& suppress) {
  for (std::size_t t = 0; t < tables_.size(); ++t) {
    if (!tables_[t].is_read)
      continue;
    argus::Suppress one = suppress;
    one.table = static_cast<int>(t + 1);
    LACUNA_RETURN_IF_ERROR(execute(one));
  }
  return ok_status();
}

Status ArgusSession::need_release(std::size_t which) {
  ArgusTable& table = tables_[which];
  if (table.release)
    return ok_status();
  LACUNA_RETURN_IF_ERROR(check_additive(table));
  std::vector<ArgusRelatedTable> others = beside({which});
  for (const bool cleared : {true, false}) {
    const auto number = std::find_if(others.begin(), others.end(), shows_numbers);
    if (number == others.end())
      break;
    const std::string why = conflict_text(table.name, kAsItIs, *number);
    if (!cleared)
      return Error{ErrorCode::kUnsupported, why, ""};
    leave_cleared(others, "suppress", why);
  }
  ArgusRequest request = request_for({which}, others);
  request.wishes.options.clear();
  request.wishes.method.reset();
  LACUNA_TRY(ArgusOutcome outcome, audit_tables(request, run_));
  ending_ = outcome.ending;
  if (!outcome.release)
    return Error{
        ErrorCode::kUnsupported,
        fmt::format("{} is not protected: withholding only its unsafe cells and secondaries does "
                    "not hide them{} ({}); put <SUPPRESS> first, or write type 5, for the office",
                    table.name,
                    others.empty() ? "" : " next to " + names_of(others),
                    outcome.refusal),
        ""};
  const bool asked = outcome.release->judged.release.report().verdict != Verdict::kUnasked;
  differently(table.name +
              (asked ? " was not protected by this job; as it is, it passes the audit"
                     : " was not protected by this job and has no unsafe cell: nothing was asked "
                       "of it") +
              (others.empty() ? "" : " next to " + names_of(others)));
  take(kAsItIs, *std::move(outcome.release), {which}, others);
  return ok_status();
}

Status ArgusSession::need_intervals(ArgusTable& table) {
  std::vector<argus::Table*> tables(table.release->cells.size(), nullptr);
  for (ArgusTable& other : tables_) {
    if (other.release == table.release)
      tables[other.place] = &other.now;
  }
  return take_intervals(*table.release, tables, run_);
}

Result<std::string> ArgusSession::report_page(const ArgusTable& table) const {
  const ArgusRelease& release = *table.release;
  const publish::RunSummary& summary = release.judged.summary;
  OfficePage page;
  page.title = std::filesystem::path(path_).stem().string() + ", " + table.name;
  page.reasons = release.reasons;
  if (release.tables.size() > 1)
    page.tables = release.tables;
  page.cost = summary.objective;
  page.bound = summary.bound;
  page.summary.emplace_back("how the search ended", summary.status);
  LACUNA_TRY(const std::string hash, load::file_sha256(path_));
  page.provenance = {{"job", path_},
                     {"SHA-256 of the job", hash},
                     {"method", summary.method},
                     {"seed", std::to_string(summary.seed)},
                     {"engine", summary.engine},
                     {"report made with", "lacuna " + std::string(version())},
                     {"report made at", load::utc_now()}};
  const AuditedRelease& passed = release.judged.release;
  return office_page(passed.problem(), passed.content(), passed.report(), page);
}

// What lies beside a file for readers is for readers.
std::string ArgusSession::reader_page(const ArgusTable& table) const {
  const ArgusRelease& release = *table.release;
  return public_page(release.judged.release,
                     {std::filesystem::path(path_).stem().string() + ", " + table.name,
                      release.judged.summary.method,
                      std::string(version()),
                      load::utc_now().substr(0, 10),
                      release.tables.size() > 1 ? release.tables : std::vector<LinkedTable>{},
                      ""});
}

Status ArgusSession::check_target(const std::string& path) const {
  if (files::same_file(path, path_))
    return Error{ErrorCode::kArgusCommand, path + " is the job itself", ""};
  for (const std::string& input : finder_.found()) {
    if (files::same_file(path, input))
      return Error{
          ErrorCode::kArgusCommand, path + " is an input of the job: name another file", ""};
  }
  return ok_status();
}

bool ArgusSession::writes(const std::string& path) {
  if (mode_ == ArgusMode::kWrite) {
    written_.push_back(path);
    return true;
  }
  unwritten_.push_back(path);
  differently(path + " is not written");
  return false;
}

Status ArgusSession::write_files(const std::vector<std::pair<std::string, std::string>>& files) {
  files::StagedFiles staged;
  for (const auto& [path, text] : files)
    LACUNA_RETURN_IF_ERROR(check_target(path));
  for (const auto& [path, text] : files) {
    if (mode_ == ArgusMode::kWrite)
      LACUNA_RETURN_IF_ERROR(staged.add(path, text));
  }
  LACUNA_RETURN_IF_ERROR(staged.commit());
  for (const auto& [path, text] : files)
    writes(path);
  return ok_status();
}

bool ArgusSession::hides(std::size_t which) const {
  const ArgusTable& table = tables_[which];
  return argus::has_withheld(table.now) || (!table.release && hides_anything(beside({which})));
}

void ArgusSession::settle_tables() {
  for (std::size_t t = 0; t < tables_.size(); ++t)
    tables_[t].is_public = tables_[t].is_read && (tables_[t].release || !hides(t)) &&
                           (is_asked(t) || unasked_ == job::UnaskedRule::kPublish);
}

namespace {

// Its unsafe cells are known in advance, so that nothing can be asked of them. Rules that found
// them have not called the table harmless.
bool asks_in_vain(const ArgusTable& table) {
  if (!table.release)
    return false;
  const AuditReport& report = table.release->judged.release.report();
  return report.verdict == Verdict::kUnasked && !report.of(Domain::kRational).empty();
}

}  // namespace

bool ArgusSession::is_asked(std::size_t which) const {
  const ArgusTable& table = tables_[which];
  // Tables that were protected together are asked together.
  const bool with_others =
      table.release && table.release->judged.summary.verdict != to_string(Verdict::kUnasked);
  if (asks_in_vain(table))
    return false;
  return with_others || table.given.rules.any_rule() || argus::has_withheld(table.given) ||
         hides(which);
}

Status ArgusSession::need_question(std::size_t which) {
  if (is_asked(which))
    return ok_status();
  shows_unasked_ = true;
  if (unasked_ == job::UnaskedRule::kPublish)
    return ok_status();
  ending_ = {job::ExitCode::kUnasked, Verdict::kUnasked};
  return Error{
      ErrorCode::kUnsupported,
      tables_[which].name +
          (asks_in_vain(tables_[which])
               ? ": readers know the unsafe cells in advance, so nothing could be asked of them; "
               : ": no cell is unsafe and the job states no rule, so nothing was asked of it; "
                 "<SAFETYRULE> states one, ") +
          "type 5 is for the office, and " + base::named_option("unasked", "publish") +
          " writes it anyway",
      ""};
}

job::ExitCode ArgusSession::code() const {
  if (shows_unasked_)
    return job::ExitCode::kUnasked;
  const bool waived = std::any_of(rows_.begin(), rows_.end(), [](const ArgusRunRow& row) {
    return row.summary.verdict == to_string(Verdict::kWaived);
  });
  return waived ? job::ExitCode::kWaived : job::ExitCode::kDone;
}

Status ArgusSession::execute(const argus::WriteTable& write) {
  LACUNA_TRY(ArgusTable * table, table_at(write.table));
  if (checks())
    return ok_status();
  const auto which = static_cast<std::size_t>(write.table - 1);
  const bool is_hiding = hides(which);
  const bool for_readers = looks_published(write, table->now);
  if (for_readers)
    LACUNA_RETURN_IF_ERROR(need_question(which));
  if (for_readers && is_hiding) {
    LACUNA_RETURN_IF_ERROR(need_release(which));
  } else if (is_hiding && !table->release) {
    warn(table->name + " is not protected: the file is for the office only");
  }
  if (write.options.audit && table->release &&
      table->now.protection == argus::Protection::kSuppressed)
    LACUNA_RETURN_IF_ERROR(need_intervals(*table));
  LACUNA_TRY(const std::string path, finder_.output(write.file, batch_.filename));
  LACUNA_TRY(const argus::WrittenTable written,
             argus::write_table(table->now, write, path, sources_[table->source].metadata));
  std::vector<std::pair<std::string, std::string>> files;
  for (const argus::OutputText& file : written.files)
    files.emplace_back(file.path, file.text);
  if (table->release && files::same_file(page_with_related(path), path))
    warn(path + ": no report is written next to it, because the report would have the same name");
  else if (table->release) {
    LACUNA_TRY(std::string page, for_readers ? reader_page(*table) : report_page(*table));
    files.emplace_back(page_with_related(path), std::move(page));
  }
  LACUNA_RETURN_IF_ERROR(write_files(files));
  table->is_written = true;
  if (for_readers)
    remember_shown(which);
  for (const std::string& text : written.notes)
    warn(text);
  log_.saved(write.table, path, write.type);
  return ok_status();
}

Status ArgusSession::own_wish(const argus::Own& own) {
  const std::string name = base::lower_case(own.name.text);
  const auto one_of = [&](std::initializer_list<std::string_view> words) -> Status {
    const std::string word = own.values.empty() ? "" : lower_text(own.values[0]);
    if (own.values.size() == 1 && std::find(words.begin(), words.end(), word) != words.end())
      return ok_status();
    std::string list;
    for (const std::string_view one : words)
      list += (list.empty() ? "" : ", ") + std::string(one);
    return at(own.name, name + " must be one of " + list);
  };
  if (name == "attackers") {
    LACUNA_RETURN_IF_ERROR(one_of({"outsider", "respondents", "command"}));
    const std::string word = lower_text(own.values[0]);
    wishes_.attackers = word == "command" ? "" : word;
    return ok_status();
  }
  if (name == "method") {
    LACUNA_RETURN_IF_ERROR(
        one_of({"suppress", "interval", "combined", "round", "perturb", "adjust", "command"}));
    wishes_.method = find_method(lower_text(own.values[0]));  // "command": none
    return ok_status();
  }
  const bool effort = name == "effort";
  if (own.values.size() != (effort ? 1U : 2U))
    return at(
        own.name,
        effort ? "effort must be one of fast, default, best" : "option needs a name and a value");
  const std::string option = effort ? "effort" : own.values[0].text;
  ProtectOptions tried;
  if (const Status set = set_option(tried, option, own.values.back().text); !set)
    return at(own.values.back(), set.error().text());
  wishes_.options.emplace_back(option, own.values.back().text);
  return ok_status();
}

Status ArgusSession::own_output(const argus::Own& own) {
  const std::string name = base::lower_case(own.name.text);
  int number = 0;
  if (!own.values.empty() && own.values[0].text.size() == 1)
    number = own.values[0].text[0] - '0';
  const bool wants_file = name != "audit";
  if (own.values.size() != (wants_file ? 2U : 1U) || number < 1 || number > 9)
    return at(own.name,
              name + (wants_file ? " needs a table and a file: 1 \"file\"" : " wants a table: 1"));
  LACUNA_TRY(ArgusTable * table, table_at(number));
  if (checks())
    return ok_status();
  if (name == "public")
    LACUNA_RETURN_IF_ERROR(need_question(static_cast<std::size_t>(number - 1)));
  LACUNA_RETURN_IF_ERROR(need_release(static_cast<std::size_t>(number - 1)));
  const AuditedRelease& passed = table->release->judged.release;
  if (!wants_file) {
    if (passed.content().adjusted()) {
      note(
          "an adjusted table has no intervals: readers know neither which cells were changed nor "
          "by how much");
      return ok_status();
    }
    LACUNA_RETURN_IF_ERROR(need_intervals(*table));
    const AuditReport& report = table->release->judged.release.report();
    log_.note(fmt::format(
        "audit of {}: {}: {}", table->name, to_string(report.verdict), report::held_text(report)));
    return ok_status();
  }
  LACUNA_TRY(const std::string path, finder_.output(own.values[1], batch_.filename));
  LACUNA_RETURN_IF_ERROR(check_target(path));
  if (name == "report") {
    if (!passed.content().adjusted())
      LACUNA_RETURN_IF_ERROR(need_intervals(*table));
    LACUNA_TRY(std::string page, report_page(*table));
    return write_files({{path, std::move(page)}});
  }
  LACUNA_RETURN_IF_ERROR(write_one(name, *table->release, path));
  for (std::size_t t = 0; t < tables_.size() && name == "public"; ++t) {
    if (tables_[t].release == table->release)
      remember_shown(t);
  }
  return ok_status();
}

Status ArgusSession::write_one(const std::string& name,
                               const ArgusRelease& release,
                               const std::string& path) {
  if (!writes(path))
    return ok_status();
  const AuditedRelease& passed = release.judged.release;
  if (name == "public")
    return save_release(passed, path);
  if (name == "certificate")
    return save_certificate(*release.problem, passed, path);
  return publish::write_release(passed, release.judged.summary, path);
}

Status ArgusSession::execute(const argus::Own& own) {
  static constexpr std::array<std::string_view, 9> kNames{"audit",
                                                          "attackers",
                                                          "certificate",
                                                          "effort",
                                                          "method",
                                                          "option",
                                                          "public",
                                                          "report",
                                                          "result"};
  const std::string name = base::lower_case(own.name.text);
  if (name == "attackers" || name == "effort" || name == "method" || name == "option")
    return own_wish(own);
  if (std::find(kNames.begin(), kNames.end(), name) == kNames.end())
    return at(
        own.name,
        "there is no command " + base::in_quotes(own.name.text) + base::did_you_mean(name, kNames));
  return own_output(own);
}

}  // namespace lacuna::argus_run
