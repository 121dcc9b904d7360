// SPDX-License-Identifier: Apache-2.0
#include "protect/interval/parallel_intervals.h"

#include <utility>

#include "core/base/index.h"
#include "judge/attack/view.h"

namespace lacuna::interval {
namespace {

// Free cells that are not among those that may be intervals.
std::vector<bool> not_allowed(const Table& table, const std::vector<CellId>& allowed) {
  std::vector<bool> published;
  if (allowed.empty())
    return published;
  for (const Cell& cell : table.cells())
    published.push_back(cell.status == CellStatus::kFree);
  for (const CellId cell : allowed)
    published[base::at(cell)] = false;
  return published;
}

// Sensitive cells of which no level is asked have an interval whether their class moves or not.
bool asks_of_all_sensitive(const Problem& problem) {
  std::vector<bool> asked(problem.table().cells().size(), false);
  for (const Requirement& requirement : problem.requirements()) {
    if (requirement.asks_nothing())
      return false;
    asked[base::at(requirement.cell)] = true;
  }
  const auto cells = problem.table().cells();
  for (std::size_t c = 0; c < asked.size(); ++c) {
    if (cells[c].status == CellStatus::kPrimary && !asked[c])
      return false;
  }
  return true;
}

// How far the draft lets a class go.
attack::Slack slack_in(const Table& table, const Draft& draft, CellId cell) {
  const auto entry = draft.find(cell);
  if (entry == nullptr)
    return {0, 0};
  const Cell& of = table.cell(cell);
  return attack::slack_within(
      of.value, entry->state() == StatementKind::kInterval ? entry->bounds() : of.prior);
}

}  // namespace

std::optional<ParallelIntervals> ParallelIntervals::make(const Problem& problem,
                                                         const IntervalOptions& options,
                                                         const RunContext& run) {
  if (!options.validate(problem.table()) || !asks_of_all_sensitive(problem))
    return std::nullopt;
  presolve::MergeTask task;
  task.published = not_allowed(problem.table(), options.allowed);
  task.keep_sure_needs = true;
  auto merged = presolve::MergedProblem::make(problem, task, run);
  if (!merged)
    return std::nullopt;
  return ParallelIntervals(*std::move(merged), problem, options);
}

ParallelIntervals::ParallelIntervals(presolve::MergedProblem merged,
                                     const Problem& given,
                                     const IntervalOptions& options)
    : merged_(std::move(merged)), options_(options) {
  const auto count = static_cast<std::size_t>(merged_.problem().table().num_cells());
  options_.allowed.clear();
  options_.interval_digits = 0;
  options_.weight_up.assign(count, 0);
  options_.weight_down.assign(count, 0);
  for (std::size_t c = 0; c < given.table().cells().size(); ++c) {
    const CellId cell{static_cast<std::int32_t>(c)};
    const Cell& own = given.table().cells()[c];
    const std::int32_t index = merged_.class_of(cell);
    if (index < 0 || own.status == CellStatus::kSecondary)
      continue;
    double up = options.weight_up.empty() ? own.weight : options.weight_up[c];
    double down = options.weight_down.empty() ? own.weight : options.weight_down[c];
    if (merged_.sense_of(cell) < 0)
      std::swap(up, down);
    options_.weight_up[base::at(index)] += up;
    options_.weight_down[base::at(index)] += down;
  }
}

Ends ParallelIntervals::expand(const Problem& given, const Draft& draft) const {
  Ends ends;
  ends.slack.assign(2 * given.table().cells().size(), 0);
  for (std::int32_t c = 0; c < given.table().num_cells(); ++c) {
    const std::int32_t index = merged_.class_of(CellId{c});
    if (index < 0)
      continue;
    const attack::Slack slack = slack_in(merged_.problem().table(), draft, CellId{index});
    const int sense = merged_.sense_of(CellId{c});
    ends.slack[attacker::end_of(c, 1)] = slack.toward(sense);
    ends.slack[attacker::end_of(c, -1)] = slack.toward(-sense);
  }
  return ends;
}

}  // namespace lacuna::interval
