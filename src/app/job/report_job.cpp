// SPDX-License-Identifier: Apache-2.0
// Report: a result and its table in, one page out. The release is audited again before anything is
// said of it; the public page can be made from an audited release alone.
#include <fmt/core.h>

#include <filesystem>

#include "app/job/calendar.h"
#include "app/job/checkers.h"
#include "app/job/count_text.h"
#include "app/job/ending_text.h"
#include "app/job/file_roles.h"
#include "app/job/interval_budget.h"
#include "app/job/jobs.h"
#include "app/job/outcomes.h"
#include "app/job/period_columns.h"
#include "app/job/protect_outputs.h"
#include "app/load/load.h"
#include "app/load/prepare.h"
#include "app/load/provenance.h"
#include "app/load/together.h"
#include "app/load/verdict_basis.h"
#include "app/report/assurance.h"
#include "core/base/confidential.h"
#include "core/base/decimal.h"
#include "core/base/json_writer.h"
#include "core/base/readable.h"
#include "core/base/spelling.h"
#include "data/certificate/certificate.h"
#include "data/files/file.h"
#include "lacuna/audit.h"
#include "lacuna/report.h"
#include "lacuna/version.h"

namespace lacuna::job {
namespace {

using RunMembers = std::map<std::string, std::string>;

struct Loaded {
  std::string path;  // of the table
  std::shared_ptr<const Problem> problem;
  std::vector<std::string> reasons;
  std::vector<LinkedTable> tables;
  Draft draft;
  RunMembers run;
  std::string problem_sha256;  // of the table as it was given
  load::VerdictBasis basis;
  std::vector<Displacement> hints;
  std::shared_ptr<const load::Together> together;
  load::JudgedChanges changes;
  std::int32_t own_cells = 0;
  std::vector<PageColumn> columns{};  // what stands beside the cells
  std::optional<CheckedByThree> checked{};
};

// Three programs say the same of the certificate, or there is no page.
Result<CheckedByThree> check_by_three(const ReportJob& job,
                                      const Problem& as_given,
                                      const Problem& asked,
                                      const certificate::Certificate& certificate,
                                      const AuditReport& confirmed) {
  CheckedByThree checked{tally_text(confirmed), ""};
  if (certificate.bound) {
    LACUNA_TRY(const load::ConfirmedBound bound,
               load::confirm_bound(certificate, job.certificate, asked));
    checked.bound = bound_text(bound).substr(std::string_view("bound: ").size());
  }
  LACUNA_RETURN_IF_ERROR(ask_proven(asked, certificate, job.certificate, confirmed));
  LACUNA_TRY(const std::string bytes, job.inputs.read(job.certificate));
  LACUNA_RETURN_IF_ERROR(ask_verifier(as_given,
                                      bytes,
                                      job.asked.zero_levels == load::ZeroLevels::kStated,
                                      job.certificate,
                                      confirmed));
  return checked;
}

// The certificate must be for this table and this release, and its evidence must hold.
Status use_certificate(const ReportJob& job, Problem given, Loaded& loaded) {
  const std::string& path = job.certificate;
  Problem as_given = given;
  as_given.drop_keys();  // no part of what is judged
  LACUNA_TRY(certificate::Certificate certificate,
             load::load_certificate(path, given, job.inputs));
  if (!same_release(given.table(), certificate.draft, loaded.draft))
    return Error{ErrorCode::kOtherTable, "the certificate is for another release", path};
  LACUNA_TRY(const AuditReport confirmed, load::confirm_certificate(certificate, path, given));
  if (job.proven) {
    LACUNA_TRY(loaded.checked, check_by_three(job, as_given, given, certificate, confirmed));
  }
  if (passes(confirmed.verdict))
    loaded.hints = std::move(certificate.claimed.evidence.witnesses);
  return ok_status();
}

Result<Loaded> load(const ReportJob& job, const RunContext& run) {
  Loaded loaded;
  if (job.input.empty() || load::is_result_file(job.result, job.inputs)) {
    LACUNA_TRY(loaded.run, load::read_run(job.result, job.inputs));
  }
  LACUNA_TRY(loaded.path, load::table_of_result(job.result, job.input, job.inputs));
  FileRoles roles = file_roles(job);
  roles.reads.push_back({"the table", loaded.path});
  LACUNA_RETURN_IF_ERROR(check_roles(roles));
  load::Assessment what = job.asked;
  what.derived = job.result;
  LACUNA_TRY(load::PreparedProblem tables, load::load_prepared(loaded.path, run, job.inputs, what));
  const load::Inputs& inputs = tables.together ? tables.inputs : job.inputs;
  loaded.reasons = std::move(tables.reasons);
  const std::vector<load::DerivedColumn> columns = tables.columns;
  const std::optional<load::DerivedChoice> choice = tables.choice;
  loaded.tables = std::move(tables.tables);
  Problem problem = tables.problem;
  loaded.together = tables.together;
  loaded.changes = tables.changes;
  loaded.own_cells =
      tables.bare ? tables.bare->table().num_cells() : problem.table().num_cells();
  LACUNA_TRY(loaded.draft, load::load_release(job.result, problem, {}, {}, inputs));
  if (!job.certificate.empty())
    LACUNA_RETURN_IF_ERROR(use_certificate(job, tables.problem, loaded));
  loaded.basis = load::judged_as(std::move(tables.basis), problem, loaded.draft.adjusted());
  loaded.basis.withheld = load::ask_of_withheld(tables.problem, loaded.draft);
  loaded.basis.waived_by = load::waived_by(job.asked);
  for (std::size_t i = 0; i < columns.size(); ++i)
    loaded.columns.push_back(
        {columns[i].name,
         load::derived_texts(
             columns[i], choice ? (*choice)[i] : std::nullopt, problem.table(), loaded.draft)});
  loaded.problem_sha256 = certificate::problem_digest(tables.problem);
  if (loaded.basis.withheld > 0) {
    LACUNA_TRY(problem, with_decimals(tables.problem, problem.table().decimals()));
  }
  loaded.problem = std::make_shared<const Problem>(std::move(problem));
  return loaded;
}

std::string member(const RunMembers& run, const std::string& name) {
  const auto found = run.find(name);
  return found == run.end() ? "" : found->second;
}

std::optional<double> number_member(const RunMembers& run, const std::string& name) {
  const auto number = base::parse_double(member(run, name));
  return number ? std::optional<double>(*number) : std::nullopt;
}

std::string title_of(const ReportJob& job, const std::string& path) {
  if (!job.title.empty())
    return job.title;
  const std::string name = std::filesystem::path(path).filename().string();
  return name.substr(0, name.find('.'));
}

void add_members(Facts& facts,
                 const RunMembers& run,
                 const std::vector<std::pair<const char*, const char*>>& names) {
  for (const auto& [name, shown] : names) {
    const std::string value = member(run, name);
    if (!value.empty())
      facts.emplace_back(shown, value);
  }
}

// What is held in memory has no bytes of its own to be told by.
Status add_file(Facts& facts,
                const char* shown,
                const std::string& path,
                const std::string& what,
                const load::Inputs& inputs) {
  if (inputs.is_held(path))
    return ok_status();
  LACUNA_TRY(const std::string hash, load::file_sha256(path));
  facts.emplace_back(shown, path);
  facts.emplace_back("SHA-256 of the " + what, hash);
  return ok_status();
}

Result<Facts> provenance(const ReportJob& job, const Loaded& loaded, const AuditReport& report) {
  Facts facts;
  LACUNA_RETURN_IF_ERROR(add_file(facts, "input", loaded.path, "input file", job.inputs));
  facts.emplace_back("SHA-256 of the table problem", loaded.problem_sha256);
  LACUNA_RETURN_IF_ERROR(add_file(facts, "result", job.result, "result", job.inputs));
  if (!job.certificate.empty())
    LACUNA_RETURN_IF_ERROR(
        add_file(facts, "certificate, checked", job.certificate, "certificate", job.inputs));
  facts.emplace_back("protection levels", fields_detail::text_of(job.asked.levels));
  facts.emplace_back("zero levels", fields_detail::text_of(job.asked.zero_levels));
  for (const std::string& path : job.asked.released)
    facts.emplace_back("judged together with", path);
  for (const std::string& text : load::limits_of(loaded.basis, *loaded.problem))
    facts.emplace_back("remark", text);
  if (!loaded.basis.policy.empty())
    facts.emplace_back("policy", loaded.basis.policy);
  if (!loaded.basis.status_reading.empty())
    facts.emplace_back("status", loaded.basis.status_reading);
  add_members(facts,
              loaded.run,
              {{"method", "method"},
               {"options", "options"},
               {"seed", "seed"},
               {"threads", "threads"},
               {"engine", "engine"},
               {"version", "version of the run"},
               {"finished", "protected at"},
               {"work", "work, in units"},
               {"seconds", "seconds of the run"}});
  facts.emplace_back("audited again with", report.engine.empty() ? "integers" : report.engine);
  facts.emplace_back("seconds of the audit", fmt::format("{:.3f}", report.seconds));
  facts.emplace_back("report made with", "lacuna " + std::string(version()));
  facts.emplace_back("report made at", load::utc_now());
  return facts;
}

// What the run has noted of the intervals before it moved them, if that is about the same distance.
Facts guesses_before(const ReportJob& job, const RunMembers& run) {
  Facts facts;
  if (member(run, "guess_near_percent") == base::format_double(job.near)) {
    add_members(facts,
                run,
                {{"guess_near_before", "near guesses before the intervals were moved off centre"}});
  }
  add_members(facts,
              run,
              {{"guess_exact_before", "exact guesses before that"},
               {"off_center_loss", "width added, as a share"}});
  return facts;
}

// Periods side by side; for the office with what the calendar says.
Result<PeriodColumns> periods_of(const Loaded& loaded, bool office) {
  std::vector<std::string> notes;
  if (office) {
    LACUNA_TRY(const std::vector<CalendarRow> rows,
               calendar_of(*loaded.problem,
                           loaded.own_cells,
                           loaded.draft,
                           loaded.together.get(),
                           loaded.changes,
                           loaded.reasons));
    notes.resize(static_cast<std::size_t>(loaded.own_cells));
    for (const CalendarRow& row : rows)
      notes[static_cast<std::size_t>(row.cell.value)] =
          "since " + row.since + " (" + row.reason() + "): " + row.ends();
  }
  return period_columns(
      *loaded.problem, loaded.own_cells, loaded.draft, loaded.together.get(), notes);
}

Result<std::string> office_text(const ReportJob& job,
                                const Loaded& loaded,
                                const AuditReport& report,
                                const std::string& left_out) {
  OfficePage page;
  page.title = title_of(job, loaded.path);
  page.reasons = loaded.reasons;
  if (!loaded.basis.read_as.empty())
    page.summary.emplace_back("numbers", loaded.basis.read_as);
  page.counts_left_out = !loaded.basis.read_as.empty();
  if (loaded.basis.lifted > 0)
    page.summary.emplace_back("called safe by hand", load::lifted_text(loaded.basis.lifted));
  if (const std::string status = member(loaded.run, "status"); !status.empty()) {
    const bool same_again = member(loaded.run, "reproducible") != "false";
    page.summary.emplace_back("how the search ended", ending_text(status, same_again));
  }
  if (!left_out.empty())
    page.summary.emplace_back("exact intervals", base::in_full(left_out));
  if (const std::string note = member(loaded.run, "note"); !note.empty())
    page.summary.emplace_back("the run noted", note);
  page.tables = loaded.tables;
  page.columns = loaded.columns;
  page.unit = job.unit;
  page.cost = number_member(loaded.run, "objective");
  const std::optional<double> bound = number_member(loaded.run, "bound");
  if (job.own_run)
    page.bound = bound;
  else if (bound)
    page.summary.emplace_back(
        "the run reported",
        "a bound of " + base::readable(*bound) + ", which was not checked here");
  if (loaded.basis.answered_by_rules())  // rules that were overruled are no answer
    page.rules = loaded.basis.rules;
  page.near_percent = job.near;
  page.checked = loaded.checked;
  page.guesses = guesses_before(job, loaded.run);
  LACUNA_TRY(page.provenance, provenance(job, loaded, report));
  LACUNA_TRY(page.periods, periods_of(loaded, true));
  return office_page(*loaded.problem, loaded.draft, report, page);
}

std::string said_json(const ReportOutcome& made, const ReportJob& job) {
  const AuditReport& report = made.audit;
  const auto write = [&](base::JsonWriter& json) {
    json.member("verdict", to_string(report.verdict));
    json.member("requirements", report.of(Domain::kRational).size());
    json.member("protected", report.count(Verdict::kProtected, Domain::kRational));
    json.member("waived", report.count(Verdict::kWaived, Domain::kRational));
    json.member("unasked", report.count(Verdict::kUnasked, Domain::kRational));
    json.member("intervals", to_string(report::ends_state(report))).member("output", job.output);
    if (!made.left_out.empty())
      json.member("intervals_left_out", base::in_full(made.left_out));
    if (made.checked)
      json.member("checked_by_three", made.checked->said);
    load::write_basis(json, made.basis);
    if (made.counts)
      json.key("counts").raw(count_measures_json(*made.counts));
    if (!report.of(Domain::kInteger).empty())
      write_kinds(json.key("kinds"), report);
  };
  return base::json_object(write) + "\n";
}

std::string said_of(const ReportOutcome& made, const ReportJob& job) {
  if (job.json)
    return said_json(made, job);
  const AuditReport& report = made.audit;
  std::string text =
      (made.basis.read_as.empty() ? "" : made.basis.read_as + "\n") +
      load::headline(report, made.basis.rules, made.basis.lifted, made.basis.waived_by) +
      "; report written to " + job.output + "\n";
  if (report.verdict == Verdict::kUnasked && made.basis.rules.empty())
    text += load::unasked_text(report, made.basis.rules, made.basis.lifted) + "\n";
  else if (made.basis.lifted > 0)
    text += "note: " + load::lifted_text(made.basis.lifted) + "\n";
  if (made.checked)
    text += report::checked_sentence(*made.checked) + " (docs/proof.md)\n";
  if (!made.left_out.empty())
    text += "exact intervals: " + made.left_out + "\n";
  if (made.basis.withheld > 0)
    text += "note: " + load::withheld_asked_text(made.basis) + "\n";
  if (made.counts) {
    for (const auto& [name, value] : count_measures_text(*made.counts))
      text += fmt::format("{}: {}\n", name, value);
  }
  return text;
}

}  // namespace

Result<ReportOutcome> run_report(const ReportJob& job, const RunContext& given) {
  const RunContext run = with_progress(given);
  if (job.proven && job.certificate.empty())
    return Error{ErrorCode::kOptionConflict,
                 "three programs check a certificate: name it with " +
                     base::named_option("certificate"),
                 "--proven"};
  LACUNA_TRY(const Loaded loaded, load(job, run));
  AuditOptions options;
  options.engine = job.engine;
  options.hints = loaded.hints;
  options.intervals = !job.verdicts_only && !job.public_view;
  const Auditor auditor(loaded.problem);
  ReportOutcome made;
  made.basis = loaded.basis;
  made.checked = loaded.checked;
  LACUNA_TRY(IntervalAudit audited,
             audit_within({.unlimited = job.exact}, auditor, loaded.draft, options, run));
  made.audit = std::move(audited.report);
  made.left_out = std::move(audited.left_out);
  if (!job.public_view) {
    LACUNA_TRY(made.html, office_text(job, loaded, made.audit, made.left_out));
    made.counts = count_measures(loaded.problem->table(), loaded.draft);
    if (made.counts && !made.counts->any_changed())
      made.counts.reset();
    return made;
  }
  if (!passes(made.audit.verdict) || !may_be_published(job.unasked, made.audit.verdict, made.basis))
    return made;
  options.hints = made.audit.evidence.witnesses;
  LACUNA_TRY(const AuditedRelease release, auditor.release(loaded.draft, options, run));
  const std::string date = load::utc_now().substr(0, 10);
  LACUNA_TRY(const PeriodColumns periods, periods_of(loaded, false));
  made.html = public_page(release,
                          {title_of(job, loaded.path),
                           member(loaded.run, "method"),
                           std::string(version()),
                           date,
                           loaded.tables,
                           job.unit,
                           made.basis.answered_by_rules(),
                           !made.basis.read_as.empty(),
                           periods,
                           loaded.columns});
  return made;
}

std::string no_page_text(const ReportJob& job, const ReportOutcome& made) {
  const Verdict verdict = made.audit.verdict;
  if (verdict == Verdict::kUnasked)
    return unpublished_text(job.output.empty() ? "the page" : job.output);
  return fmt::format("the release is {}: there is no public report of it{}",
                     to_string(verdict),
                     verdict == Verdict::kExposed ? " (" + base::named_option("waive", "exposed") +
                                                        " makes one that says so)"
                                                  : "");
}

Result<JobOutput> run_job(const ReportJob& job, const RunContext& run) {
  LACUNA_TRY(const ReportOutcome made, run_report(job, run));
  const ExitCode code = code_of(made.audit.verdict, !made.basis.rules.empty());
  if (made.html.empty())
    return JobOutput{code, "", no_page_text(job, made)};
  LACUNA_RETURN_IF_ERROR(files::write_file_atomically(job.output, made.html));
  return JobOutput{code, said_of(made, job)};
}

}  // namespace lacuna::job
