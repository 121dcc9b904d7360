// SPDX-License-Identifier: Apache-2.0
#include "job/jobs.h"

#include <fmt/core.h>

#include "audit/judge.h"
#include "io/certificate.h"
#include "io/file.h"
#include "io/pattern.h"
#include "io/problem_file.h"
#include "job/audit_text.h"
#include "job/load.h"
#include "lacuna/adjust.h"
#include "lacuna/audit.h"

namespace lacuna {
namespace {

// A release with more decimals than the table turns the problem into one with as many.
Result<Draft> read_draft(const std::string& path, Problem& problem) {
  if (path.empty())
    return Draft::withholding_primaries(problem.table);
  LACUNA_TRY(const std::string text, read_file(path));
  LACUNA_TRY(const int decimals, pattern_decimals(text, path));
  if (decimals > problem.table.decimals()) {
    LACUNA_TRY(problem, with_decimals(problem, decimals));
  }
  return read_pattern(text, path, problem.table);
}

ExitCode code_of(Verdict verdict) {
  return verdict == Verdict::kProtected ? ExitCode::kDone : ExitCode::kNotProtected;
}

}  // namespace

Result<JobOutput> run_job(const AuditJob& job, const RunContext& run) {
  LACUNA_TRY(Problem loaded, load_problem(job.input, run));
  LACUNA_TRY(const Draft draft, read_draft(job.pattern, loaded));
  const auto problem = std::make_shared<const Problem>(std::move(loaded));
  AuditOptions options;
  options.intervals = !job.verdicts_only;
  options.all_withheld = job.all;
  // Classes come with the intervals; for verdicts alone they would double the work.
  options.exposure = job.exposure || !job.verdicts_only;
  options.engine = job.engine;
  LACUNA_TRY(const AuditReport report, Auditor(problem).audit(draft, options, run));
  if (!job.certificate.empty()) {
    LACUNA_RETURN_IF_ERROR(
        write_file_atomically(job.certificate, write_certificate(*problem, draft, report)));
  }
  const std::string text = job.json ? audit_json(*problem, draft, report, run.threads)
                                    : audit_text(*problem, draft, report);
  return JobOutput{code_of(report.verdict), text};
}

Result<JobOutput> run_job(const VerifyJob& job, const RunContext& run) {
  LACUNA_TRY(Problem problem, load_problem(job.input, run));
  LACUNA_TRY(const std::string text, read_file(job.certificate));
  LACUNA_TRY(const Certificate certificate, read_certificate(text, job.certificate, problem));
  if (certificate.problem_sha256 != problem_digest(problem)) {
    return Error{ErrorCode::kBadInput, "the certificate is for another table", job.certificate};
  }
  if (!job.pattern.empty()) {
    LACUNA_TRY(const Draft wanted, read_draft(job.pattern, problem));
    if (wanted.entries() != certificate.draft.entries()) {
      return Error{ErrorCode::kBadInput,
                   "the certificate is for another release than " + job.pattern,
                   job.certificate};
    }
  }
  auto confirmed = confirm(problem, certificate.draft, certificate.evidence);
  if (!confirmed) {
    Error error = confirmed.error();
    error.where = job.certificate + (error.where.empty() ? "" : ": " + error.where);
    return error;
  }
  const AuditReport& report = *confirmed;
  const auto format =
      job.json
          ? "{{\"verdict\":\"{}\",\"requirements\":{},\"protected\":{},\"exposed\":{},"
            "\"undecided\":{}}}\n"
          : "{}: {} requirements, confirmed protected {}, confirmed exposed {}, undecided {}\n";
  return JobOutput{code_of(report.verdict),
                   fmt::format(fmt::runtime(format),
                               to_string(report.verdict),
                               report.findings.size(),
                               report.count(Verdict::kProtected),
                               report.count(Verdict::kExposed),
                               report.count(Verdict::kUndecided))};
}

Result<JobOutput> run_job(const ConvertJob& job, const RunContext& run) {
  LACUNA_TRY(const LoadedProblem loaded, load_tables(job.input, run));
  LACUNA_RETURN_IF_ERROR(write_problem(loaded.problem, loaded.tables, job.output));
  return JobOutput{};
}

Result<JobOutput> run_job(const GenerateJob& job, const RunContext&) {
  LACUNA_TRY(const Problem problem, generate(job.options));
  LACUNA_RETURN_IF_ERROR(write_problem(problem, job.output));
  return JobOutput{};
}

}  // namespace lacuna
