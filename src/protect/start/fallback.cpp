// SPDX-License-Identifier: Apache-2.0
#include "protect/start/fallback.h"

#include <algorithm>
#include <memory>
#include <numeric>
#include <unordered_set>

#include "core/base/parallel.h"
#include "protect/start/first_pass.h"
#include "protect/start/flow_routes.h"
#include "protect/start/lane.h"
#include "protect/start/tuning.h"

namespace lacuna::start {

// The hasty way finds nearly all; the few others are worth a closer look. Where it does not, cells
// are tied so closely that a closer look would not find more.
void Fallback::make(const RouteAssignment& known, const RunContext& run) {
  take(known);
  std::vector<std::int32_t> open(assignment_.goals().size());
  std::iota(open.begin(), open.end(), 0);
  open = meet(open, LeafRoutes::Care::kHasty, run);
  if (open.size() * kTuning.leaf_routes.few < assignment_.goals().size())
    open = meet(open, LeafRoutes::Care::kUsual, run);
  open_ = meet_by_search(open, run).size();
  for (const CellId cell : assignment_.idle())
    assignment_.publish(cell);
}

void Fallback::take(const RouteAssignment& known) {
  for (std::int32_t goal = 0; goal < static_cast<std::int32_t>(assignment_.goals().size());
       ++goal) {
    const std::int32_t shared_route = known.shared_route_of(goal);
    if (shared_route < 0 || assignment_.serve(goal))
      continue;
    assignment_.add_shared_route(known.shared_route(shared_route).steps);
    assignment_.serve(goal);
  }
}

std::vector<std::int32_t> Fallback::meet(const std::vector<std::int32_t>& goals,
                                         LeafRoutes::Care care,
                                         const RunContext& run) {
  const auto workers = static_cast<std::size_t>(std::max(1, run.threads));
  std::vector<std::int32_t> batch;
  std::vector<std::int32_t> open;
  std::vector<std::optional<Route>> found;
  std::vector<std::unique_ptr<FlowRoutes>> flows(workers);  // over what is withheld already
  if (const auto network = network_of(pattern_state_)) {
    for (auto& each : flows)
      each = std::make_unique<FlowRoutes>(pattern_state_, network);
  }
  std::unordered_set<std::int32_t> hopeless;  // bundles: not even the outsider has a route
  for (std::size_t next = 0; next < goals.size();) {
    batch.clear();
    for (; next < goals.size() && batch.size() < kTuning.leaf_routes.batch; ++next) {
      if (assignment_.shared_route_of(goals[next]) >= 0 || assignment_.serve(goals[next]))
        continue;
      // One route may do for all of a bundle, whose goals come one after the other.
      const std::int32_t bundle = assignment_.goal(goals[next]).bundle;
      if (hopeless.contains(bundle)) {
        open.push_back(goals[next]);
        continue;
      }
      if (std::any_of(batch.begin(), batch.end(), [&](std::int32_t other) {
            return assignment_.goal(other).bundle == bundle;
          }))
        break;
      batch.push_back(goals[next]);
    }
    found.assign(batch.size(), std::nullopt);
    base::share_among(run, workers, batch.size(), [&](std::size_t worker, std::size_t i) {
      if (run.braked())
        return;
      if (flows[worker])
        found[i] = flows[worker]->find(assignment_.goal(batch[i]), true);
      if (!found[i])
        found[i] = leaf_routes_.find(assignment_.goal(batch[i]), care);
    });
    for (std::size_t i = 0; i < batch.size(); ++i) {
      if (!found[i] && assignment_.goal(batch[i]).attacker == 0)
        hopeless.insert(assignment_.goal(batch[i]).bundle);
      merge(batch[i], std::move(found[i]), open);
    }
  }
  return open;
}

// A share of the work that is left, and some in any case: there should be a pattern.
RunContext Fallback::with_work_for_searches(const RunContext& run) {
  RunContext unlimited = run;
  unlimited.work_end = kNoWorkLimit;
  const std::int64_t left = run.work_left();
  const std::int64_t share = left == kNoWorkLimit ? 0 : left / kTuning.leaf_routes.search_share;
  return with_work(unlimited, std::max(share, kTuning.leaf_routes.least_search));
}

// What is still open is mostly carried by many cells together: short searches, then attacker LPs
// over all that may be withheld.
std::vector<std::int32_t> Fallback::meet_by_search(const std::vector<std::int32_t>& goals,
                                                   const RunContext& run) {
  if (goals.empty())
    return goals;
  const RunContext limited = with_work_for_searches(run);
  std::vector<std::unique_ptr<Lane>> lanes;
  for (int i = 0; i < std::max(1, run.threads); ++i)
    lanes.push_back(std::make_unique<Lane>(assignment_, limited, engine_));
  FirstPass sure(pattern_state_, assignment_, lanes, engine_, limited, limited);
  std::vector<std::int32_t> open = goals;
  for (const SearchKind kind : {SearchKind::kFirst, SearchKind::kAlone}) {
    if (!open.empty())
      open = sure.meet(open, kind, false);
  }
  const bool is_small = pattern_state_.table().num_cells() <= kTuning.leaf_routes.cells_for_lps;
  return open.empty() || !is_small ? open : sure.meet_by_lp(open);
}

void Fallback::merge(std::int32_t goal,
                     std::optional<Route> route,
                     std::vector<std::int32_t>& open) {
  if (assignment_.shared_route_of(goal) >= 0 || assignment_.serve(goal))
    return;
  if (route)
    assignment_.add_shared_route(*std::move(route));
  if (!route || !assignment_.serve(goal))
    open.push_back(goal);
}

}  // namespace lacuna::start
