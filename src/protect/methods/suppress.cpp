// SPDX-License-Identifier: Apache-2.0
// --method suppress: complete cell suppression.
#include "lacuna/suppress.h"

#include <chrono>
#include <string>
#include <vector>

#include "core/table/unpublished.h"
#include "lacuna/audit.h"
#include "lacuna/counts.h"
#include "protect/methods/bound_note.h"
#include "protect/methods/methods.h"
#include "protect/suppression_model/pattern_requirements.h"

namespace lacuna::methods {
namespace {

// The requirements are audited with every release; the minimum width is no requirement of the
// problem, so it is looked at here. What is wrong is said, in one sentence.
Result<std::string> check_widths(const Problem& problem,
                                 const SuppressOptions& options,
                                 const Draft& draft,
                                 const RunContext& run) {
  const auto asked = std::make_shared<const Problem>(
      suppression_model::problem_of_pattern(problem, options.minimum_width, draft));
  AuditOptions verdicts;
  verdicts.intervals = false;
  verdicts.engine = options.engine;
  RunContext unlimited = run;
  unlimited.deadline = std::chrono::steady_clock::time_point::max();
  unlimited.stop = {};
  LACUNA_TRY(const AuditReport report, Auditor(asked).audit(draft, verdicts, unlimited));
  if (passes(report.verdict))
    return std::string();
  return std::string(
      "the audit could not confirm the minimum width of every withheld cell; nothing is released");
}

// The log is about the requirements; what else was asked of the pattern costs more.
std::string beyond_the_log(const Problem& problem, const SuppressOptions& options) {
  std::vector<std::string> more;
  if (options.max_withheld >= 0)
    more.emplace_back("the limit on withheld cells");
  if (options.minimum_width > 0)
    more.emplace_back("the minimum width");
  if (problem.counts() && !problem.counts()->questions.empty())
    more.emplace_back("questions about counts");
  std::string text;
  for (const std::string& each : more)
    text += (text.empty() ? "; the log is about the requirements alone, without " : ", ") + each;
  return text;
}

// What changed against the earlier release, of cells that a release lists.
void compare(const Table& table, const std::vector<CellId>& preferred, MethodOutcome& outcome) {
  std::int64_t kept = 0, withheld = 0;
  for (const CellId cell : preferred)
    kept += outcome.draft.state(cell) == StatementKind::kWithheld ? 1 : 0;
  for (std::int32_t c = 0; c < table.num_cells(); ++c) {
    const bool is_listed = !table::is_unpublished(table.cell(CellId{c}));
    withheld += is_listed && outcome.draft.state(CellId{c}) == StatementKind::kWithheld ? 1 : 0;
  }
  const std::int64_t added = withheld - kept;
  const std::int64_t dropped = std::ssize(preferred) - kept;
  outcome.details.emplace_back("kept", static_cast<double>(kept));
  outcome.details.emplace_back("added", static_cast<double>(added));
  outcome.details.emplace_back("dropped", static_cast<double>(dropped));
  outcome.note += (outcome.note.empty() ? "" : "; ") + std::string("compared with the earlier release: ") + std::to_string(kept) + " cells kept, " +
                 std::to_string(dropped) + " dropped, " + std::to_string(added) + " added";
}

}  // namespace

Result<MethodOutcome> protect_by_suppression(const std::shared_ptr<const Problem>& problem,
                                             const ProtectOptions& given,
                                             const RunContext& run) {
  const SuppressOptions options{given, given.suppress};
  LACUNA_TRY(const SuppressResult found, suppress(problem, options, run));
  MethodOutcome outcome = outcome_of(found);
  if (options.prove_bound) {
    note_bound(*problem, given, outcome);
    outcome.note += beyond_the_log(*problem, options);
  }
  outcome.trace = found.trace;
  outcome.details = {{"start_objective", found.start_cost},
                     {"start_seconds", found.start_seconds},
                     {"nodes", static_cast<double>(found.counts.nodes)},
                     {"cuts", static_cast<double>(found.counts.cuts)},
                     {"attacker_lps", static_cast<double>(found.counts.attacker_lps)},
                     {"master_lps", static_cast<double>(found.counts.master_lps)}};
  if (options.preferred)
    compare(problem->table(), *options.preferred, outcome);
  if (outcome.complete && options.minimum_width > 0) {
    LACUNA_TRY(outcome.reason, check_widths(*problem, options, outcome.draft, run));
  }
  return outcome;
}

}  // namespace lacuna::methods
