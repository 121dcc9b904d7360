// SPDX-License-Identifier: Apache-2.0
// Protect: a method proposes, the audit disposes, and only then is anything written.
#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <optional>
#include <string_view>

#include "base/decimal.h"
#include "io/certificate.h"
#include "io/file.h"
#include "io/json_tree.h"
#include "io/release_file.h"
#include "job/interval_ends.h"
#include "job/jobs.h"
#include "job/levels.h"
#include "job/load.h"
#include "job/methods.h"
#include "job/provenance.h"
#include "job/version.h"
#include "job/weights.h"
#include "lacuna/audit.h"
#include "release/sums.h"
#include "report/information_loss.h"

namespace lacuna {
namespace {

RunSummary summarize(const Problem& problem,
                     const MethodOutcome& found,
                     const ProtectJob& job,
                     const RunContext& run) {
  RunSummary summary;
  summary.method = job.method;
  summary.cells = problem.table.num_cells();
  for (const Cell& cell : problem.table.cells())
    summary.primary += cell.status == CellStatus::kPrimary ? 1 : 0;
  summary.suppressed = found.draft.count(CellState::kWithheld);
  summary.secondary = std::max<std::int64_t>(0, summary.suppressed - summary.primary);
  summary.objective = found.objective;
  summary.bound = found.bound;
  summary.status = to_string(found.why);
  summary.details = found.details;
  summary.note = found.note;
  summary.threads = run.threads;
  summary.seed = run.seed;
  summary.version = kVersion;
  summary.input = job.input;
  summary.options = job.given;
  return summary;
}

std::optional<double> detail(const RunSummary& run, std::string_view wanted) {
  for (const auto& [name, value] : run.details) {
    if (name == wanted)
      return value;
  }
  return std::nullopt;
}

std::string what_is_published(const RunSummary& run) {
  std::string text = fmt::format("{} of {} cells withheld", run.suppressed, run.cells);
  if (const auto deviation = detail(run, "mean_deviation")) {
    text += fmt::format(", numbers off by {:.4g} on average", *deviation);
  } else {
    text += fmt::format(" ({} primary, {} secondary)", run.primary, run.secondary);
  }
  if (const auto loss = detail(run, "off_center_loss")) {
    text += fmt::format(", {} intervals {:.1f}% wider to lie off centre",
                        detail(run, "intervals").value_or(0),
                        *loss * 100);
  }
  return text;
}

std::string summary_text(const RunSummary& run) {
  return fmt::format("{}: {}, cost {} (bound {}, gap {:.2f}%), {}, {:.3f} s\n{}",
                     run.verdict,
                     what_is_published(run),
                     format_double(run.objective),
                     format_double(run.bound),
                     run.gap() * 100,
                     run.status,
                     run.seconds,
                     run.note.empty() ? "" : run.note + "\n");
}

JobOutput nothing_released(const ProtectJob& job, ExitCode code, const std::string& message) {
  if (!job.json)
    return {code, "", message};
  return {code,
          "{\"method\":" + json_quoted(job.method) +
              ",\"status\":\"none\",\"verdict\":\"undecided\",\"message\":" + json_quoted(message) +
              "}\n",
          ""};
}

// Both files or none.
Status write_outputs(const Problem& given,
                     const AuditedRelease& release,
                     const RunSummary& summary,
                     const ProtectJob& job) {
  if (!job.certificate.empty()) {
    const std::string text = write_certificate(given, release.content(), release.report());
    LACUNA_RETURN_IF_ERROR(write_file_atomically(job.certificate, text));
  }
  if (job.output.empty())
    return ok_status();
  Status written = write_release(release, summary, job.output);
  if (!written && !job.certificate.empty()) {
    std::error_code ignored;  // the error that counts is the first
    std::filesystem::remove(job.certificate, ignored);
  }
  return written;
}

}  // namespace

namespace {

// Moved ends and their audit are owed even when the limit has struck or the user has stopped the
// method, but not for ever: as long again as the method took, and a minute at least. Who stops it
// stops it.
RunContext time_for_audit(const RunContext& run, std::chrono::steady_clock::time_point start) {
  constexpr std::chrono::minutes kLeast{1};
  RunContext audit = run;
  audit.deadline = std::chrono::steady_clock::time_point::max();
  if (!run.should_stop())
    return audit;
  audit.stop = {};
  const auto now = std::chrono::steady_clock::now();
  audit.deadline = now + std::max<std::chrono::steady_clock::duration>(now - start, kLeast);
  return audit;
}

}  // namespace

Result<JobOutput> run_job(const ProtectJob& job, const RunContext& run) {
  const auto start = std::chrono::steady_clock::now();
  LACUNA_TRY(const Method method, find_method(job.method));
  if (job.method == "adjust" && !job.certificate.empty()) {
    return Error{ErrorCode::kBadOption,
                 "an adjusted table needs no certificate: its numbers are the evidence, and "
                 "'lacuna audit IN --pattern OUT' checks them again",
                 "--certificate"};
  }
  LACUNA_TRY(Problem read, load_problem(job.input, run));
  LACUNA_TRY(Problem loaded, with_levels(std::move(read), job.levels));
  const Problem given = loaded;  // the certificate is for the table as it was given
  LACUNA_TRY(Problem weighed, weigh(std::move(loaded), default_weights(job)));
  const auto problem = std::make_shared<const Problem>(std::move(weighed));
  LACUNA_TRY(MethodOutcome found, method(problem, job, run));
  const RunContext audit_run = time_for_audit(run, start);
  LACUNA_RETURN_IF_ERROR(move_intervals(problem, job, audit_run, found));
  RunSummary summary = summarize(*problem, found, job, run);
  if (!found.message.empty())
    return nothing_released(job, ExitCode::kNotProtected, found.message);
  if (!found.complete) {
    return nothing_released(
        job, ExitCode::kNoResult, "no complete result within the limit; nothing is released");
  }
  LACUNA_RETURN_IF_ERROR(
      check_sums(found.problem ? found.problem->table : problem->table, found.draft));
  AuditOptions verdicts;
  verdicts.intervals = false;
  verdicts.engine = job.engine;
  verdicts.hints = found.witnesses;
  auto audited =
      Auditor(found.problem ? found.problem : problem).release(found.draft, verdicts, audit_run);
  if (!audited && audit_run.should_stop()) {
    const std::string why = audit_run.out_of_time() ? "the limit struck" : "stopped";
    return nothing_released(
        job, ExitCode::kNoResult, why + " before the audit was complete; nothing is released");
  }
  LACUNA_TRY(const AuditedRelease release, std::move(audited));
  const InformationLoss loss =
      information_loss(release.problem(), release.content(), release.report());
  summary.loss = information_loss_json(loss, release.problem().table.decimals());
  const GuessesOfRun guesses = guesses_of(release.problem(), found, release.report(), job.near);
  for (auto& detail : guess_details(guesses))
    summary.details.push_back(std::move(detail));
  summary.verdict = to_string(release.report().verdict);
  summary.engine = release.report().engine;
  summary.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  summary.finished = utc_now();
  LACUNA_RETURN_IF_ERROR(write_outputs(given, release, summary, job));
  return JobOutput{
      ExitCode::kDone,
      job.json ? run_json(summary) + "\n" : summary_text(summary) + guess_text(guesses) + "\n"};
}

}  // namespace lacuna
