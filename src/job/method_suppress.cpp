// SPDX-License-Identifier: Apache-2.0
// --method suppress: complete cell suppression.
#include <chrono>
#include <cmath>
#include <filesystem>

#include "base/decimal.h"
#include "io/certificate.h"
#include "io/checkpoint.h"
#include "io/file.h"
#include "io/pattern.h"
#include "job/methods.h"
#include "lacuna/audit.h"
#include "lacuna/suppress.h"
#include "protect/common/demands.h"

namespace lacuna::inline job {
namespace {

Result<Effort> effort_of(const std::string& name) {
  if (name == "fast")
    return Effort::kFast;
  if (name == "default")
    return Effort::kDefault;
  if (name == "best")
    return Effort::kBest;
  return Error{ErrorCode::kBadOption,
               "there is no effort '" + name + "' (known: fast, default, best)",
               "--effort"};
}

// The requirements are audited with every release; the minimum width is no requirement of the
// problem, so it is looked at here. What is wrong is said, in one sentence.
Result<std::string> check_widths(const Problem& problem,
                                 const SuppressOptions& options,
                                 const Draft& draft,
                                 const RunContext& run) {
  const auto asked =
      std::make_shared<const Problem>(problem_of_pattern(problem, options.minimum_width, draft));
  AuditOptions verdicts;
  verdicts.intervals = false;
  verdicts.engine = options.engine;
  RunContext unlimited = run;
  unlimited.deadline = std::chrono::steady_clock::time_point::max();
  unlimited.stop = {};
  LACUNA_TRY(const AuditReport report, Auditor(asked).audit(draft, verdicts, unlimited));
  if (report.verdict == Verdict::kProtected)
    return std::string();
  return std::string(
      "the audit could not confirm the minimum width of every withheld cell; nothing is released");
}

std::string trace_csv(const std::vector<SuppressTrace>& trace) {
  std::string text = "seconds,incumbent,bound\n";
  for (const SuppressTrace& point : trace) {
    text += format_double(point.seconds) + ",";
    text += (std::isfinite(point.incumbent) ? format_double(point.incumbent) : "inf") + ",";
    text += format_double(point.bound) + "\n";
  }
  return text;
}

std::vector<CellId> cells_of(const Draft& draft) {
  std::vector<CellId> cells;
  for (const CellEntry& entry : draft.entries())
    cells.push_back(entry.cell);
  return cells;
}

// Goes on where an earlier run stopped, and saves from then on what the next one needs. A file that
// cannot be written is an error before the work and a remark during it.
Status use_checkpoint(const Problem& problem,
                      const std::string& path,
                      const RunContext& run,
                      SuppressOptions& options) {
  if (path.empty())
    return ok_status();
  Checkpoint saved;
  const std::string digest = problem_digest(problem);
  if (std::filesystem::exists(path)) {
    LACUNA_TRY(const std::string text, read_file(path));
    LACUNA_TRY(saved, read_checkpoint(text, path, problem.table.num_cells()));
    if (saved.problem_sha256 != digest) {
      return Error{ErrorCode::kBadInput,
                   "the checkpoint is for another table, or for other weights or levels; remove it "
                   "to start afresh",
                   path};
    }
    options.start = saved.withheld;
    options.start_evidence = saved.evidence;
    if (run.log)
      run.log("resumed from " + path);
  }
  saved.problem_sha256 = digest;
  LACUNA_RETURN_IF_ERROR(write_file_atomically(path, write_checkpoint(saved)));
  options.on_pattern = [digest, path, log = run.log](const Draft& draft,
                                                     const std::vector<Displacement>& evidence) {
    const auto written =
        write_file_atomically(path, write_checkpoint({digest, cells_of(draft), evidence}));
    if (!written && log)
      log(written.error().text());
  };
  return ok_status();
}

Status use_preferred(const Problem& problem, const ProtectJob& job, SuppressOptions& options) {
  if (job.prefer.empty())
    return ok_status();
  if (job.max_withheld >= 0 || job.minimum_width > 0) {
    return Error{ErrorCode::kUnsupported,
                 "an earlier release cannot be kept under a limit or a minimum width",
                 "--prefer"};
  }
  LACUNA_TRY(const std::string text, read_file(job.prefer));
  LACUNA_TRY(const Draft earlier, read_pattern(text, job.prefer, problem.table));
  options.preferred = cells_of(earlier);
  return ok_status();
}

// What changed against the earlier release.
void compare(const std::vector<CellId>& preferred, MethodOutcome& outcome) {
  std::int64_t kept = 0;
  for (const CellId cell : preferred)
    kept += outcome.draft.state(cell) == CellState::kWithheld ? 1 : 0;
  const std::int64_t added = outcome.draft.count(CellState::kWithheld) - kept;
  const std::int64_t dropped = std::ssize(preferred) - kept;
  outcome.details.emplace_back("kept", static_cast<double>(kept));
  outcome.details.emplace_back("added", static_cast<double>(added));
  outcome.details.emplace_back("dropped", static_cast<double>(dropped));
  outcome.note = "of the earlier release " + std::to_string(kept) + " cells kept, " +
                 std::to_string(dropped) + " dropped, " + std::to_string(added) + " added";
}

}  // namespace

Result<MethodOutcome> protect_by_suppression(const std::shared_ptr<const Problem>& problem,
                                             const ProtectJob& job,
                                             const RunContext& run) {
  SuppressOptions options;
  LACUNA_TRY(options.effort, effort_of(job.effort));
  options.relative_gap = job.gap;
  options.engine = job.engine;
  options.max_withheld = job.max_withheld;
  options.minimum_width = job.minimum_width;
  LACUNA_RETURN_IF_ERROR(use_preferred(*problem, job, options));
  LACUNA_RETURN_IF_ERROR(use_checkpoint(*problem, job.checkpoint, run, options));
  LACUNA_TRY(SuppressResult found, suppress(problem, options, run));
  if (!job.trace.empty())
    LACUNA_RETURN_IF_ERROR(write_file_atomically(job.trace, trace_csv(found.trace)));
  MethodOutcome outcome = outcome_of(found);
  for (const auto& point : found.trace)
    outcome.trace.push_back({point.seconds, point.incumbent, point.bound});
  outcome.witnesses = std::move(found.witnesses);
  outcome.details = {{"start_objective", found.start_cost},
                     {"start_seconds", found.start_seconds},
                     {"nodes", static_cast<double>(found.counts.nodes)},
                     {"cuts", static_cast<double>(found.counts.cuts)},
                     {"attacker_lps", static_cast<double>(found.counts.attacker_lps)},
                     {"master_lps", static_cast<double>(found.counts.master_lps)}};
  if (!job.prefer.empty())
    compare(options.preferred, outcome);
  if (outcome.complete && options.minimum_width > 0) {
    LACUNA_TRY(outcome.message, check_widths(*problem, options, outcome.draft, run));
  }
  return outcome;
}

}  // namespace lacuna::inline job
