// SPDX-License-Identifier: Apache-2.0
#include "protect/interval/cutting_planes.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/base/parallel.h"
#include "core/base/work.h"
#include "protect/interval/splitting.h"
#include "protect/interval/tuning.h"
#include "protect/interval/unattainable.h"

namespace lacuna::interval {
namespace {

// Of z and of h, a share of the way to the safe point.
Point between(const Point& outer, const Point& safe, double share) {
  Point point = outer;
  for (std::size_t e = 0; e < point.z.size(); ++e)
    point.z[e] += share * (safe.z[e] - outer.z[e]);
  for (std::size_t i = 0; i < point.h.size(); ++i)
    point.h[i] += share * (safe.h[i] - outer.h[i]);
  return point;
}

std::size_t share_index(const Goal& goal) {
  return 2 * static_cast<std::size_t>(goal.need) + (goal.sign > 0 ? 0 : 1);
}

}  // namespace

CuttingPlanes::CuttingPlanes(const Model& model, const LoopOptions& options)
    : model_(model), options_(options), searches_(model, goals_of(model), options.engine) {
  witnesses_.resize(goals().size());
  // Until something better is known, everything that may be hidden is.
  result_.safe.z = model.most;
  result_.cost = model.cost(model.most);
}

Result<std::unique_ptr<CuttingPlanes>> CuttingPlanes::make(const Model& model,
                                                           const LoopOptions& options) {
  LACUNA_TRY(auto master, Master::make(model, options.engine));
  std::unique_ptr<CuttingPlanes> loop(new CuttingPlanes(model, options));
  loop->master_ = std::move(master);
  loop->add_first_cuts();
  return loop;
}

double CuttingPlanes::level_at(const Point& point, std::size_t goal) const {
  return point.h[share_index(searches_.goal(goal))];
}

double CuttingPlanes::tolerance(std::size_t goal) const {
  return kTuning.loop.satisfied * searches_.reference_level(goal);
}

// (3) for the need's own end, and for each equation through its cell alone: the rest must be able
// to move.
void CuttingPlanes::add_first_cuts() {
  const Table& table = model_.problem->table();
  const std::vector<double> none(model_.num_ends(), 0);
  std::vector<Cut> cuts;
  for (const Goal& goal : goals()) {
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

CuttingPlanes::View CuttingPlanes::view_of(std::int32_t attacker, const Point& at) const {
  View view{attacker, model_.slacks(attacker, at.z), model_.slacks(attacker, model_.most)};
  base::count_work(2 * kTuning.work.end * view.slacks.size());
  return view;
}

// The cut, or what it is the mean of, if the point violates it; else nothing. Without multipliers
// the cut is not taken apart by them.
std::vector<Cut> CuttingPlanes::if_violated(const Look& look,
                                            Cut cut,
                                            std::span<const attacker::Multiplier> multipliers) {
  const double enough = look.level * (1 - kTuning.loop.satisfied);
  if (cut.value(look.at.z) >= enough)
    return {};
  std::vector<Cut> parts = searches_.parts(look.goal, look.lane, multipliers, look.at.z);
  std::erase_if(parts, [&](const Cut& part) { return part.value(look.at.z) >= enough; });
  if (parts.empty())
    parts.push_back(std::move(cut));
  return parts;
}

// (3) with the multipliers of the last search.
std::vector<Cut> CuttingPlanes::searched_cuts(const Look& look) {
  auto searched = searches_.search(look.goal).cut(model_, searches_.goal(look.goal), look.at.z);
  if (!searched)
    return {};
  return if_violated(look, std::move(searched->cut), searched->multipliers);
}

// From cheap to expensive: nothing is asked, the stored witness does, the need's own end is too
// narrow, the attacker.
CuttingPlanes::Found CuttingPlanes::settle(const Look& look, const RunContext& run) {
  const Witness& witness = witnesses_[look.goal];
  base::count_work(kTuning.work.goal + kTuning.work.move_cell * witness.move.size());
  if (look.level <= look.tolerance)  // the other direction carries the sliding level alone
    return {GoalState::kMet, false, {}, Witness{}};
  if (witness.shown >= look.level - look.tolerance &&
      fits(witness.move, look.view.slacks, look.tolerance))
    return {GoalState::kReused, false, {}, {}};
  std::vector<Cut> own =
      if_violated(look, own_cut(model_, searches_.goal(look.goal), look.at.z), {});
  if (!own.empty())
    return {GoalState::kViolated, false, std::move(own), {}};
  return run.should_stop() ? Found{} : ask_attacker(look, run);
}

// A largest flow, then widenings (3a): by a search that finds neither a witness nor a cut the
// prices within the slacks are taken down, once.
CuttingPlanes::Found CuttingPlanes::ask_attacker(const Look& look, const RunContext& run) {
  const auto met_by = [&](attacker::Move move) {
    return Found{GoalState::kMet, true, {}, Witness{std::move(move), look.level}};
  };
  if (auto move = searches_.move_by_flow(look.goal, look.lane, look.level, look.view.slacks))
    return met_by(*std::move(move));
  GoalSearch& search = searches_.search(look.goal);
  for (bool again = true; again;) {
    const attacker::RepairOutcome outcome =
        searches_.widen(look.goal, look.lane, look.level, look.view.slacks, look.view.most, run);
    if (outcome == attacker::RepairOutcome::kGivenUp)
      break;
    std::vector<Cut> cuts = searched_cuts(look);
    if (!cuts.empty())
      return {GoalState::kViolated, true, std::move(cuts), {}};
    if (outcome == attacker::RepairOutcome::kFound && search.excess() <= look.tolerance)
      return met_by(search.move());
    again = outcome == attacker::RepairOutcome::kFound && search.sharpen();
  }
  return {GoalState::kUnsettled, true, {}, {}};
}

// Looks at every goal, and adds the cuts that the point violates.
CuttingPlanes::Round CuttingPlanes::round(const Point& at, const RunContext& run) {
  std::vector<Found> found(goals().size());
  const std::size_t lanes = searches_.num_lanes();
  const RunContext part =
      base::share_of_work(run, 1.0 / static_cast<double>(std::max<std::size_t>(1, lanes)));
  base::for_each_lane(run, lanes, options_.threads, [&](std::size_t lane) {
    View view;
    for (const std::size_t d : searches_.goals_of(lane)) {
      if (searches_.need_of(d).attacker != view.attacker)
        view = view_of(searches_.need_of(d).attacker, at);
      found[d] = settle({d, lane, at, view, level_at(at, d), tolerance(d)}, part);
    }
  });
  ++counts_.rounds;
  Round result;
  std::vector<Cut> cuts;
  for (std::size_t d = 0; d < found.size(); ++d) {
    Found& each = found[d];
    counts_.reused_witnesses += each.finding == GoalState::kReused ? 1 : 0;
    counts_.attacker_lps += each.asked ? 1 : 0;
    result.all_met = result.all_met && each.finding != GoalState::kUnsettled;
    result.violated += each.finding == GoalState::kViolated ? 1 : 0;
    std::move(each.cuts.begin(), each.cuts.end(), std::back_inserter(cuts));
    if (each.witness)
      witnesses_[d] = *std::move(each.witness);
  }
  result.all_met = result.all_met && cuts.empty();
  add_cuts(std::move(cuts));
  return result;
}

// The smallest intervals that hold all witnesses (3c).
Point CuttingPlanes::hull() const {
  Point point;
  point.z = model_.least;
  point.h.assign(2 * model_.needs.size(), 0);
  std::size_t cells = 0;
  for (std::size_t d = 0; d < witnesses_.size(); ++d) {
    const Witness& witness = witnesses_[d];
    cells += witness.move.size();
    point.h[share_index(searches_.goal(d))] = witness.shown;
    for (const auto& [cell, amount] : witness.move) {
      double& slack = point.z[attacker::end_of(cell, amount > 0 ? 1 : -1)];
      slack = std::max(slack, model_.tidied(std::abs(amount)));
    }
  }
  base::count_work(kTuning.work.end * point.z.size() + 4 * kTuning.work.move_cell * cells);
  return point;
}

// Every goal without a witness that fits gets the cheapest widening (3a), and the point its slacks:
// by attacker, the largest level first.
bool CuttingPlanes::make_safe(Point& point, const RunContext& run) {
  std::vector<std::size_t> order(witnesses_.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return std::pair(searches_.need_of(a).attacker, -level_at(point, a)) <
           std::pair(searches_.need_of(b).attacker, -level_at(point, b));
  });
  View view;
  for (const std::size_t d : order) {
    if (searches_.need_of(d).attacker != view.attacker)
      view = view_of(searches_.need_of(d).attacker, point);
    Witness& witness = witnesses_[d];
    base::count_work(kTuning.work.goal + kTuning.work.move_cell * witness.move.size());
    const double level = level_at(point, d);
    if (level <= tolerance(d) ||
        (witness.shown >= level - tolerance(d) && fits(witness.move, view.slacks, tolerance(d))))
      continue;
    ++counts_.repair_lps;
    if (run.should_stop() || searches_.widen(d, 0, level, view.slacks, view.most, run) !=
                                 attacker::RepairOutcome::kFound)
      return false;
    witness = {searches_.search(d).move(), level};
    for (const auto& [cell, amount] : witness.move) {
      const std::size_t end = attacker::end_of(cell, amount > 0 ? 1 : -1);
      point.z[end] = std::max(point.z[end], std::abs(amount));
      view.slacks[end] = std::max(view.slacks[end], std::abs(amount));
    }
  }
  return true;
}

// The first hull counts even if it costs as much as hiding everything: it comes with its shares and
// witnesses, which that has not.
void CuttingPlanes::offer_hull() {
  Point candidate = hull();
  const double cost = model_.cost(candidate.z);
  if (cost >= result_.cost && !result_.safe.h.empty())
    return;
  result_.cost = cost;
  result_.safe = std::move(candidate);
  result_.witnesses.clear();
  for (const Witness& witness : witnesses_)
    result_.witnesses.push_back(witness.move);
}

StartMoves CuttingPlanes::start(const RunContext& run) {
  Result<StartMoves> found = start_from_pattern(model_, goals(), options_.engine, run);
  if (!found || !found->complete)
    return {};
  // In networks searches are so quick that the first rounds find better ones.
  if (!model_.network) {
    for (std::size_t d = 0; d < witnesses_.size(); ++d)
      witnesses_[d] = {found->moves[d], found->shown[d]};
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

bool CuttingPlanes::closed() const {
  const double gap = std::max(options_.gap, kTuning.loop.rounding);
  return result_.cost - result_.bound <= gap * result_.cost && std::isfinite(result_.cost);
}

void CuttingPlanes::report_if_better(double before) const {
  if (options_.on_better && result_.cost < before && !result_.witnesses.empty())
    options_.on_better(result_);
}

// Cuts at a point between the master's and a safe one cut off the master's point too, and deeper
// (in-out separation (3b), Ben-Ameur and Neto 2007). Where they are few that point is almost safe,
// and the master's own is asked too.
CuttingPlanes::Round CuttingPlanes::separate(const Point& outer, const RunContext& run) {
  if (!progress_.rising || !made_safe_)
    return round(outer, run);
  const Point inner = between(outer, result_.safe, kTuning.loop.inward);
  const Round found = round(inner, run);
  if (found.violated * kTuning.loop.few >= std::ssize(goals()))
    return found;
  offer(inner, run);
  const Round more = round(outer, run);
  return {found.violated + more.violated, more.all_met && found.violated == 0};
}

// The master's optimum; false: there is none, or the gap is closed.
bool CuttingPlanes::add_bound(const RunContext& run, Point& outer) {
  double bound = 0;
  const LpStatus status = master_->solve(run, outer, bound);
  if (status == LpStatus::kInfeasible) {
    if (const auto requirement = unattainable_requirement(model_, options_.engine, run)) {
      result_.unattainable = *requirement;
      result_.why = StopReason::kInfeasible;
    }
  }
  if (status != LpStatus::kOptimal)
    return false;
  result_.bound = std::max(result_.bound, bound);
  return !closed();
}

void CuttingPlanes::Progress::add(double bound) {
  rising = bound > last * (1 + kTuning.loop.satisfied);
  stalled = rising ? 0 : stalled + 1;
  last = bound;
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
  progress_.add(result_.bound);
  if (progress_.stalled >= kTuning.loop.patience && master_->has_true_prices())
    return false;  // cuts below the tolerance of the master
  if (progress_.stalled >= kTuning.loop.patience) {
    master_->set_true_prices();
    progress_.stalled = 0;
  }
  if (progress_.rising)
    master_->forget_idle();
  return true;
}

// All goals together, nearly solved, where one after the other takes long.
void CuttingPlanes::split(const RunContext& run) {
  const auto splitting = Splitting::make(model_, goals(), options_.threads, run);
  if (!splitting)
    return;
  splitting->run(
      options_.gap > 0 ? options_.gap * kTuning.splitting.gap_share : kTuning.splitting.gap, run);
  add_cuts(splitting->cuts());
  offer(splitting->point(), run);
}

void CuttingPlanes::set_ending(const RunContext& run) {
  if (result_.why != StopReason::kWork)
    return;
  if (!closed()) {
    result_.why = ended_by(run);
    return;
  }
  const double gap = result_.cost - result_.bound;
  result_.why =
      gap <= kTuning.loop.rounding * result_.cost ? StopReason::kOptimal : StopReason::kGapReached;
}

LoopResult CuttingPlanes::run(const RunContext& run) {
  std::int32_t since_repair = 0;
  bool was_split = false;
  Point outer;
  for (bool more = true; more && !run.should_stop() && add_bound(run, outer);) {
    const double before = result_.cost;
    const Round found = separate(outer, run);
    const bool late = ++since_repair >= kTuning.loop.repair_every;
    if (found.all_met || late || (!made_safe_ && searches_.are_slow())) {
      offer(outer, run);
      since_repair = 0;
    }
    if (!was_split && !found.all_met && searches_.are_slow()) {
      was_split = true;
      split(run);
    }
    if (run.on_progress)
      run.on_progress({"intervals", 0, result_.cost, result_.bound});
    more = !closed() && go_on(found);
    if (more)
      report_if_better(before);
  }
  set_ending(run);
  return result_;
}

}  // namespace lacuna::interval
