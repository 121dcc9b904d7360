// SPDX-License-Identifier: Apache-2.0
#include "protect/start/expensive_groups.h"

#include <algorithm>
#include <iterator>
#include <map>

#include "core/base/work.h"
#include "protect/start/tuning.h"

namespace lacuna::start {
namespace {

using RouteList = std::vector<std::int32_t>;

double stake_of(const RouteAssignment& assignment, const RouteList& shared_routes) {
  std::map<CellId, std::int32_t> uses;
  for (const std::int32_t shared_route : shared_routes) {
    for (const RouteStep& step : assignment.shared_route(shared_route).steps)
      ++uses[step.cell];
  }
  double stake = 0;
  for (const auto& [cell, count] : uses) {
    if (count == assignment.uses(cell) && !assignment.pattern_state().permanent(cell))
      stake += assignment.pattern_state().cost(cell);
  }
  return stake;
}

// The secondaries that make up so much of the cost of all, the most expensive first; `total` is set
// to that cost.
std::vector<CellId> expensive_cells(const RouteAssignment& assignment, double& total) {
  const PatternState& pattern_state = assignment.pattern_state();
  std::vector<CellId> cells;
  total = 0;
  for (std::int32_t c = 0; c < pattern_state.table().num_cells(); ++c) {
    const CellId cell{c};
    if (pattern_state.place(cell) != CellRole::kWithheld || pattern_state.permanent(cell))
      continue;
    total += pattern_state.cost(cell);
    cells.push_back(cell);
  }
  base::count_work(2 * static_cast<std::size_t>(pattern_state.table().num_cells()));
  const double mean = cells.empty() ? 0 : total / static_cast<double>(cells.size());
  const double least = std::max(kTuning.expensive_groups.expensive * total,
                                kTuning.expensive_groups.times_mean * mean);
  std::erase_if(cells, [&](CellId cell) { return pattern_state.cost(cell) < least; });
  std::stable_sort(cells.begin(), cells.end(), [&](CellId a, CellId b) {
    return pattern_state.cost(a) > pattern_state.cost(b);
  });
  return cells;
}

}  // namespace

std::vector<std::int32_t> shared_routes_in_use(const RouteAssignment& assignment, CellId cell) {
  std::vector<std::int32_t> shared_routes;
  for (const std::int32_t index : assignment.through(cell)) {
    const SharedRoute& shared_route = assignment.shared_route(index);
    if (shared_route.alive && !shared_route.users.empty())
      shared_routes.push_back(index);
  }
  std::sort(shared_routes.begin(), shared_routes.end());
  return shared_routes;
}

std::vector<ExpensiveGroup> expensive_groups(const RouteAssignment& assignment) {
  double total = 0;
  const std::vector<CellId> expensive = expensive_cells(assignment, total);
  std::vector<RouteList> through;
  for (const CellId cell : expensive)
    through.push_back(shared_routes_in_use(assignment, cell));
  std::vector<ExpensiveGroup> groups;
  for (std::size_t first = 0; first < expensive.size(); ++first) {
    ExpensiveGroup group{expensive[first], through[first], 0};
    for (std::size_t other = 0; other < expensive.size(); ++other) {
      RouteList joined;
      std::set_union(group.shared_routes.begin(),
                     group.shared_routes.end(),
                     through[other].begin(),
                     through[other].end(),
                     std::back_inserter(joined));
      if (joined.size() <= kTuning.expensive_groups.most_shared_routes)
        group.shared_routes = std::move(joined);
    }
    if (group.shared_routes.empty() ||
        group.shared_routes.size() > kTuning.expensive_groups.most_shared_routes)
      continue;
    group.stake = stake_of(assignment, group.shared_routes);
    const bool is_known =
        std::any_of(groups.begin(), groups.end(), [&](const ExpensiveGroup& each) {
          return each.shared_routes == group.shared_routes;
        });
    if (!is_known && group.stake >= kTuning.expensive_groups.least_stake * total)
      groups.push_back(std::move(group));
  }
  return groups;
}

std::int64_t GroupTurns::work_left() const {
  const auto done = static_cast<double>(work_done() - begun_at_ - work_);
  return static_cast<std::int64_t>(kTuning.expensive_groups.share_of_all * done) - work_;
}

std::vector<ExpensiveGroup> GroupTurns::untried(const RouteAssignment& assignment) const {
  if (work_left() < kTuning.expensive_groups.least_work)
    return {};
  std::vector<ExpensiveGroup> groups = expensive_groups(assignment);
  std::erase_if(groups, [&](const ExpensiveGroup& group) {
    return tried_.contains(trial_of(assignment, group));
  });
  return groups;
}

void GroupTurns::note_trial(const RouteAssignment& assignment, const ExpensiveGroup& group) {
  tried_.insert(trial_of(assignment, group));
}

GroupTurns::Trial GroupTurns::trial_of(const RouteAssignment& assignment,
                                       const ExpensiveGroup& group) {
  std::vector<std::int32_t> goals;
  for (const std::int32_t shared_route : group.shared_routes) {
    const auto& users = assignment.shared_route(shared_route).users;
    goals.insert(goals.end(), users.begin(), users.end());
  }
  std::sort(goals.begin(), goals.end());
  return {std::move(goals), group.stake};
}

}  // namespace lacuna::start
