// SPDX-License-Identifier: Apache-2.0
#include "job/load.h"

#include <vector>

#include "io/file.h"
#include "io/job_file.h"
#include "io/pattern.h"
#include "io/problem_file.h"
#include "io/protected_csv.h"
#include "io/public_file.h"
#include "io/record_job.h"
#include "job/records.h"

namespace lacuna::inline job {
namespace {

void log_all(const std::vector<std::string>& notes, const RunContext& run) {
  for (const std::string& note : notes) {
    if (run.log)
      run.log(note);
  }
}

std::vector<std::string> reasons_of(const SensitivityReport& report) {
  std::vector<std::string> reasons;
  for (const auto& explanations : report.explanations) {
    std::string& text = reasons.emplace_back();
    for (const Explanation& each : explanations)
      text += (text.empty() ? "" : "; ") + each.text;
  }
  return reasons;
}

enum class Kind { kPattern, kOwnJson, kOwnCsv, kPublished };  // of a file with a release

Kind kind_of(const std::string& path, const std::string& text, const Table& table) {
  if (is_public_json(text))
    return Kind::kOwnJson;
  const std::size_t first = text.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
  const bool json = first != std::string::npos && text[first] == '{';
  const bool csv = path.ends_with(".csv") || path.ends_with(".csv.gz");
  if (json || (!csv && !has_columns(text)))
    return Kind::kPattern;
  return is_public_csv(text, table) ? Kind::kOwnCsv : Kind::kPublished;
}

}  // namespace

Result<LoadedProblem> load_tables(const std::string& path, const RunContext& run) {
  if (is_job_name(path)) {
    LACUNA_TRY(const auto records, read_record_job(path));
    if (records) {
      LACUNA_TRY(SensitiveTables tables, tabulate_job(*records, run));
      std::vector<std::string> reasons = reasons_of(tables.report);
      AttackerSummary attackers = summarize_attackers(tables.problem, tables.report.attackers);
      return LoadedProblem{std::move(tables.problem),
                           std::move(tables.tabulation.tables),
                           std::move(reasons),
                           std::move(attackers)};
    }
    LACUNA_TRY(Job job, read_job(path));
    log_all(job.notes, run);
    AttackerSummary attackers = summarize_attackers(job.problem, std::nullopt);
    return LoadedProblem{std::move(job.problem), std::move(job.tables), {}, std::move(attackers)};
  }
  std::vector<std::string> notes;
  LACUNA_TRY(Problem problem, read_problem(path, &notes));
  log_all(notes, run);
  AttackerSummary attackers = summarize_attackers(problem, std::nullopt);
  return LoadedProblem{std::move(problem), {}, {}, std::move(attackers)};
}

Result<Draft> load_release(const std::string& path, Problem& problem, const RunContext& run) {
  if (path.empty())
    return Draft::withholding_primaries(problem.table);
  LACUNA_TRY(const std::string text, read_file(path));
  const Kind kind = kind_of(path, text, problem.table);
  if (kind == Kind::kPublished) {
    std::vector<std::string> notes;
    LACUNA_TRY(Draft draft, read_protected_csv(text, path, problem.table, &notes));
    log_all(notes, run);
    return draft;
  }
  LACUNA_TRY(
      const int decimals,
      kind == Kind::kOwnCsv ? public_csv_decimals(text, path) : pattern_decimals(text, path));
  if (decimals > problem.table.decimals()) {
    LACUNA_TRY(problem, with_decimals(problem, decimals));
  }
  if (kind == Kind::kOwnCsv)
    return read_public_csv(text, path, problem.table);
  return kind == Kind::kOwnJson ? read_public_json(text, path, problem.table)
                                : read_pattern(text, path, problem.table);
}

Result<Draft> load_earlier(const std::string& path, const Table& table, const RunContext& run) {
  LACUNA_TRY(const std::string text, read_file(path));
  const Kind kind = kind_of(path, text, table);
  LACUNA_TRY(EarlierRelease earlier,
             kind == Kind::kOwnJson   ? read_earlier_json(text, path, table)
             : kind == Kind::kPattern ? read_earlier_pattern(text, path, table)
                                      : read_earlier_csv(text, path, table));
  if (earlier.gone > 0 && run.log)
    run.log(path + ": " + std::to_string(earlier.gone) +
            " cells are no cells of this table and are left aside");
  return std::move(earlier.draft);
}

Result<Certificate> load_certificate(const std::string& path, Problem& problem) {
  LACUNA_TRY(const std::string text, read_file(path));
  LACUNA_TRY(Certificate certificate, read_certificate(text, path, problem));
  if (certificate.problem_sha256 != problem_digest(problem))
    return Error{ErrorCode::kBadInput, "the certificate is for another table", path};
  if (certificate.decimals > problem.table.decimals()) {
    LACUNA_TRY(problem, with_decimals(problem, certificate.decimals));
  }
  return certificate;
}

Result<AuditReport> confirm_certificate(const Certificate& certificate,
                                        const std::string& path,
                                        const Problem& problem) {
  auto confirmed = confirm(problem, certificate.draft, certificate.evidence);
  if (confirmed)
    return confirmed;
  Error error = confirmed.error();
  error.where = path + (error.where.empty() ? "" : ": " + error.where);
  return error;
}

}  // namespace lacuna::inline job
