// SPDX-License-Identifier: Apache-2.0
#include "protect/interval/cutting_planes.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/base/parallel.h"
#include "core/base/work.h"
#include "lacuna/tolerance.h"
#include "protect/interval/splitting.h"
#include "protect/interval/start.h"
#include "protect/interval/tuning.h"
#include "protect/suppression_model/lanes.h"

namespace lacuna::interval {
namespace {

double negligible_move(double level) {
  return tol::kDecision * std::max(level, tol::kDecision);
}

}  // namespace

Result<std::unique_ptr<CuttingPlanes>> CuttingPlanes::make(const Model& model,
                                                           const LoopOptions& options,
                                                           const std::string& engine,
                                                           int threads) {
  std::unique_ptr<CuttingPlanes> loop(new CuttingPlanes(model, options, engine, threads));
  LACUNA_TRY(loop->master_, Master::make(model, engine));
  loop->make_lanes();
  loop->witness_.resize(loop->goals_.size());
  loop->shown_.assign(loop->goals_.size(), 0);
  // Until something better is known, everything that may be hidden is.
  loop->result_.safe.z = model.most;
  loop->result_.cost = model.cost(model.most);
  loop->add_first_cuts();
  return loop;
}

void CuttingPlanes::make_lanes() {
  std::vector<std::size_t> order(goals_.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return need_of(a).attacker < need_of(b).attacker;
  });
  const std::size_t lanes = std::min(suppression_model::kLanes, order.size());
  const auto cut_at = [&](std::size_t lane) {
    return order.begin() + static_cast<std::ptrdiff_t>(lane * order.size() / lanes);
  };
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    lanes_.emplace_back(cut_at(lane), cut_at(lane + 1));
    scratch_.emplace_back(net_);
    if (model_.network) {
      flows_.push_back(attacker::make_attacker_solver(*model_.attacked, engine_));
      splitters_.emplace_back(model_);
    }
  }
  for (std::size_t d = 0; d < goals_.size(); ++d)
    searches_.emplace_back(net_, need_of(d).cell, goals_[d].sign);
  leaves_.resize(goals_.size());
  if (model_.network)
    return;
  leaf_net_.emplace(net_);
  for (attacker::RepairSimplex& search : searches_)
    search.set_largest_basis(leaf_net_->num_leaves());
}

double CuttingPlanes::reference_level(std::size_t goal) const {
  const Need& need = need_of(goal);
  return std::max(need.level(goals_[goal].sign), need.sliding);
}

// The need's own end, and each equation through its cell alone: the rest must be able to move.
void CuttingPlanes::add_first_cuts() {
  const Table& table = model_.problem->table();
  const std::vector<double> none(model_.num_ends(), 0);
  std::vector<Cut> cuts;
  for (const Goal& goal : goals_) {
    const Need& need = model_.needs[static_cast<std::size_t>(goal.need)];
    cuts.push_back(own_cut(model_, goal, none));
    for (const Incidence& in : table.equations_of(CellId{need.cell})) {
      const attacker::Multiplier alone{in.equation,
                                       goal.sign / static_cast<double>(in.coefficient)};
      cuts.push_back(make_cut(model_, goal, std::span(&alone, 1), none));
    }
  }
  add_cuts(std::move(cuts));
}

void CuttingPlanes::add_cuts(std::vector<Cut> cuts) {
  counts_.cuts += static_cast<std::int64_t>(cuts.size());
  master_->add_cuts(cuts);
  if (options_.keep_cuts)
    std::move(cuts.begin(), cuts.end(), std::back_inserter(cuts_));
}

attacker::RepairOutcome CuttingPlanes::widen(std::size_t goal,
                                             double level,
                                             std::span<const double> slacks,
                                             std::span<const double> most,
                                             std::size_t lane,
                                             const RunContext& run) {
  if (most[attacker::end_of(need_of(goal).cell, goals_[goal].sign)] <
      level - kTuning.loop.satisfied * reference_level(goal))
    return attacker::RepairOutcome::kImpossible;
  const attacker::SlacksByEnd now(*model_.attacked, slacks, most);
  const attacker::SlacksByEnd widest(*model_.attacked, most);
  const std::size_t memory = kTuning.loop.memory / searches_.size();
  attacker::RepairOutcome outcome = attacker::RepairOutcome::kTooLarge;
  if (!leaves_[goal]) {
    attacker::RepairSimplex& search = searches_[goal];
    outcome = search.solve(level, now, widest, scratch_[lane], &run);
    if (search.memory() > memory)
      search.forget();
  }
  // A basis larger than the number of leaves is smaller if told by what it leaves out.
  if (outcome == attacker::RepairOutcome::kTooLarge) {
    std::unique_ptr<attacker::LeafSimplex>& search = leaves_[goal];
    if (!search)
      search = std::make_unique<attacker::LeafSimplex>(
          *leaf_net_, need_of(goal).cell, goals_[goal].sign);
    outcome = search->solve(level, now, widest, run);
    if (search->memory() > memory)
      search->forget();
  }
  return outcome;
}

// Without multipliers the cut is about the need's own end.
bool CuttingPlanes::keep_cut(Cut whole,
                             std::span<const attacker::Multiplier> multipliers,
                             const Point& at,
                             std::size_t lane,
                             std::size_t goal,
                             Found& found) {
  const double enough = level_at(at, goal) * (1 - kTuning.loop.satisfied);
  if (whole.value(at.z) >= enough)
    return false;
  found.finding = GoalState::kViolated;
  if (!splitters_.empty())
    found.cuts = splitters_[lane].split(goals_[goal], multipliers, at.z);
  std::erase_if(found.cuts, [&](const Cut& part) { return part.value(at.z) >= enough; });
  if (found.cuts.empty())
    found.cuts.push_back(std::move(whole));
  return true;
}

bool CuttingPlanes::keep_searched_cut(std::size_t goal,
                                      const Point& at,
                                      std::size_t lane,
                                      Found& found) {
  if (leaves_[goal]) {
    const attacker::Move& d = leaves_[goal]->coefficients();
    return !d.empty() &&
           keep_cut(make_cut(model_, goals_[goal], d, at.z), {}, at, lane, goal, found);
  }
  const auto& multipliers = searches_[goal].multipliers();
  return keep_cut(
      make_cut(model_, goals_[goal], multipliers, at.z), multipliers, at, lane, goal, found);
}

void CuttingPlanes::work_on_lane(std::size_t lane,
                                 const Point& at,
                                 const RunContext& run,
                                 std::vector<Found>& found) {
  std::int32_t attacker = -1;
  std::vector<double> slacks, most;
  for (const std::size_t d : lanes_[lane]) {
    if (need_of(d).attacker != attacker) {
      attacker = need_of(d).attacker;
      slacks = model_.slacks(attacker, at.z);
      most = model_.slacks(attacker, model_.most);
      base::count_work(2 * kTuning.work.end * slacks.size());
    }
    base::count_work(kTuning.work.goal + kTuning.work.move_cell * witness_[d].size());
    const double level = level_at(at, d);
    const double tolerance = kTuning.loop.satisfied * reference_level(d);
    if (level <= tolerance) {  // the other direction carries the sliding level alone
      witness_[d].clear();
      shown_[d] = 0;
      found[d].finding = GoalState::kMet;
    } else if (shown_[d] >= level - tolerance && fits(witness_[d], slacks, tolerance)) {
      found[d].finding = GoalState::kReused;
    } else if (!keep_cut(own_cut(model_, goals_[d], at.z), {}, at, lane, d, found[d]) &&
               !run.should_stop()) {
      found[d].asked = true;
      look_closely(d, at, slacks, most, lane, run, found[d]);
    }
  }
}

// In networks a largest flow tells at once whether the cell reaches its level.
bool CuttingPlanes::reaches(std::size_t goal,
                            double level,
                            std::span<const double> slacks,
                            std::size_t lane,
                            attacker::Move& move) {
  const Need& need = need_of(goal);
  const int sign = goals_[goal].sign;
  const std::int32_t cell = model_.attacked->local(CellId{need.cell});
  if (cell < 0)
    return false;
  const double most = std::min(level, slacks[attacker::end_of(need.cell, sign)]);
  const auto answer = flows_[lane]->push({cell, sign, most, negligible_move(level)},
                                         attacker::SlacksByEnd(*model_.attacked, slacks),
                                         RunContext{});
  if (answer.value < level - kTuning.loop.satisfied * reference_level(goal))
    return false;
  move = attacker::cells_of_table(*model_.attacked, answer.moves);
  return true;
}

void CuttingPlanes::look_closely(std::size_t goal,
                                 const Point& at,
                                 std::span<const double> slacks,
                                 std::span<const double> most,
                                 std::size_t lane,
                                 const RunContext& run,
                                 Found& found) {
  const double level = level_at(at, goal);
  const double tolerance = kTuning.loop.satisfied * reference_level(goal);
  const auto met_by = [&](attacker::Move move) {
    witness_[goal] = std::move(move);
    shown_[goal] = level;
    found.finding = GoalState::kMet;
  };
  attacker::Move move;
  if (!flows_.empty() && reaches(goal, level, slacks, lane, move)) {
    met_by(std::move(move));
    return;
  }
  for (bool again = true; again;) {
    const attacker::RepairOutcome outcome = widen(goal, level, slacks, most, lane, run);
    if (outcome == attacker::RepairOutcome::kGivenUp || keep_searched_cut(goal, at, lane, found))
      return;
    if (outcome == attacker::RepairOutcome::kFound && excess_of(goal) <= tolerance) {
      met_by(move_of(goal));
      return;
    }
    again = outcome == attacker::RepairOutcome::kFound && sharpen(goal);
  }
}

// Prices within the slacks that matter less than any widening; false: they do already.
bool CuttingPlanes::sharpen(std::size_t goal) {
  const bool was = leaves_[goal] ? leaves_[goal]->is_sharp() : searches_[goal].is_sharp();
  if (leaves_[goal])
    leaves_[goal]->sharpen();
  else
    searches_[goal].sharpen();
  return !was;
}

// Adds the cuts that the point violates.
CuttingPlanes::Round CuttingPlanes::round(const Point& at, const RunContext& run) {
  std::vector<Found> found(goals_.size());
  const RunContext part =
      base::share_of_work(run, 1.0 / static_cast<double>(std::max<std::size_t>(1, lanes_.size())));
  base::for_each_lane(
      run, lanes_.size(), threads_, [&](std::size_t lane) { work_on_lane(lane, at, part, found); });
  ++counts_.rounds;
  Round result;
  std::vector<Cut> cuts;
  for (Found& each : found) {
    counts_.reused_witnesses += each.finding == GoalState::kReused ? 1 : 0;
    counts_.attacker_lps += each.asked ? 1 : 0;
    result.all_met = result.all_met && each.finding != GoalState::kUnsettled;
    if (each.finding == GoalState::kViolated)
      std::move(each.cuts.begin(), each.cuts.end(), std::back_inserter(cuts));
    result.violated += each.finding == GoalState::kViolated ? 1 : 0;
  }
  result.all_met = result.all_met && cuts.empty();
  add_cuts(std::move(cuts));
  return result;
}

// The smallest intervals that hold all witnesses.
Point CuttingPlanes::hull() const {
  Point point;
  point.z = model_.least;
  point.h.assign(2 * model_.needs.size(), 0);
  std::size_t cells = 0;
  for (std::size_t d = 0; d < goals_.size(); ++d) {
    cells += witness_[d].size();
    point.h[share_index(goals_[d])] = shown_[d];
    for (const auto& [cell, amount] : witness_[d]) {
      double& slack = point.z[attacker::end_of(cell, amount > 0 ? 1 : -1)];
      slack = std::max(slack, model_.tidied(std::abs(amount)));
    }
  }
  base::count_work(kTuning.work.end * point.z.size() + 4 * kTuning.work.move_cell * cells);
  return point;
}

bool CuttingPlanes::make_safe(Point& point, const RunContext& run) {
  std::vector<std::size_t> order(goals_.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return std::pair(need_of(a).attacker, -level_at(point, a)) <
           std::pair(need_of(b).attacker, -level_at(point, b));
  });
  std::int32_t attacker = -1;
  std::vector<double> slacks, most;
  for (const std::size_t d : order) {
    if (need_of(d).attacker != attacker) {
      attacker = need_of(d).attacker;
      slacks = model_.slacks(attacker, point.z);
      most = model_.slacks(attacker, model_.most);
      base::count_work(2 * kTuning.work.end * slacks.size());
    }
    base::count_work(kTuning.work.goal + kTuning.work.move_cell * witness_[d].size());
    const double level = level_at(point, d);
    const double tolerance = kTuning.loop.satisfied * reference_level(d);
    if (level <= tolerance ||
        (shown_[d] >= level - tolerance && fits(witness_[d], slacks, tolerance)))
      continue;
    ++counts_.repair_lps;
    if (run.should_stop() ||
        widen(d, level, slacks, most, 0, run) != attacker::RepairOutcome::kFound)
      return false;
    witness_[d] = move_of(d);
    shown_[d] = level;
    for (const auto& [cell, amount] : witness_[d]) {
      const std::size_t end = attacker::end_of(cell, amount > 0 ? 1 : -1);
      point.z[end] = std::max(point.z[end], std::abs(amount));
      slacks[end] = std::max(slacks[end], std::abs(amount));
    }
  }
  return true;
}

// The first hull counts even if it costs as much as hiding everything: it comes with its shares and
// witnesses, which that has not.
void CuttingPlanes::offer_hull() {
  Point candidate = hull();
  const double cost = model_.cost(candidate.z);
  if (cost < result_.cost || result_.safe.h.empty()) {
    result_.cost = cost;
    result_.safe = std::move(candidate);
    result_.witnesses = witness_;
  }
}

StartMoves CuttingPlanes::start(const RunContext& run) {
  Result<StartMoves> found = start_from_pattern(model_, goals_, engine_, run);
  if (!found || !found->complete)
    return {};
  // In networks searches are so quick that the first rounds find better ones.
  if (!model_.network) {
    witness_ = found->moves;
    shown_ = found->shown;
    offer_hull();
  }
  return *std::move(found);
}

void CuttingPlanes::offer(Point candidate, const RunContext& run) {
  if (!make_safe(candidate, run))
    return;
  made_safe_ = true;
  offer_hull();
}

// Where bases are large a few rounds may take all the time there is.
bool CuttingPlanes::rounds_are_slow() const {
  return std::any_of(
      leaves_.begin(), leaves_.end(), [](const auto& each) { return each != nullptr; });
}

bool CuttingPlanes::closed() const {
  const double gap = std::max(options_.gap, kTuning.loop.rounding);
  return result_.cost - result_.bound <= gap * result_.cost && std::isfinite(result_.cost);
}

// The master has no solution: some need asks for more than everyone's prior knowledge leaves.
void CuttingPlanes::find_unattainable(const RunContext& run) {
  const std::unique_ptr<attacker::AttackerSolver> solver =
      attacker::make_attacker_solver(*model_.attacked, engine_);
  for (const Need& need : model_.needs) {
    const std::vector<double> slacks = model_.slacks(need.attacker, model_.most);
    const attacker::SlacksByEnd by_cell(*model_.attacked, slacks);
    const std::int32_t cell = model_.attacked->local(CellId{need.cell});
    const double level = std::max({need.upper, need.lower, need.sliding});
    double reach[2] = {0, 0};
    for (const int sign : {1, -1}) {
      const double most = std::min(level, slacks[attacker::end_of(need.cell, sign)]);
      if (cell < 0 || most <= 0)
        continue;
      const attacker::AttackerSolver::Query question{cell, sign, most, negligible_move(level)};
      auto answer = solver->push(question, by_cell, run);
      if (!answer.solved)
        answer = solver->insist(by_cell, run);
      if (!answer.solved || run.should_stop())
        return;
      reach[sign > 0 ? 0 : 1] = answer.value * (1 + kTuning.loop.satisfied);
    }
    if (reach[0] < need.upper || reach[1] < need.lower || reach[0] + reach[1] < need.sliding) {
      result_.unattainable = need.requirement;
      result_.why = StopReason::kInfeasible;
      return;
    }
  }
}

void CuttingPlanes::report(const RunContext& run) const {
  if (run.on_progress)
    run.on_progress({"intervals", 0, result_.cost, result_.bound});
}

void CuttingPlanes::tell_better(double before) const {
  if (options_.on_better && result_.cost < before && !result_.witnesses.empty())
    options_.on_better(result_);
}

Point CuttingPlanes::between(const Point& outer, const Point& safe, double share) {
  Point point = outer;
  for (std::size_t e = 0; e < point.z.size(); ++e)
    point.z[e] += share * (safe.z[e] - outer.z[e]);
  for (std::size_t i = 0; i < point.h.size(); ++i)
    point.h[i] += share * (safe.h[i] - outer.h[i]);
  return point;
}

// Cuts at a point between the master's and a safe one cut off the master's point too, and deeper
// (in-out separation, Ben-Ameur and Neto 2007). Where they are few that point is almost safe, and
// the master's own is asked too.
CuttingPlanes::Round CuttingPlanes::separate(const Point& outer,
                                             bool stabilized,
                                             const RunContext& run) {
  if (!stabilized || !made_safe_)
    return round(outer, run);
  const Point inner = between(outer, result_.safe, kTuning.loop.inward);
  const Round found = round(inner, run);
  const auto goals = static_cast<std::int64_t>(goals_.size());
  if (found.violated * kTuning.loop.few >= goals)
    return found;
  offer(inner, run);
  const Round more = round(outer, run);
  return {found.violated + more.violated, more.all_met && found.violated == 0};
}

// The master's optimum; false: there is none, or the gap is closed.
bool CuttingPlanes::add_bound(const RunContext& run, Point& outer) {
  double bound = 0;
  const LpStatus status = master_->solve(run, outer, bound);
  if (status == LpStatus::kInfeasible)
    find_unattainable(run);
  if (status != LpStatus::kOptimal)
    return false;
  result_.bound = std::max(result_.bound, bound);
  return !closed();
}

// After a round at the master's optimum: is there any use in another one?
bool CuttingPlanes::go_on(const Round& found) {
  if (found.violated == 0 && !master_->has_true_prices()) {
    master_->set_true_prices();
    return true;
  }
  if (found.all_met)  // the master's own optimum is safe
    result_.why = StopReason::kOptimal;
  // Floating point may have neither a witness nor a cut for some goal: no use going on.
  if (found.violated == 0)
    return false;
  rising_ = result_.bound > last_bound_ * (1 + kTuning.loop.satisfied);
  stalled_ = rising_ ? 0 : stalled_ + 1;
  if (stalled_ >= kTuning.loop.patience && master_->has_true_prices())
    return false;  // cuts below the tolerance of the master
  if (stalled_ >= kTuning.loop.patience) {
    master_->set_true_prices();
    stalled_ = 0;
  }
  if (rising_)
    master_->forget_idle();
  last_bound_ = result_.bound;
  return true;
}

// Once: all goals together, nearly solved, where one after the other takes long.
void CuttingPlanes::split(const RunContext& run) {
  was_split_ = true;
  const auto splitting = Splitting::make(model_, goals_, threads_, run);
  if (!splitting)
    return;
  splitting->run(
      options_.gap > 0 ? options_.gap * kTuning.splitting.gap_share : kTuning.splitting.gap, run);
  add_cuts(splitting->cuts());
  offer(splitting->point(), run);
}

LoopResult CuttingPlanes::run(const RunContext& run) {
  std::int32_t since_repair = 0;
  Point outer;
  for (bool more = true; more && !run.should_stop() && add_bound(run, outer);) {
    const double before = result_.cost;
    const Round found = separate(outer, rising_, run);
    const bool late = ++since_repair >= kTuning.loop.repair_every;
    if (found.all_met || late || (!made_safe_ && rounds_are_slow())) {
      offer(outer, run);
      since_repair = 0;
    }
    if (!was_split_ && !found.all_met && rounds_are_slow())
      split(run);
    report(run);
    more = !closed() && go_on(found);
    if (more)
      tell_better(before);
  }
  if (result_.why == StopReason::kWork && closed()) {
    const double gap = result_.cost - result_.bound;
    result_.why = gap <= kTuning.loop.rounding * result_.cost ? StopReason::kOptimal
                                                              : StopReason::kGapReached;
  } else if (result_.why == StopReason::kWork) {
    result_.why = ended_by(run);
  }
  return result_;
}

}  // namespace lacuna::interval
