// SPDX-License-Identifier: Apache-2.0
// Report: a result and its table in, one page out. The release is audited again before anything is
// said of it; the public page can be made from an audited release alone.
#include <fmt/core.h>

#include <filesystem>

#include "base/decimal.h"
#include "io/certificate.h"
#include "io/file.h"
#include "io/json_tree.h"
#include "job/ending_text.h"
#include "job/file_roles.h"
#include "job/jobs.h"
#include "job/load.h"
#include "job/provenance.h"
#include "lacuna/audit.h"
#include "lacuna/report.h"
#include "lacuna/version.h"

namespace lacuna::inline job {
namespace {

using RunMembers = std::map<std::string, std::string>;

struct Loaded {
  std::string path;  // of the table
  std::shared_ptr<const Problem> problem;
  std::vector<std::string> reasons;
  std::vector<CrossTable> tables;
  Draft draft;
  RunMembers run;
  std::string problem_sha256;  // of the table as it was given
  std::vector<Displacement> hints;
};

// The certificate must be for this table and this release, and its evidence must hold.
Status use_certificate(const std::string& path, Problem given, Loaded& loaded) {
  LACUNA_TRY(Certificate certificate, load_certificate(path, given));
  if (!same_release(given.table, certificate.draft, loaded.draft))
    return Error{ErrorCode::kBadInput, "the certificate is for another release", path};
  LACUNA_TRY(const AuditReport confirmed, confirm_certificate(certificate, path, given));
  if (confirmed.verdict == Verdict::kProtected)
    loaded.hints = std::move(certificate.evidence.witnesses);
  return ok_status();
}

Result<Loaded> load(const ReportJob& job, const RunContext& run) {
  Loaded loaded;
  if (job.input.empty() || is_result_file(job.result)) {
    LACUNA_TRY(loaded.run, read_run(job.result));
  }
  LACUNA_TRY(loaded.path, table_of_result(job.result, job.input));
  FileRoles roles = file_roles(job);
  roles.reads.push_back({"the table", loaded.path});
  LACUNA_RETURN_IF_ERROR(check_roles(roles));
  LACUNA_TRY(LoadedProblem tables, load_tables(loaded.path, run));
  LACUNA_TRY(tables.problem, as_asked(std::move(tables.problem), job.asked));
  loaded.reasons = std::move(tables.reasons);
  loaded.tables = std::move(tables.tables);
  loaded.problem_sha256 = problem_digest(tables.problem);
  Problem problem = tables.problem;
  LACUNA_TRY(loaded.draft, load_draft(job.result, problem));
  if (!job.certificate.empty())
    LACUNA_RETURN_IF_ERROR(use_certificate(job.certificate, tables.problem, loaded));
  loaded.problem = std::make_shared<const Problem>(std::move(problem));
  return loaded;
}

std::string member(const RunMembers& run, const std::string& name) {
  const auto found = run.find(name);
  return found == run.end() ? "" : found->second;
}

std::optional<double> number_member(const RunMembers& run, const std::string& name) {
  const auto number = parse_double(member(run, name));
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

Result<Facts> provenance(const ReportJob& job, const Loaded& loaded, const AuditReport& report) {
  LACUNA_TRY(const std::string input_hash, file_sha256(loaded.path));
  LACUNA_TRY(const std::string result_hash, file_sha256(job.result));
  Facts facts{{"input", loaded.path},
              {"SHA-256 of the input file", input_hash},
              {"SHA-256 of the table problem", loaded.problem_sha256},
              {"result", job.result},
              {"SHA-256 of the result", result_hash}};
  if (!job.certificate.empty()) {
    LACUNA_TRY(const std::string hash, file_sha256(job.certificate));
    facts.emplace_back("certificate, checked", job.certificate);
    facts.emplace_back("SHA-256 of the certificate", hash);
  }
  facts.emplace_back("protection levels", job.asked.levels);
  facts.emplace_back("zero levels", job.asked.zero_levels);
  for (const std::string& path : job.asked.released)
    facts.emplace_back("judged together with", path);
  if (const std::string text = hidden_only_text(hidden_only(*loaded.problem)); !text.empty())
    facts.emplace_back("remark", text);
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
  facts.emplace_back("report made at", utc_now());
  return facts;
}

// What the run has noted of the intervals before it moved them, if that is about the same distance.
Facts guesses_before(const ReportJob& job, const RunMembers& run) {
  Facts facts;
  if (member(run, "guess_near_percent") == format_double(job.near)) {
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

Result<std::string> office_text(const ReportJob& job,
                                const Loaded& loaded,
                                const AuditReport& report) {
  OfficePage page;
  page.title = title_of(job, loaded.path);
  page.reasons = loaded.reasons;
  if (const std::string status = member(loaded.run, "status"); !status.empty()) {
    const bool same_again = member(loaded.run, "reproducible") != "false";
    page.summary.emplace_back("how the search ended", ending_text(status, same_again));
  }
  page.tables = loaded.tables;
  page.unit = job.unit;
  page.cost = number_member(loaded.run, "objective");
  page.bound = number_member(loaded.run, "bound");
  page.near_percent = job.near;
  page.guesses = guesses_before(job, loaded.run);
  LACUNA_TRY(page.provenance, provenance(job, loaded, report));
  return office_page(*loaded.problem, loaded.draft, report, page);
}

std::string said_of(const AuditReport& report, const ReportJob& job) {
  if (job.json) {
    return fmt::format(
        "{{\"verdict\":\"{}\",\"requirements\":{},\"protected\":{},\"output\":{}}}\n",
        to_string(report.verdict),
        report.findings.size(),
        report.count(Verdict::kProtected),
        json_quoted(job.output));
  }
  return fmt::format("{}: {} of {} requirements hold; report written to {}\n",
                     to_string(report.verdict),
                     report.count(Verdict::kProtected),
                     report.findings.size(),
                     job.output);
}

}  // namespace

Result<JobOutput> run_job(const ReportJob& job, const RunContext& given) {
  const RunContext run = with_progress(given);
  LACUNA_TRY(const Loaded loaded, load(job, run));
  AuditOptions options;
  options.engine = job.engine;
  options.hints = loaded.hints;
  options.intervals = !job.verdicts_only && !job.public_view;
  options.all_withheld = options.intervals;
  const Auditor auditor(loaded.problem);
  LACUNA_TRY(const AuditReport report, auditor.audit(loaded.draft, options, run));
  const bool good = report.verdict == Verdict::kProtected;
  if (job.public_view && !good) {
    return JobOutput{ExitCode::kNotProtected,
                     "",
                     fmt::format("the release is {}: there is no public report of it",
                                 to_string(report.verdict))};
  }
  std::string html;
  if (job.public_view) {
    options.hints = report.witnesses;
    LACUNA_TRY(const AuditedRelease release, auditor.release(loaded.draft, options, run));
    const std::string date = utc_now().substr(0, 10);
    html = public_page(release,
                       {title_of(job, loaded.path),
                        member(loaded.run, "method"),
                        std::string(version()),
                        date,
                        loaded.tables,
                        job.unit});
  } else {
    LACUNA_TRY(html, office_text(job, loaded, report));
  }
  LACUNA_RETURN_IF_ERROR(write_file_atomically(job.output, html));
  return JobOutput{good ? ExitCode::kDone : ExitCode::kNotProtected, said_of(report, job)};
}

}  // namespace lacuna::inline job
