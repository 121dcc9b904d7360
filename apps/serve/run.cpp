// SPDX-License-Identifier: Apache-2.0
#include "apps/serve/run.h"

#include <algorithm>
#include <cmath>

#include "app/argus_run/argus_job.h"
#include "app/job/protect_outputs.h"
#include "app/load/manual_overrides.h"
#include "apps/serve/repeat.h"
#include "core/base/confidential.h"
#include "data/problems/cell_index.h"
#include "data/publish/release_file.h"
#include "data/sensitivity/attacker_reach.h"
#include "lacuna/report.h"

namespace lacuna::serve {
namespace {

constexpr std::size_t kMostPoints = 1000;         // of a history
constexpr std::int64_t kCloserWork = 20'000'000;  // units for the intervals of the page
constexpr std::uint64_t kBytesPerCell = 6000, kBytesAtLeast = 64 << 20U;

Json number_or_null(double number) {
  return std::isfinite(number) ? Json(number) : Json();
}

// Why there is no release; jobs that print JSON put it there.
std::string sentence_of(const job::JobOutput& refusal) {
  if (!refusal.message.empty())
    return base::in_full(refusal.message);
  const Json told = Json::parse(refusal.text, nullptr, false);
  return base::in_full(told.is_object() ? text_member(told, "message") : refusal.text);
}

bool is_over_word(const std::string& state) {
  return state != "queued" && state != "running" && state != "stopping";
}

std::vector<std::string> texts_of(const Json& value) {
  if (value.is_boolean())
    return {value.get<bool>() ? "true" : "false"};
  if (value.is_string())
    return {value.get<std::string>()};
  if (!value.is_array())
    return {value.dump()};
  std::vector<std::string> texts;
  for (const Json& each : value)
    texts.push_back(each.is_string() ? each.get<std::string>() : each.dump());
  return texts;
}

// Cells that are sensitive as the table was read, and that somebody has called otherwise: nothing
// was asked about them. Codes that are collapsed are not published, and no matter of these.
Json lifted_by_hand(const Problem& read, const Problem& asked) {
  constexpr std::size_t kMostNamed = 20;
  const problems::CellIndex index(asked.table());
  std::int64_t count = 0;
  Json labels = Json::array();
  for (std::int32_t c = 0; c < read.table().num_cells(); ++c) {
    const CellId cell{c};
    if (read.table().cell(cell).status != CellStatus::kPrimary)
      continue;
    const auto own = read.table().codes(cell);
    const std::vector<std::int32_t> codes(own.begin(), own.end());
    const auto same = codes.empty() ? std::optional(cell) : index.find(codes);
    if (!same || asked.table().cell(*same).status == CellStatus::kPrimary)
      continue;
    ++count;
    if (labels.size() < kMostNamed)
      labels.push_back(read.table().label(cell));
  }
  return {{"count", count}, {"cells", labels}};
}

// What was asked instead of all that could be asked. Cells that were called safe by hand have words
// of their own on the card, with their names.
Json limits_json(load::VerdictBasis basis, const Problem& problem) {
  basis.lifted = 0;
  return load::limits_of(basis, problem);
}

}  // namespace

bool needs_word(const session::SessionRelease& release) {
  return !session::is_public(release);
}

Result<session::GivenOptions> given_options(const Json& options,
                                            const std::string& command,
                                            const Files& files) {
  LACUNA_TRY(const std::vector<OptionInfo> known, session::options_of(command));
  return given_options(options, known, files);
}

Result<session::GivenOptions> given_options(const Json& options,
                                            const std::vector<OptionInfo>& known,
                                            const Files& files) {
  session::GivenOptions given;
  for (const auto& [name, value] : options.items()) {
    const bool unsaid = value.is_null() || (value.is_boolean() && !value.get<bool>()) ||
                        (value.is_string() && value.get<std::string>().empty());
    if (unsaid)
      continue;
    session::OptionTexts option{name, texts_of(value)};
    const auto info = std::find_if(
        known.begin(), known.end(), [&](const OptionInfo& each) { return each.name == name; });
    if (info != known.end() && info->shown_as == "OUT")
      return Error{ErrorCode::kOptionConflict, "files are written only by export", name};
    if (info != known.end() && info->shown_as == "FILE") {
      for (std::string& file : option.texts) {
        LACUNA_TRY(file, files.path_of(file));
      }
    }
    given.push_back(std::move(option));
  }
  return given;
}

Result<RunPtr> Run::make(
    int id, DocumentPtr document, const std::string& command, const Json& options, Files& files) {
  RunPtr run(new Run);
  run->id_ = id;
  run->document_ = std::move(document);
  run->command_ = command;
  run->asked_ = options;
  run->hold_uploads(options, files);
  LACUNA_RETURN_IF_ERROR(run->prepare(options, files));
  return run;
}

// Files that were sent for this run go with it.
void Run::hold_uploads(const Json& options, Files& files) {
  for (const auto& [name, value] : options.items()) {
    for (const std::string& text : texts_of(value)) {
      if (Lease held = files.lease(text)) {
        uploads_.push_back(std::move(held));
        files.opened(text);
      }
    }
  }
}

// Whatever is wrong with the options is told before anything is queued.
Status Run::prepare(const Json& options, Files& files) {
  const bool argus = document_->is_argus();
  if (command_ != (argus ? "argus" : "protect") && (argus || command_ != "audit"))
    return Error{ErrorCode::kOptionValue,
                 argus ? "a job of tau-ARGUS is run by the command argus"
                       : "a table is protected or audited",
                 "command"};
  LACUNA_TRY(given_, given_options(options, command_, files));
  shown_ = given_;
  for (session::OptionTexts& option : shown_) {
    option.texts = texts_of(options[option.name]);
    for (std::string& text : option.texts)
      text = name_of_upload(text);
  }
  if (argus) {
    argus_run::ArgusJob job;
    return session::set_options(job, run_options_, given_, {});
  }
  const session::GivenOptions all = with_changes_of(*document_, given_);
  named_ = document_->named_texts();
  if (command_ == "protect") {
    LACUNA_TRY(protect_job_, session::protect_job(document_->held, all, named_, run_options_));
  } else {
    LACUNA_TRY(audit_job_,
               session::job_on<job::AuditJob>(document_->held, all, named_, run_options_));
  }
  return ok_status();
}

int Run::threads() const {
  return run_options_.context({}).threads;
}

std::uint64_t Run::memory_wanted() const {
  const auto cells = document_->now ? document_->problem().table().num_cells() : 0;
  return kBytesAtLeast + static_cast<std::uint64_t>(cells) * kBytesPerCell;
}

RunContext Run::context() {
  RunContext run = run_options_.context(stop_.get_token());
  run.log = [this](std::string_view note) {
    const std::scoped_lock lock(mutex_);
    notes_.push_back(base::in_full(note));
  };
  run.on_progress = [this](const Progress& progress) {
    const std::scoped_lock lock(mutex_);
    const double gap = progress.incumbent > 0
                           ? (progress.incumbent - progress.bound) / progress.incumbent
                           : Progress::kNone;
    progress_ = {{"phase", std::string(progress.phase)},
                 {"share", number_or_null(progress.share)},
                 {"cost", number_or_null(progress.incumbent)},
                 {"bound", number_or_null(progress.bound)},
                 {"gap", number_or_null(gap)},
                 {"seconds_left", number_or_null(progress.seconds_left)}};
    seconds_ = progress.seconds;
    ++version_;
    const bool news = std::isfinite(progress.incumbent) || std::isfinite(progress.bound);
    if (news)
      history_.push_back({progress.seconds, progress.incumbent, progress.bound});
    if (history_.size() > kMostPoints) {  // every other point says as much
      std::size_t kept = 0;
      for (std::size_t i = 0; i < history_.size(); i += 2)
        history_[kept++] = history_[i];
      history_.resize(kept);
    }
  };
  return run;
}

void Run::execute() {
  {
    const std::scoped_lock lock(mutex_);
    if (state_ != "queued")
      return;
    state_ = "running";
    begun_ = std::chrono::steady_clock::now();
    ++version_;
  }
  try {
    const RunContext run = context();
    if (kept_ && (command_ == "protect" || kept_->told.value("verdict", Json()).is_null()))
      restore(run);
    else if (command_ == "protect")
      protect(run);
    else if (command_ == "audit")
      audit(run);
    else
      argus(run);
  } catch (const std::bad_alloc&) {
    fail(sensitivity::out_of_memory());
  } catch (const std::exception& error) {
    fail({ErrorCode::kInternal, std::string("internal error: ") + error.what(), ""});
  }
}

void Run::set_state(const std::string& state) {
  const std::scoped_lock lock(mutex_);
  state_ = state;
  seconds_ = std::chrono::duration<double>(std::chrono::steady_clock::now() - begun_).count();
  ++version_;
}

void Run::fail(const Error& error) {
  {
    const std::scoped_lock lock(mutex_);
    error_ = error_json(error)["error"];
    message_ = base::in_full(error.text());
  }
  set_state(stop_.stop_requested() && forgotten_ ? "cancelled" : "failed");
}

void Run::protect(const RunContext& run) {
  auto made = job::run_protect(protect_job_, run);
  if (!made)
    return fail(made.error());
  if (!made->decision.passed) {
    const auto refused = session::refused_audit(*made);
    {
      const std::scoped_lock lock(mutex_);
      message_ = sentence_of(made->decision.refusal);
      if (refused) {
        outcome_.audit = std::make_shared<const session::SessionAudit>(*refused);
        verdict_ = to_string(refused->made.report.verdict);
      }
    }
    return set_state(stop_.stop_requested() ? "cancelled" : "refused");
  }
  auto held = std::make_shared<session::SessionRelease>();
  held->problem = document_->held;
  held->job = protect_job_;
  held->given = shown_;
  held->made = std::move(made).value();
  const publish::RunSummary& ended = held->run().summary;
  held->interrupted = stop_.stop_requested() && !ended.reproducible;
  this->held(std::move(held), run);
}

// From now on it has this release, which has passed the audit.
void Run::held(std::shared_ptr<session::SessionRelease> release, const RunContext& run) {
  const publish::RunSummary& ended = release->run().summary;
  const Json lifted =
      lifted_by_hand(document_->held.loaded->problem.as_read(), *release->made.table.given);
  Json summary = Json::parse(publish::run_json(ended), nullptr, false);
  summary["limits"] = limits_json(release->made.table.basis, *release->made.table.given);
  look_closer(*release, run);
  {
    const std::scoped_lock lock(mutex_);
    outcome_.release = release;
    ended_.needs_word = needs_word(*release);
    ended_.stopped = release->interrupted;
    ended_.reproducible = ended.reproducible;
    lifted_ = lifted;
    summary_ = summary;
    verdict_ = ended.verdict;
  }
  set_state("done");
}

// How it went is taken as it was told; that the release is safe is not.
void Run::restore(const RunContext& run) {
  const KeptRun kept = *std::exchange(kept_, std::nullopt);
  const auto number = [&](const char* name) {
    const auto found = kept.told.find(name);
    return found != kept.told.end() && found->is_number() ? found->get<double>() : 0.0;
  };
  const std::string state = text_member(kept.told, "state");
  {
    const std::scoped_lock lock(mutex_);
    message_ = text_member(kept.told, "message");
    for (const Json& note : kept.told.value("notes", Json::array()))
      notes_.push_back(note.is_string() ? note.get<std::string>() : note.dump());
    for (const Json& point : kept.told.value("history", Json::array())) {
      if (point.is_array() && point.size() == 3 && point[0].is_number())
        history_.push_back({point[0].get<double>(),
                            point[1].is_number() ? point[1].get<double>() : Progress::kNone,
                            point[2].is_number() ? point[2].get<double>() : Progress::kNone});
    }
  }
  if (kept.release) {
    auto restored = session::restore_release(
        document_->held, with_changes_of(*document_, given_), named_, *kept.release);
    if (!restored)
      return fail(restored.error());
    auto release = std::make_shared<session::SessionRelease>(std::move(restored).value());
    release->given = shown_;
    release->interrupted = kept.told.value("stopped", Json()) == Json(true);
    held(std::move(release), run);
  } else {
    set_state(state == "refused" || state == "cancelled" ? state : "failed");
  }
  const std::scoped_lock lock(mutex_);
  seconds_ = number("seconds");
}

// What attackers can infer of every cell, for the page. What the limit of work leaves open stays
// as the audit of the release has it.
void Run::look_closer(const session::SessionRelease& release, const RunContext& run) {
  session::SessionAudit audit = release.audit();
  AuditOptions options;
  options.all_withheld = true;
  options.engine = release.job.engine;
  options.hints = audit.made.report.evidence.witnesses;
  RunContext brief = with_work(run, kCloserWork);
  brief.on_progress = {};
  brief.log = {};
  const auto closer = Auditor(audit.made.problem).audit(audit.made.draft, options, brief);
  if (closer && closer->verdict == audit.made.report.verdict)
    audit.made.report = *closer;
  const std::scoped_lock lock(mutex_);
  outcome_.audit = std::make_shared<const session::SessionAudit>(std::move(audit));
}

void Run::audit(const RunContext& run) {
  auto made = job::run_audit(audit_job_, run);
  if (!made)
    return fail(made.error());
  {
    const std::scoped_lock lock(mutex_);
    const AuditReport& report = made->report;
    verdict_ = to_string(report.verdict);
    summary_ = {{"verdict", verdict_},
                {"protected", report.count(Verdict::kProtected)},
                {"exposed", report.count(Verdict::kExposed)},
                {"undecided", report.count(Verdict::kUndecided)},
                {"waived", report.count(Verdict::kWaived)},
                {"unasked", report.count(Verdict::kUnasked)},
                {"limits", limits_json(made->basis, *made->problem)}};
    lifted_ = lifted_by_hand(document_->held.loaded->problem.as_read(), made->given);
    outcome_.audit = std::make_shared<const session::SessionAudit>(
        session::SessionAudit{std::move(made).value(), {}});
  }
  set_state("done");
}

void Run::argus(const RunContext& run) {
  argus_run::ArgusJob job;
  job::RunOptions ignored;
  if (const Status set = session::set_options(job, ignored, given_, {}); !set)
    return fail(set.error());
  job.input = document_->path;
  job.log.clear();
  auto made = argus_run::run_argus(job, argus_run::ArgusFiles::kNone, run);
  if (!made)
    return fail(made.error());
  const auto held = std::make_shared<const argus_run::ArgusRun>(std::move(made).value());
  auto tables = session::tables_of(held, document_->path);
  if (!tables)
    return fail(tables.error());
  {
    const std::scoped_lock lock(mutex_);
    outcome_.tables = std::move(tables).value();
    summary_ = Json::parse(held->json, nullptr, false);
    Json limits = Json::array();
    for (const session::SessionArgusTable& table : outcome_.tables) {
      if (!table.release)
        continue;
      verdict_ = table.release->run().summary.verdict;
      ended_.needs_word = ended_.needs_word || needs_word(*table.release);
      const job::ReleaseContext& asked = table.release->made.table;
      for (const std::string& text : load::limits_of(asked.basis, *asked.given))
        limits.push_back(table.table().name + ": " + text);
    }
    summary_["limits"] = limits;
    for (const argus_run::ArgusNote& note : held->notes) {
      for (const std::string& text : note.texts)
        notes_.push_back("line " + std::to_string(note.line) + ": " + base::in_full(text));
    }
    if (held->refused) {
      error_ = error_json(*held->refused)["error"];
      message_ = held->refused->text();
    }
  }
  set_state(held->refused ? "refused" : "done");
}

void Run::stop() {
  stop_.request_stop();
  const std::scoped_lock lock(mutex_);
  if (state_ == "queued")
    state_ = "cancelled";
  else if (state_ == "running")
    state_ = "stopping";
  ++version_;
}

bool Run::is_over() const {
  const std::scoped_lock lock(mutex_);
  return is_over_word(state_);
}

bool Run::is_queued() const {
  const std::scoped_lock lock(mutex_);
  return state_ == "queued";
}

std::int64_t Run::version() const {
  const std::scoped_lock lock(mutex_);
  return version_;
}

Outcome Run::outcome() const {
  const std::scoped_lock lock(mutex_);
  return outcome_;
}

Result<std::string> Run::repeat_archive() const {
  return serve::repeat_archive({*document_, command_, given_, shown_, asked_});
}

Result<std::map<std::string, std::string>> Run::files_to_repeat() const {
  return serve::repeat_files({*document_, command_, given_, shown_, asked_});
}

Json Run::json(bool with_history) const {
  const RepeatedRun repeated{*document_, command_, given_, shown_, asked_};
  const std::string line = serve::command_line(repeated);
  const std::scoped_lock lock(mutex_);
  Json json{{"id", id_},
            {"document", document_->id},
            {"command", command_},
            {"options", asked_},
            {"state", state_},
            {"seconds", seconds_}};
  json["progress"] = progress_;
  if (with_history) {
    Json history = Json::array();
    for (const auto& [seconds, cost, bound] : history_)
      history.push_back({seconds, number_or_null(cost), number_or_null(bound)});
    json["history"] = history;
  }
  json["summary"] = summary_;
  json["verdict"] = verdict_.empty() ? Json() : Json(verdict_);
  json["message"] = message_;
  json["notes"] = notes_;
  json["error"] = error_;
  json["needs_word"] = ended_.needs_word;
  json["stopped"] = ended_.stopped;
  json["lifted"] = lifted_;
  json["command_line"] = line;
  json["repeat"] = {{"unsaved", unsaved(repeated)}, {"exact", ended_.reproducible}};
  Json tables = Json::array();
  for (const session::SessionArgusTable& table : outcome_.tables)
    tables.push_back({{"name", table.table().name},
                      {"released", table.release != nullptr},
                      {"public", table.table().is_public}});
  json["tables"] = tables;
  return json;
}

namespace {

std::vector<PageColumn> columns_of(const session::SessionRelease& release) {
  std::vector<PageColumn> columns;
  for (const publish::ExtraColumn& column : release.made.table.columns)
    columns.push_back({column.name, column.texts});
  return columns;
}

}  // namespace

Result<Seen> Run::seen(int table) const {
  const Outcome out = outcome();
  std::shared_ptr<const session::SessionAudit> audit = out.audit;
  Seen seen;
  if (!out.tables.empty()) {
    if (table < 0 || static_cast<std::size_t>(table) >= out.tables.size() ||
        !out.tables[static_cast<std::size_t>(table)].release)
      return Error{ErrorCode::kNoSuchThing, "there is no release of this table", "table"};
    const session::SessionRelease& release = *out.tables[static_cast<std::size_t>(table)].release;
    audit = std::make_shared<const session::SessionAudit>(release.audit());
    seen.reasons = release.made.table.reasons;
    seen.columns = columns_of(release);
  } else if (out.release) {
    seen.reasons = out.release->made.table.reasons;
    seen.columns = columns_of(*out.release);
  } else if (document_->now) {
    seen.reasons = document_->now->reasons;
  }
  if (!audit)
    return Error{ErrorCode::kNoSuchThing, "the run has nothing to show yet", ""};
  seen.problem = audit->made.problem.get();
  seen.draft = &audit->made.draft;
  seen.report = &audit->made.report;
  seen.tables = audit->made.tables;
  seen.audit = &audit->made;
  seen.keeper = audit;
  return seen;
}

}  // namespace lacuna::serve
