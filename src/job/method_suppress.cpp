// SPDX-License-Identifier: Apache-2.0
// --method suppress: complete cell suppression.
#include <chrono>
#include <cmath>

#include "base/decimal.h"
#include "io/file.h"
#include "job/methods.h"
#include "lacuna/audit.h"
#include "lacuna/suppress.h"
#include "protect/suppress/demands.h"

namespace lacuna {
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
  const auto asked = std::make_shared<const Problem>(problem_of_pattern(problem, options, draft));
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
  if (outcome.complete && options.minimum_width > 0) {
    LACUNA_TRY(outcome.message, check_widths(*problem, options, outcome.draft, run));
  }
  return outcome;
}

}  // namespace lacuna
