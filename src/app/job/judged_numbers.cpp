// SPDX-License-Identifier: Apache-2.0
#include "app/job/judged_numbers.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "core/base/index.h"
#include "lacuna/audit.h"
#include "lacuna/method.h"
#include "protect/methods/grow.h"
#include "protect/methods/reserve.h"

namespace lacuna::job {
namespace {

constexpr std::int32_t kMostToSearch = 1500;  // cells of a system in which something cheaper is sought
constexpr double kGrowShare = 0.5;            // of the work and time that there is

Draft withheld_anyway(const Table& table) {
  Draft draft;
  for (std::int32_t c = 0; c < table.num_cells(); ++c) {
    const CellStatus status = table.cell(CellId{c}).status;
    if (status == CellStatus::kPrimary || status == CellStatus::kSecondary)
      draft.withhold(CellId{c});
  }
  return draft;
}

double weight_of(const Table& table, const Draft& draft) {
  double sum = 0;
  for (const CellEntry& entry : draft.each())
    sum += entry.state() == StatementKind::kWithheld ? table.cell(entry.cell).weight : 0;
  return sum;
}

methods::GrowQuestion question_of(const ProtectJob& job,
                                  const std::shared_ptr<const Problem>& problem,
                                  const GrowFrom& from) {
  methods::GrowQuestion asked;
  asked.problem = problem;
  const Table& table = problem->table();
  asked.base = withheld_anyway(table);
  for (const auto& group : from.groups) {  // with one of them go the others
    const bool gone = std::any_of(group.begin(), group.end(), [&](CellId cell) {
      return !asked.base.is_exact(cell);
    });
    for (const CellId cell : group) {
      if (gone && may_be_withheld(table.cell(cell)))
        asked.base.withhold(cell);
    }
  }
  std::vector<bool> grouped(base::at(table.num_cells()), false);
  for (const auto& group : from.groups) {
    methods::Choice choice;
    bool may = true;
    for (const CellId cell : group) {
      grouped[base::at(cell)] = true;
      may = may && table.cell(cell).status == CellStatus::kFree && asked.base.is_exact(cell);
      choice.weight += table.cell(cell).weight;
    }
    choice.cells = group;
    if (may)
      asked.choices.push_back(std::move(choice));
  }
  for (methods::Choice& choice : methods::single_choices(table, asked.base)) {
    if (!grouped[base::at(choice.cells.front())])
      asked.choices.push_back(std::move(choice));
  }
  asked.engine = job.engine;
  std::vector<bool> begun(base::at(problem->table().num_cells()), false);
  for (const CellId cell : from.withheld)
    begun[base::at(cell)] = true;
  for (const methods::Choice& choice : asked.choices)
    asked.start.push_back(begun[base::at(choice.cells.front())]);
  return asked;
}

ProtectResult result_of(const Table& table, methods::GrownPattern grown) {
  ProtectResult found;
  found.why = StopReason::kWork;
  found.complete = true;
  found.reproducible = true;
  found.draft = *std::move(grown.draft);
  found.cost = weight_of(table, found.draft);
  found.witnesses = std::move(grown.witnesses);
  found.details = {{"grown_audits", static_cast<double>(grown.audits)}};
  return found;
}

// From the pattern that was grown; what fails leaves that.
std::optional<ProtectResult> searched(const ProtectOptions& options,
                                      const std::shared_ptr<const Problem>& problem,
                                      const ProtectResult& grown,
                                      const RunContext& run) {
  ProtectOptions from = options;
  from.suppress.start.clear();
  for (const CellEntry& entry : grown.draft.each())
    from.suppress.start.push_back(entry.cell);
  from.suppress.start_evidence = grown.witnesses;
  auto found = protect(problem, from, run);
  if (!found || !found->complete || !found->judged)
    return std::nullopt;
  return *std::move(found);
}

bool is_safe(const ProtectJob& job,
             const std::shared_ptr<const Problem>& problem,
             const ProtectResult& found,
             const RunContext& run) {
  AuditOptions verdicts;
  verdicts.intervals = false;
  verdicts.engine = job.engine;
  verdicts.hints = found.witnesses;
  const auto report = Auditor(problem).audit(found.draft, verdicts, run);
  return report && passes(report->verdict);
}

}  // namespace

Result<ProtectResult> protect_with_numbers(const ProtectJob& job,
                                           const ProtectOptions& options,
                                           const std::shared_ptr<const Problem>& problem,
                                           const GrowFrom& from,
                                           const RunContext& given) {
  LACUNA_TRY(Problem weighed, weigh(*problem, weight_formula(options)));
  const auto priced = std::make_shared<const Problem>(std::move(weighed));
  const std::int32_t cells = priced->table().num_cells();
  const RunContext run = with_effort(with_helpers(given), options.effort, cells);
  LACUNA_TRY(methods::GrownPattern grown,
             methods::grow_and_give_back(question_of(job, priced, from), methods::share_of_rest(run, kGrowShare)));
  const bool stopped = !grown.draft;
  std::optional<ProtectResult> found;
  if (!stopped)
    found = result_of(priced->table(), std::move(grown));
  const bool dear = found && from.most >= 0 && found->cost >= from.most && cells > kMostToSearch;
  if (from.search && from.groups.empty() && !dear && !run.should_stop() && (stopped || cells <= kMostToSearch)) {
    if (stopped)
      return protect(problem, options, run);
    auto better = searched(options, problem, *found, run);
    if (better && better->cost < found->cost && is_safe(job, problem, *better, given)) {
      better->details.emplace_back("grown_cost", found->cost);
      return *std::move(better);
    }
    if (better)
      found->bound = std::min(better->bound, found->cost);
  }
  if (found)
    return *std::move(found);
  ProtectResult nothing;
  nothing.why = ended_by(run);
  return nothing;
}

}  // namespace lacuna::job
