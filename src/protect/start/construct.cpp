// SPDX-License-Identifier: Apache-2.0
#include "protect/start/construct.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <utility>

#include "core/base/rational.h"
#include "core/base/work.h"
#include "judge/attack/evidence_check.h"
#include "judge/presolve/merged.h"
#include "protect/start/construct_report.h"
#include "protect/start/fallback.h"
#include "protect/start/first_pass.h"
#include "protect/start/improvement.h"
#include "protect/start/joint_slacks.h"
#include "protect/start/lane.h"
#include "protect/start/pattern_state.h"
#include "protect/start/route_assignment.h"
#include "protect/start/series_search.h"
#include "protect/start/tuning.h"

namespace lacuna::start {
namespace {

RunContext with_grace(RunContext run, std::int64_t units) {
  if (run.work_end != kNoWorkLimit)
    run.work_end += units;
  return run;
}

std::vector<RouteGoal> joined_goals(PatternState& pattern_state) {
  std::vector<RouteGoal> goals = list_goals(pattern_state);
  join_goals(pattern_state, goals);
  return goals;
}

class Construction {
 public:
  Construction(const Problem& problem, const ConstructOptions& options, const RunContext& run)
      : options_(options),
        run_(run),
        patient_(with_grace(run, options.grace)),
        pattern_state_(problem, options.costs),
        assignment_(pattern_state_, joined_goals(pattern_state_)),
        report_(options, assignment_, lanes_, run) {
    const auto lanes = static_cast<std::size_t>(std::max(1, run.threads));
    for (std::size_t i = 0; i < std::min(lanes, kTuning.construct.batch); ++i)
      lanes_.push_back(std::make_unique<Lane>(assignment_, patient_, options_.engine));
  }

  Result<Constructed> run_all() {
    for (const CellId cell : options_.withheld) {
      if (pattern_state_.place(cell) == CellRole::kPublished)
        assignment_.withhold(cell);
    }
    take_evidence();
    const std::vector<std::int32_t> unmet = meet_all();
    Constructed result;
    if (unmet.empty())
      result.counts = improve();
    result.complete = unmet.empty();
    for (const std::int32_t goal : unmet)
      result.unmet.push_back(assignment_.goal(goal).requirement);
    std::sort(result.unmet.begin(), result.unmet.end());
    result.unmet.erase(std::unique(result.unmet.begin(), result.unmet.end()), result.unmet.end());
    result.draft = pattern_state_.draft();
    result.cost = pattern_state_.total_cost();
    result.witnesses = assignment_.displacements();
    for (const auto& lane : lanes_) {
      result.counts.searches += lane->searches;
      result.counts.iterations += lane->router.iterations();
    }
    return result;
  }

 private:
  // The first pass; what it leaves is met by the fallback, if there is one. Returns the goals that
  // are still unmet.
  std::vector<std::int32_t> meet_all() {
    const std::unique_ptr<Fallback> fallback = make_fallback();
    const bool may_give_up = !fallback || fallback->complete();
    FirstPass first(
        pattern_state_, assignment_, lanes_, options_.engine, run_, may_give_up ? run_ : patient_);
    first.on_progress = [this](double share) { report_.progress("construct", share); };
    if (report_.is_logged())
      first.log = [this](const std::string& phase, std::size_t unmet) {
        report_.log(phase, unmet);
      };
    std::vector<std::int32_t> unmet = first.meet_all();
    if (fallback)
      use_fallback(*fallback, unmet);
    return unmet;
  }

  ConstructCounts improve() {
    for (const CellId cell : assignment_.idle())
      assignment_.publish(cell);
    report_.pattern();
    report_.safe_pattern();
    ConstructCounts counts;
    if (!options_.improve)
      return counts;
    Improvement improvement(options_, assignment_, lanes_, report_, run_);
    improvement.improve();
    report_.pattern();
    counts.exchanges = improvement.exchanges();
    counts.rounds = improvement.rounds();
    return counts;
  }

  // Only what is checked anew; it must keep to cells that may be withheld.
  void take_evidence() {
    if (options_.evidence.empty())
      return;
    std::vector<attack::Slack> slacks;
    for (std::int32_t c = 0; c < pattern_state_.table().num_cells(); ++c)
      slacks.push_back(pattern_state_.place(CellId{c}) == CellRole::kNever
                           ? attack::Slack{}
                           : pattern_state_.slack(CellId{c}));
    for (const Displacement& displacement : options_.evidence) {
      if (displacement.cells.empty() ||
          !attack::check_displacement(pattern_state_.table(), slacks, displacement).has_value())
        continue;
      if (auto steps = route_of_displacement(displacement))
        assignment_.add_shared_route(*std::move(steps));
    }
  }

  // Nothing where evidence serves every goal already: there is a pattern.
  std::unique_ptr<Fallback> make_fallback() {
    constexpr auto kAll = std::numeric_limits<std::int32_t>::max();
    bool all_served = true;
    for (std::int32_t goal = 0; goal < static_cast<std::int32_t>(assignment_.goals().size());
         ++goal)
      all_served =
          (assignment_.shared_route_of(goal) >= 0 || assignment_.serve(goal, kAll)) && all_served;
    if (all_served)
      return nullptr;
    auto fallback =
        std::make_unique<Fallback>(pattern_state_, assignment_.goals(), options_.engine);
    fallback->make(assignment_, run_);
    if (!fallback->complete())
      return fallback;
    if (options_.on_pattern)
      options_.on_pattern(fallback->draft(), fallback->displacements());
    if (options_.on_safe)
      options_.on_safe(fallback->draft());
    return fallback;
  }

  void use_fallback(const Fallback& fallback, std::vector<std::int32_t>& unmet) {
    std::erase_if(unmet, [&](std::int32_t goal) {
      const Route* route = fallback.route_of(goal);
      if (!assignment_.serve(goal) && route != nullptr)
        assignment_.add_shared_route(*route);
      return assignment_.shared_route_of(goal) >= 0 || assignment_.serve(goal);
    });
  }

  const ConstructOptions& options_;
  const RunContext& run_;
  RunContext patient_;  // for what must be done before there is a pattern
  PatternState pattern_state_;
  RouteAssignment assignment_;
  std::vector<std::unique_ptr<Lane>> lanes_;
  ConstructReport report_;
};

// Then whether a cell moves at all is what counts (series_search.h).
bool asks_for_one_unit(const Problem& problem) {
  const auto& goals = problem.requirements();
  return std::all_of(goals.begin(), goals.end(), [](const Requirement& goal) {
    return goal.attacker == 0 && goal.lower <= 1 && goal.upper <= 1 &&
           goal.sliding <= std::max<Units>(1, goal.lower + goal.upper);
  });
}

Displacement displacement_of(const Route& steps) {
  Displacement result;
  Units most = 1;
  for (const RouteStep& step : steps) {
    result.cells.push_back(step.cell);
    result.moves.emplace_back(base::to_integer(step.move));
    most = std::max(most, step.move > 0 ? step.move : -step.move);
  }
  result.denominator = base::to_integer(most);  // nothing moves by more than a unit
  return result;
}

// The circuits, and what served before the goals that have none.
std::vector<Displacement> evidence_for(const Problem& problem,
                                       const std::vector<Route>& circuits,
                                       const std::vector<Displacement>& before) {
  std::vector<Displacement> evidence;
  std::vector<bool> open(static_cast<std::size_t>(problem.table().num_cells()), false);
  for (const Requirement& goal : problem.requirements())
    open[static_cast<std::size_t>(goal.cell.value)] = true;
  for (const Route& steps : circuits) {
    for (const RouteStep& step : steps)
      open[static_cast<std::size_t>(step.cell.value)] = false;
    evidence.push_back(displacement_of(steps));
  }
  for (const Displacement& each : before) {
    if (std::any_of(each.cells.begin(), each.cells.end(), [&](CellId cell) {
          return open[static_cast<std::size_t>(cell.value)];
        }))
      evidence.push_back(each);
  }
  return evidence;
}

Result<Constructed> construct_by_series(const Problem& problem,
                                        const ConstructOptions& options,
                                        const RunContext& run) {
  ConstructOptions first = options;
  first.improve = false;
  LACUNA_TRY(Constructed found, Construction(problem, first, run).run_all());
  if (!found.complete || !options.improve || run.should_stop())
    return found;
  PatternState pattern_state(problem, options.costs);
  for (const CellEntry& entry : found.draft.each()) {
    if (pattern_state.place(entry.cell) == CellRole::kPublished)
      pattern_state.withhold(entry.cell);
  }
  SeriesOptions series;
  series.max_rounds = options.max_rounds;
  const std::vector<RouteGoal> goals = list_goals(pattern_state);
  SeriesSearch search(pattern_state, goals, series);
  search.run(base::share_of_work(run, kTuning.construct.series_share), run);
  first.withheld = search.secondaries();
  first.evidence = evidence_for(problem, search.circuits(), found.witnesses);
  LACUNA_TRY(Constructed better, Construction(problem, first, run).run_all());
  return better.complete && better.cost < found.cost ? std::move(better) : std::move(found);
}

Result<Constructed> construct_on(const Problem& problem,
                                 const ConstructOptions& options,
                                 const RunContext& run) {
  return asks_for_one_unit(problem) ? construct_by_series(problem, options, run)
                                    : Construction(problem, options, run).run_all();
}

Constructed expanded(const Problem& problem,
                     const presolve::MergedProblem& merged,
                     const std::vector<double>& costs,
                     Constructed found) {
  found.draft = merged.expand(problem, found.draft);
  found.unmet = merged.requirements_behind(problem, found.unmet);
  found.witnesses = merged.expand(found.witnesses);
  found.cost = 0;
  for (const CellEntry& entry : found.draft.each())
    found.cost += costs[static_cast<std::size_t>(entry.cell.value)];
  return found;
}

}  // namespace

Result<Constructed> construct_pattern(const Problem& problem,
                                      const ConstructOptions& options,
                                      const RunContext& run) {
  if (!options.costs.empty() &&
      options.costs.size() != static_cast<std::size_t>(problem.table().num_cells())) {
    return Error{ErrorCode::kOptionValue, "there must be one cost per cell", "costs"};
  }
  for (const CellId cell : options.withheld) {
    if (cell.value < 0 || cell.value >= problem.table().num_cells())
      return Error{ErrorCode::kOptionValue, "there is no such cell", "withheld"};
  }
  std::vector<double> costs = options.costs;
  if (costs.empty()) {
    for (const Cell& cell : problem.table().cells())
      costs.push_back(cell.weight);
  }
  const auto merged =
      presolve::MergedProblem::make(problem, {.costs = costs, .by_kernel = false}, run);
  if (!merged)
    return construct_on(problem, options, run);
  ConstructOptions inner = options;
  inner.costs = merged->costs();
  inner.withheld = merged->classes_of(options.withheld);
  inner.evidence = merged->reduce(options.evidence);
  if (options.on_pattern) {
    inner.on_pattern = [&](const Draft& draft, const std::vector<Displacement>& evidence) {
      options.on_pattern(merged->expand(problem, draft), merged->expand(evidence));
    };
  }
  if (options.on_safe)
    inner.on_safe = [&](const Draft& draft) { options.on_safe(merged->expand(problem, draft)); };
  LACUNA_TRY(Constructed found, construct_on(merged->problem(), inner, run));
  return expanded(problem, *merged, costs, std::move(found));
}

}  // namespace lacuna::start
