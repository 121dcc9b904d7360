// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <optional>

#include "core/draft/system.h"
#include "core/table/labels.h"
#include "core/table/network.h"
#include "judge/attack/exposure.h"
#include "judge/attack/view.h"
#include "judge/audit/adjusted.h"
#include "judge/audit/audit_run.h"
#include "judge/audit/judge.h"
#include "lacuna/audit.h"
#include "lacuna/lp.h"

namespace lacuna {
namespace {

// With only the primaries withheld: exposed by the audit, and initially if one equation says so.
Result<std::vector<Exposure>> classify(const Problem& problem,
                                       const AuditOptions& options,
                                       const RunContext& run,
                                       const table::Network* network) {
  const Draft bare = Draft::withholding_primaries(problem.table());
  AuditOptions verdicts = options;
  verdicts.intervals = false;
  verdicts.all_withheld = false;
  audit::AuditRun audit(problem, bare, verdicts, run, network, problem.table().num_cells());
  LACUNA_TRY(const AuditReport report, audit.run({.rational = true, .integer = false}));
  std::vector<Exposure> classes(report.findings.size(), Exposure::kUnknown);
  const auto groups = audit::by_attacker(report.findings, problem.attackers().size());
  for (std::size_t a = 0; a < groups.size(); ++a) {
    if (groups[a].empty())
      continue;
    const std::vector<attack::Slack> slacks =
        attack::attacker_slacks(problem.table(), bare, problem.attackers()[a]);
    for (const std::size_t i : groups[a]) {
      const Finding& finding = report.findings[i];
      if (is_met(finding.verdict)) {
        classes[i] = Exposure::kNotExposed;
      } else if (finding.verdict != Verdict::kUndecided) {  // waived or not
        classes[i] = attack::initially_exposed(problem.table(), slacks, finding.question)
                         ? Exposure::kInitially
                         : Exposure::kConsequentially;
      }
    }
  }
  return classes;
}

std::shared_ptr<const table::Network> network_of(const Table& table) {
  const std::vector<bool> all(static_cast<std::size_t>(table.num_cells()), true);
  auto network = table::network_form(table, all);
  return network ? std::make_shared<const table::Network>(*std::move(network)) : nullptr;
}

// An adjusted table is judged by its numbers; there is nothing to search for.
Result<AuditReport> audit_adjusted(const Problem& problem,
                                   const Draft& draft,
                                   const AuditOptions& options) {
  LACUNA_RETURN_IF_ERROR(audit::check_adjusted(problem.table(), draft));
  AuditReport report;
  for (std::size_t i = 0; i < problem.requirements().size(); ++i) {
    Finding finding;
    finding.question = question_of(problem.requirements()[i]);
    audit::judge_adjusted(problem, draft, finding);
    report.findings.push_back(std::move(finding));
  }
  if (!options.only.empty()) {
    std::vector<Finding> some;
    for (const std::int32_t i : options.only)
      some.push_back(report.findings[static_cast<std::size_t>(i)]);
    report.findings = std::move(some);
  }
  report.verdict = audit::overall(report);
  report.engine = "none";
  return report;
}

// "3 questions exposed (exact 2, small 1), 0 undecided"
std::string questions_refused(const AuditReport& report) {
  std::vector<std::int32_t> exposed(enum_names(CountKind{}).size());
  for (const Finding& finding : report.of(Domain::kInteger))
    exposed[static_cast<std::size_t>(finding.question.kind)] +=
        finding.verdict == Verdict::kExposed ? 1 : 0;
  std::string kinds;
  for (std::size_t k = 0; k < exposed.size(); ++k) {
    if (exposed[k] > 0)
      kinds += (kinds.empty() ? " (" : ", ") + std::string(enum_names(CountKind{})[k]) + " " +
               std::to_string(exposed[k]);
  }
  const std::int32_t all = report.count(Verdict::kExposed, Domain::kInteger);
  return std::to_string(all) + (all == 1 ? " question" : " questions") + " exposed" + kinds +
         (kinds.empty() ? "" : ")") + ", " +
         std::to_string(report.count(Verdict::kUndecided, Domain::kInteger)) + " undecided";
}

// The cells that a report does not pass, exposed ones first: " (region=N, region=S and 4 more)".
std::string cells_refused(const Table& table, const AuditReport& report) {
  std::vector<CellId> cells;
  for (const Verdict wanted : {Verdict::kExposed, Verdict::kUndecided}) {
    for (const Finding& finding : report.findings) {
      const CellId cell = finding.question.cell;
      if (finding.verdict == wanted && std::find(cells.begin(), cells.end(), cell) == cells.end())
        cells.push_back(cell);
    }
  }
  return cells.empty() ? "" : " (" + table::labels_text(table, cells) + ")";
}

}  // namespace

Auditor::Auditor(std::shared_ptr<const Problem> problem) : problem_(std::move(problem)) {
  if (problem_->requirements().empty() && !problem_->counts())
    return;  // nothing is searched for
  network_ = network_of(problem_->table());
}

Result<AuditReport> Auditor::audit(const Draft& draft,
                                   const AuditOptions& options,
                                   const RunContext& given) const {
  const RunContext run = with_helpers(given);
  LACUNA_RETURN_IF_ERROR(check_draft(problem_->table(), draft));
  if (draft.adjusted())
    return audit_adjusted(*problem_, draft, options);
  if (auto probe = make_lp_solver(options.engine); !probe)
    return probe.error();
  const draft::ReleaseSystem system(*problem_, draft);
  std::shared_ptr<const table::Network> network = network_;
  if (system.changes_table())
    network = network_of(system.problem().table());
  audit::AuditRun audit(
      system.problem(), system.draft(), options, run, network.get(), problem_->table().num_cells());
  const bool integer = problem_->counts() && !options.reals && options.only.empty();
  LACUNA_TRY(AuditReport report, audit.run({.rational = true, .integer = integer}));
  if (options.exposure) {
    LACUNA_TRY(report.exposure, classify(*problem_, options, run, network_.get()));
  }
  return report;
}

std::string refusal_text(const AuditReport& report) {
  const std::int32_t exposed = report.count(Verdict::kExposed, Domain::kRational);
  std::string text = "the audit does not pass the release: " + std::to_string(exposed) +
                     (exposed == 1 ? " requirement" : " requirements") + " exposed, " +
                     std::to_string(report.count(Verdict::kUndecided, Domain::kRational)) +
                     " undecided";
  if (!report.of(Domain::kInteger).empty())
    text += "; in whole numbers " + questions_refused(report);
  return text;
}

std::string refusal_text(const AuditReport& report, const Table& table) {
  return refusal_text(report) + cells_refused(table, report);
}

Result<ReleaseDecision> Auditor::decide(const Draft& draft,
                                        const AuditOptions& options,
                                        const RunContext& run) const {
  AuditOptions every;
  const bool partial = !options.only.empty() || options.reals;
  if (partial) {  // hints may be many: copied in need only
    every = options;
    every.only.clear();
    every.reals = false;
  }
  LACUNA_TRY(AuditReport report, audit(draft, partial ? every : options, run));
  ReleaseDecision decision;
  if (passes(report.verdict))
    decision.release = AuditedRelease(problem_, draft, std::move(report));
  else
    decision.refusal = std::move(report);
  return decision;
}

Result<AuditedRelease> Auditor::release(const Draft& draft,
                                        const AuditOptions& options,
                                        const RunContext& run) const {
  LACUNA_TRY(ReleaseDecision decision, decide(draft, options, run));
  if (!decision.release)
    return Error{ErrorCode::kNotProtected, refusal_text(decision.refusal, problem_->table()), ""};
  return *std::move(decision.release);
}

}  // namespace lacuna
