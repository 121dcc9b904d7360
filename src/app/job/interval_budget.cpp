// SPDX-License-Identifier: Apache-2.0
#include "app/job/interval_budget.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "core/base/readable.h"
#include "core/base/spelling.h"

namespace lacuna::job {
namespace {

constexpr std::int32_t kSampled = 12;  // requirements
// What the sample itself may take, and how far an estimate may be off before the work is stopped.
constexpr double kSampleShare = 0.2, kOff = 3;
constexpr double kWorthANote = 5e6;

struct Wanted {
  std::vector<std::int32_t> requirements;  // that take a search
  std::int64_t others = 0;                 // questions about counts, and cells without any
  double all() const { return static_cast<double>(std::ssize(requirements) + others); }
};

Wanted wanted_of(const Problem& problem, const Draft& draft) {
  Wanted wanted;
  std::vector<bool> asked(static_cast<std::size_t>(problem.table().num_cells()), false);
  for (std::size_t i = 0; i < problem.requirements().size(); ++i) {
    const Requirement& need = problem.requirements()[i];
    if (draft.is_exact(need.cell))
      continue;
    wanted.requirements.push_back(static_cast<std::int32_t>(i));
    if (need.attacker == 0)
      asked[static_cast<std::size_t>(need.cell.value)] = true;
  }
  for (const CellEntry& entry : draft.each())
    wanted.others += asked[static_cast<std::size_t>(entry.cell.value)] ? 0 : 1;
  if (problem.counts())
    wanted.others += std::ssize(problem.counts()->questions);
  return wanted;
}

std::string time_text(double work, int threads) {
  const double seconds = work / 1e6 / std::max(1, threads);
  constexpr double kMinute = 60, kHour = 3600;
  if (seconds < 2 * kMinute)
    return fmt::format("{:.0f} seconds", std::max(1.0, seconds));
  if (seconds < 2 * kHour)
    return fmt::format("{:.0f} minutes", seconds / kMinute);
  return fmt::format("{:.0f} hours", seconds / kHour);
}

struct Estimate {
  double work = 0;
  bool at_least = false;  // the sample was not through
};

// From some requirements, evenly spread; what else is asked takes as long each.
Result<Estimate> estimate_of(const IntervalBudget& budget,
                             const Wanted& wanted,
                             const Auditor& auditor,
                             const Draft& draft,
                             const AuditOptions& options,
                             const RunContext& run) {
  AuditOptions some = options;
  some.all_withheld = false;
  some.hints.clear();
  const std::size_t count = std::min<std::size_t>(kSampled, wanted.requirements.size());
  for (std::size_t i = 0; i < count; ++i)
    some.only.push_back(wanted.requirements[i * wanted.requirements.size() / count]);
  const RunContext sampling = with_work(run, static_cast<std::int64_t>(kSampleShare * budget.work));
  LACUNA_TRY(const AuditReport report, auditor.audit(draft, some, sampling));
  const double each = static_cast<double>(report.work) / static_cast<double>(count);
  return Estimate{each * wanted.all(), sampling.out_of_work()};
}

std::string left_out_text(const Wanted& wanted, const std::string& time) {
  return fmt::format("not computed, since the {} of them would take {}; {} computes them",
                     base::grouped(static_cast<std::int64_t>(wanted.all())),
                     time,
                     base::named_option("exact"));
}

}  // namespace

Result<IntervalAudit> audit_within(const IntervalBudget& budget,
                                   const Auditor& auditor,
                                   const Draft& draft,
                                   const AuditOptions& given,
                                   const RunContext& run) {
  AuditOptions options = given;
  options.all_withheld = options.intervals;
  const Wanted wanted = wanted_of(auditor.problem(), draft);
  const double size = 2 * wanted.all() * auditor.problem().table().num_cells();
  IntervalAudit made;
  if (!options.intervals || draft.adjusted() || wanted.requirements.empty() ||
      size <= budget.least_estimated) {
    LACUNA_TRY(made.report, auditor.audit(draft, options, run));
    return made;
  }
  LACUNA_TRY(const Estimate estimate, estimate_of(budget, wanted, auditor, draft, options, run));
  const std::string time =
      (estimate.at_least ? "at least " : "about ") + time_text(estimate.work, run.threads);
  const bool affordable = budget.unlimited || (!estimate.at_least && estimate.work <= budget.work);
  if (run.log && (!affordable || estimate.work > kWorthANote))
    run.log(affordable
                ? "exact intervals: " + base::grouped(static_cast<std::int64_t>(wanted.all())) +
                      ", which take " + time
                : "exact intervals: " + left_out_text(wanted, time));
  AuditOptions verdicts = options;
  verdicts.intervals = verdicts.all_withheld = false;
  if (budget.unlimited) {
    LACUNA_TRY(made.report, auditor.audit(draft, options, run));
    return made;
  }
  LACUNA_TRY(made.report, auditor.audit(draft, verdicts, run));
  made.left_out = left_out_text(wanted, time);
  if (!affordable)
    return made;
  options.hints = made.report.evidence.witnesses;
  const RunContext limited = with_work(run, static_cast<std::int64_t>(kOff * budget.work));
  LACUNA_TRY(AuditReport exact, auditor.audit(draft, options, limited));
  if (limited.should_stop()) {
    made.left_out = left_out_text(wanted, "more than " + time);
    return made;
  }
  made.report = std::move(exact);
  made.left_out.clear();
  return made;
}

}  // namespace lacuna::job
