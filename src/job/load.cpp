// SPDX-License-Identifier: Apache-2.0
#include "job/load.h"

#include <vector>

#include "io/file.h"
#include "io/job_file.h"
#include "io/problem_file.h"
#include "io/record_job.h"
#include "io/table_guess.h"
#include "job/records.h"
#include "job/table_rules.h"

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

}  // namespace

namespace {

Result<LoadedProblem> from_records(const RecordJob& job, const RunContext& run) {
  LACUNA_TRY(SensitiveTables tables, tabulate_job(job, run));
  std::vector<std::string> reasons = reasons_of(tables.report);
  AttackerSummary attackers = summarize_attackers(tables.problem, tables.report.attackers);
  return LoadedProblem{std::move(tables.problem),
                       std::move(tables.tabulation.tables),
                       std::move(reasons),
                       std::move(attackers)};
}

Result<LoadedProblem> from_job(Job job, const RunContext& run) {
  if (!job.contributions) {
    log_all(job.notes, run);
    AttackerSummary attackers = summarize_attackers(job.problem, std::nullopt);
    return LoadedProblem{std::move(job.problem), std::move(job.tables), {}, std::move(attackers)};
  }
  LACUNA_TRY(RuledTable ruled, apply_rules(job));
  log_all(job.notes, run);
  std::vector<std::string> reasons = reasons_of(ruled.report);
  AttackerSummary attackers = summarize_attackers(ruled.problem, ruled.report.attackers);
  return LoadedProblem{
      std::move(ruled.problem), std::move(job.tables), std::move(reasons), std::move(attackers)};
}

// A table file alone: what it says by itself is its job.
Result<LoadedProblem> from_table_file(const std::string& path,
                                      const std::string& bytes,
                                      const RunContext& run) {
  LACUNA_TRY(std::string text, guess_job(bytes, path, path));
  if (run.log)
    run.log(path + " was read without a job; lacuna inspect " + path + " shows how");
  LACUNA_TRY(Job job, read_job_text(std::move(text), path, [&](const std::string&) {
               return Result<std::string>(bytes);
             }));
  return from_job(std::move(job), run);
}

}  // namespace

Result<LoadedProblem> load_tables(const std::string& path, const RunContext& run) {
  if (is_job_name(path)) {
    LACUNA_TRY(const auto records, read_record_job(path));
    if (records)
      return from_records(*records, run);
    LACUNA_TRY(Job job, read_job(path));
    return from_job(std::move(job), run);
  }
  if (is_table_name(path)) {
    LACUNA_TRY(const std::string bytes, read_file(path));
    return from_table_file(path, bytes, run);
  }
  std::vector<std::string> notes;
  LACUNA_TRY(Problem problem, read_problem(path, &notes));
  log_all(notes, run);
  AttackerSummary attackers = summarize_attackers(problem, std::nullopt);
  return LoadedProblem{std::move(problem), {}, {}, std::move(attackers)};
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
