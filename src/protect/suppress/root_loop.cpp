// SPDX-License-Identifier: Apache-2.0
#include "protect/suppress/root_loop.h"

#include <algorithm>
#include <memory>
#include <unordered_set>
#include <utility>

#include "core/base/index.h"
#include "core/base/work.h"
#include "protect/suppress/tuning.h"
#include "protect/suppression_model/cuts/rounded.h"
#include "protect/suppression_model/dual_ascent.h"

namespace lacuna::suppression {
namespace {

class BoundHistory {  // of the rounds since the root was strengthened
 public:
  void add(double bound) { bounds_.push_back(bound); }
  void clear() { bounds_.clear(); }
  // Did the last rounds close less than this share of the gap?
  bool has_stalled(std::size_t rounds, double share, double gap) const {
    return bounds_.size() > rounds &&
           bounds_.back() - bounds_[bounds_.size() - 1 - rounds] < share * gap;
  }

 private:
  std::vector<double> bounds_;
};

}  // namespace

void dive(TreeState& state, NodeSolver& solver, const Node& from, const RunContext& run) {
  NodeOutcome outcome = solver.dive(from, run);
  state.cuts().separator.share_witnesses();
  const std::vector<double>& x = solver.master().x();
  if (outcome.patterns.empty() && !run.should_stop() && !x.empty())
    state.try_rounding(x, run);
  state.take(std::move(outcome));
}

RootLoop::RootLoop(TreeState& state, NodeSolver& solver)
    : state_(state), solver_(solver), groups_(state.model(), state.options()) {
  if (state.task().known)
    inner_.assign(state.task().known->begin(), state.task().known->end());
}

// First rows of a large master, and a bound that does not wait for it.
void RootLoop::climb(const RunContext& run) {
  if (state_.model().num_cells() < kTuning.tree.climb_cells)
    return;
  suppression_model::DualAscent ascent(state_.model(), state_.options().engine);
  ascent.climb(base::share_of_work(run, kTuning.tree.climb_share));
  const double bound = ascent.bound();  // it takes a look at every column
  state_.raise_root_bound(bound);
  for (std::int32_t j = 0; j < state_.model().num_columns(); ++j) {
    const double reduced = ascent.reduced_costs()[base::at(j)];
    state_.columns().learn_if_withheld(j, bound + std::max(reduced, 0.0));
  }
  state_.settle_columns();
  state_.cuts().add_rows(ascent.cuts());
  state_.report();
}

// The bound (15) of all columns as far as they are settled, and (16). An ending: the root is done.
std::optional<RootLoop::Ending> RootLoop::solve_master(const RunContext& run) {
  suppression_model::Master& master = solver_.master();
  state_.columns().give_to(master);
  const suppression_model::Master::Outcome outcome = master.solve(run);
  if (outcome == suppression_model::Master::Outcome::kStopped)
    return Ending::kStopped;
  if (outcome == suppression_model::Master::Outcome::kInfeasible) {
    state_.close_root();  // nothing better; infinite if there is nothing at all
    return Ending::kSolved;
  }
  state_.raise_root_bound(master.bound());
  state_.columns().learn(master);
  state_.settle_columns();
  state_.try_other_start(run);
  state_.report();
  if (state_.root_bound() >= state_.cutoff() || state_.gap_reached())
    return Ending::kSolved;
  return std::nullopt;
}

// In-out separation (18) (Ben-Ameur and Neto 2007; Fischetti and Salvagnin 2010): asked between the
// master's point and one that nothing cuts off, attackers give constraints that are of use for more
// than the corner where the master is now. If they have nothing to say there, that point is the one
// to look back from, and they are asked at the corner.
std::vector<suppression_model::Cut> RootLoop::cuts_on_the_way(const std::vector<double>& x,
                                                              const RunContext& run) {
  suppression_model::Separator& separator = state_.cuts().separator;
  suppression_model::Separator::Limits limits;
  limits.cuts = kTuning.tree.root_cuts;
  if (!inner_.empty() && !is_integer(x)) {
    std::vector<double> between = x;
    for (std::size_t j = 0; j < between.size(); ++j)
      between[j] += kTuning.tree.inward * (inner_[j] - between[j]);
    auto cuts = separator.from_attackers_all_lanes(between, limits, run);
    if (!cuts.empty())
      return cuts;
    inner_ = std::move(between);
  }
  limits.bridges = kTuning.tree.root_bridges;
  return separator.from_attackers_all_lanes(x, limits, run);
}

// Cheap cuts first; attacker problems when these run out; the audit where nothing cuts off an
// integer point.
std::vector<suppression_model::SharedCut> RootLoop::find_cuts(const std::vector<double>& x,
                                                              const RunContext& run) {
  suppression_model::CutPool& pool = state_.cuts().pool;
  std::vector<suppression_model::Cut> cuts = state_.cuts().separator.from_equations(x);
  keep_most_violated(cuts, x, kTuning.tree.equation_cuts);
  std::vector<suppression_model::SharedCut> rows = pool.violated(x, kTuning.tree.pool_cuts);
  if (cuts.size() + rows.size() < kTuning.tree.few_cuts) {
    auto more = cuts_on_the_way(x, run);
    std::move(more.begin(), more.end(), std::back_inserter(cuts));
  }
  if (scheduler_.wants_rounded_sums()) {
    auto more =
        suppression_model::rounded_cuts(solver_.master().rows(), x, kTuning.tree.rounded_cuts);
    std::move(more.begin(), more.end(), std::back_inserter(cuts));
  }
  for (suppression_model::Cut& cut : cuts) {
    if (auto row = pool.add(std::move(cut)))
      rows.push_back(row);
  }
  if (rows.empty() && is_integer(x) && !run.should_stop())
    check_integer_point(x, rows, run);
  return rows;
}

void RootLoop::check_integer_point(const std::vector<double>& x,
                                   std::vector<suppression_model::SharedCut>& rows,
                                   const RunContext& run) {
  const PatternCheck::Outcome verdict = state_.cuts().check.check(pattern_of(x), run);
  if (passes(verdict.verdict))
    state_.offer(pattern_of(x), verdict.witnesses);
  for (const suppression_model::Cut& cut : verdict.cuts) {
    if (auto row = state_.cuts().pool.add(cut))
      rows.push_back(row);
  }
}

bool RootLoop::restart_pays() const {
  const std::int32_t settled = state_.columns().settled();
  return state_.task().may_restart && settled >= kTuning.tree.worth_restart &&
         settled * kTuning.tree.restart_share >= state_.model().num_columns();
}

// False: the root has come to an end.
bool RootLoop::strengthen(const RunContext& run) {
  if (!state_.task().may_join || run.should_stop())
    return false;
  const CutScheduler::Stall stall{state_.root_bound(),
                                  state_.root_gap(),
                                  work_done() - state_.task().begun_at,
                                  groups_.applies()};
  const CutScheduler::Turn turn = scheduler_.next(stall);
  if (turn != CutScheduler::Turn::kJoinedNeeds)
    return turn != CutScheduler::Turn::kNone;
  const std::int64_t before = work_done();
  const bool found = join_needs(CutScheduler::work_of_group(stall), run);
  scheduler_.add_work_of_turn(work_done() - before);
  return found;
}

bool RootLoop::join_needs(std::int64_t work_of_one, const RunContext& run) {
  const ColumnBounds& columns = state_.columns();
  const std::vector<suppression_model::Cut> cuts =
      groups_.search(point_of(solver_.master()),
                     {columns.lower(), columns.upper(), state_.best_pattern()},
                     work_of_one,
                     run);
  state_.cuts().add_rows(cuts);
  return !cuts.empty() && !run.should_stop();
}

RootLoop::Ending RootLoop::run(const RunContext& run) {
  climb(run);
  suppression_model::Master& master = solver_.master();
  suppression_model::CutPool& pool = state_.cuts().pool;
  master.match(pool.rows());
  BoundHistory history;
  bool rounded = false;
  while (true) {
    if (const auto ending = solve_master(run))
      return *ending;
    const std::vector<double> x = master.x();
    history.add(state_.root_bound());
    const std::vector<suppression_model::SharedCut> rows = find_cuts(x, run);
    if (run.should_stop())
      return Ending::kStopped;
    if (state_.root_bound() >= state_.cutoff())
      return Ending::kSolved;
    const TreeTuning& tuning = kTuning.tree;
    if (rows.empty() ||
        (!is_integer(x) &&
         history.has_stalled(tuning.stall_rounds, tuning.worth_rounds, state_.root_gap()))) {
      if (!strengthen(run))
        return open_root(run);
      history.clear();
    }
    const bool slow = history.has_stalled(tuning.stall_rounds / 2, tuning.slow, state_.root_gap());
    if (slow && !std::exchange(rounded, true))
      state_.try_rounding(x, run);
    std::unordered_set<const suppression_model::Cut*> tight;
    master.add_tight_rows(tight);
    pool.age(tight);
    for (const suppression_model::SharedCut& row : rows)
      pool.make_row(row);
    if (slow && restart_pays())
      return Ending::kRestart;
    master.match(pool.rows());
  }
}

// The last ways to do without a tree, then its first node.
RootLoop::Ending RootLoop::open_root(const RunContext& run) {
  Node root;
  root.start = std::make_shared<const suppression_model::Master::Start>(solver_.master().start());
  state_.try_rounding(solver_.master().x(), run);
  dive(state_, solver_, {}, run);
  if (run.should_stop())
    return Ending::kStopped;
  if (state_.root_bound() >= state_.cutoff())
    return Ending::kSolved;
  if (restart_pays())
    return Ending::kRestart;
  root.bound = state_.root_bound();
  state_.open().open(std::move(root));
  return Ending::kUnfinished;
}

}  // namespace lacuna::suppression
