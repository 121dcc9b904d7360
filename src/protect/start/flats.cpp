// SPDX-License-Identifier: Apache-2.0
#include "protect/start/flats.h"

#include <algorithm>
#include <iterator>
#include <memory>

#include "core/base/parallel.h"
#include "core/base/work.h"
#include "protect/start/flat_chain.h"
#include "protect/start/flat_ground.h"
#include "protect/start/pattern_state.h"
#include "protect/start/route_assignment.h"
#include "protect/start/tuning.h"

namespace lacuna::start {
namespace {

std::vector<FlatPattern> merged_patterns(std::vector<std::vector<FlatPattern>> found) {
  std::vector<FlatPattern> all;
  for (auto& each : found)
    std::move(each.begin(), each.end(), std::back_inserter(all));
  const bool any = std::any_of(all.begin(), all.end(), [](const auto& p) { return p.served; });
  std::erase_if(all, [&](const FlatPattern& pattern) { return any && !pattern.served; });
  std::stable_sort(all.begin(), all.end(), [](const FlatPattern& a, const FlatPattern& b) {
    return a.cost < b.cost;
  });
  all.erase(
      std::unique(
          all.begin(), all.end(), [](const auto& a, const auto& b) { return a.cells == b.cells; }),
      all.end());
  return all;
}

}  // namespace

std::vector<FlatPattern> search_flats(const Problem& problem,
                                      std::span<const double> costs,
                                      std::span<const CellId> cells,
                                      const RunContext& run,
                                      FlatCounts* counts) {
  const PatternState pattern_state(problem, costs);
  std::vector<RouteGoal> goals = list_goals(pattern_state);
  std::erase_if(goals, [&](const RouteGoal& goal) {
    return !std::binary_search(cells.begin(), cells.end(), goal.cell);
  });
  const auto ground =
      FlatGround::make(pattern_state, goals, cells, kTuning.flats.most_entries, run);
  if (!ground || run.should_stop())
    return {};
  constexpr auto kChains = static_cast<std::size_t>(kTuning.flats.chains);
  const std::int64_t each = run.work_end == kNoWorkLimit
                                ? kTuning.flats.work_without_limit
                                : run.work_left() / static_cast<std::int64_t>(kChains);
  std::vector<std::vector<FlatPattern>> found(kChains);
  std::vector<FlatCounts> done(kChains);
  base::share_among(run,
                    static_cast<std::size_t>(std::max(1, run.threads)),
                    kChains,
                    [&](std::size_t, std::size_t i) {
                      const RunContext own = with_work(run, each);
                      FlatChain chain(
                          *ground, base::scrambled(run.seed + i * base::kGoldenStep), own);
                      chain.search();
                      found[i] = chain.patterns();
                      done[i] = chain.counts();
                    });
  for (const FlatCounts& one : done) {
    if (counts == nullptr)
      break;
    counts->trials += one.trials;
    counts->accepted += one.accepted;
    counts->refused += one.refused;
    counts->careful += one.careful;
  }
  return merged_patterns(std::move(found));
}

}  // namespace lacuna::start
