// SPDX-License-Identifier: Apache-2.0
#include "protect/interval/cutting_planes.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/parallel.h"
#include "protect/interval/lanes.h"

namespace lacuna::interval {

Result<std::unique_ptr<CuttingPlanes>> CuttingPlanes::make(const Model& model,
                                                           const LoopOptions& options,
                                                           const std::string& engine,
                                                           int threads) {
  std::unique_ptr<CuttingPlanes> loop(new CuttingPlanes(model, options, threads));
  LACUNA_TRY(loop->master_, Master::make(model, engine));
  LACUNA_TRY(loop->witness_lp_, WitnessLp::make(model, engine));
  loop->make_lanes();
  for (std::size_t lane = 0; lane < loop->lanes_.size(); ++lane) {
    LACUNA_TRY(std::unique_ptr<Separator> separator, make_separator(model, engine));
    loop->separators_.push_back(std::move(separator));
  }
  loop->witness_.resize(loop->demands_.size());
  loop->shown_.assign(loop->demands_.size(), 0);
  loop->rest_.resize(loop->demands_.size());
  loop->cut_here_.assign(loop->demands_.size(), false);
  loop->add_first_cuts();
  return loop;
}

// Levels of one class are widened alike, so that rooms are set once per attacker and class.
void CuttingPlanes::make_lanes() {
  std::vector<std::size_t> order(demands_.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return std::pair(goal_of(a).attacker, level_class(a)) <
           std::pair(goal_of(b).attacker, level_class(b));
  });
  const std::size_t lanes = std::min(kLanes, order.size());
  const auto cut_at = [&](std::size_t lane) {
    return order.begin() + static_cast<std::ptrdiff_t>(lane * order.size() / lanes);
  };
  for (std::size_t lane = 0; lane < lanes; ++lane)
    lanes_.emplace_back(cut_at(lane), cut_at(lane + 1));
}

double CuttingPlanes::reference_level(std::size_t demand) const {
  const Goal& goal = goal_of(demand);
  return std::max(goal.level(demands_[demand].sign), goal.sliding);
}

std::int32_t CuttingPlanes::level_class(std::size_t demand) const {
  return static_cast<std::int32_t>(std::floor(std::log2(reference_level(demand)) / 3));
}

std::vector<double> CuttingPlanes::widened(std::span<const double> rooms,
                                           std::size_t demand) const {
  const double least = options_.widening * std::exp2(3.0 * level_class(demand));
  const std::vector<double> most = model_.rooms(goal_of(demand).attacker, model_.most);
  std::vector<double> wide(rooms.begin(), rooms.end());
  for (std::size_t e = 0; e < wide.size(); ++e)
    wide[e] = std::min(most[e], std::max(wide[e], least));
  return wide;
}

// The goal's own end, and each equation through its cell alone: the rest must be able to move.
void CuttingPlanes::add_first_cuts() {
  const Table& table = model_.problem->table;
  const std::vector<double> none(model_.num_ends(), 0);
  std::vector<Cut> cuts;
  for (const Demand& demand : demands_) {
    const Goal& goal = model_.goals[static_cast<std::size_t>(demand.goal)];
    cuts.push_back(make_cut(model_, demand, ProbeAnswer{}, none));
    for (const Incidence& in : table.equations_of(CellId{goal.cell})) {
      const std::pair<EquationId, double> alone{in.equation,
                                                demand.sign / static_cast<double>(in.coefficient)};
      cuts.push_back(make_cut(model_, demand, std::span(&alone, 1), none));
    }
  }
  counts_.cuts += static_cast<std::int64_t>(cuts.size());
  master_->add_cuts(cuts);
}

bool CuttingPlanes::keep_cut(std::size_t demand,
                             const ProbeAnswer& answer,
                             const Point& at,
                             Found& found) const {
  const double level = level_at(at, demand);
  if (answer.reach >= level)
    return false;
  Cut cut = make_cut(model_, demands_[demand], answer, at.z);
  if (cut.value(at.z) >= level * (1 - options_.satisfied))
    return false;
  found.finding = Finding::kViolated;
  found.cut = std::move(cut);
  return true;
}

void CuttingPlanes::work_on_lane(std::size_t lane,
                                 const Point& at,
                                 bool full,
                                 const RunContext& run,
                                 std::vector<Found>& found) {
  Separator& separator = *separators_[lane];
  std::pair<std::int32_t, std::int32_t> group{-1, 0};
  std::vector<double> rooms, wide;
  std::vector<std::size_t> unsettled;
  for (const std::size_t d : lanes_[lane]) {
    const std::pair<std::int32_t, std::int32_t> own{goal_of(d).attacker, level_class(d)};
    const bool new_rooms = own != group;
    if (own.first != group.first)
      rooms = model_.rooms(own.first, at.z);
    group = own;
    if (new_rooms)
      separator.set_rooms(widened(rooms, d));
    const double level = level_at(at, d);
    const double slack = options_.satisfied * reference_level(d);
    if (cut_here_[d])
      continue;            // this point is cut off for this demand already
    if (level <= slack) {  // the other direction carries the sliding level alone
      witness_[d].clear();
      shown_[d] = 0;
      found[d].finding = Finding::kMet;
    } else if (shown_[d] >= level - slack && fits(witness_[d], rooms, slack)) {
      found[d].finding = Finding::kReused;
    } else if (full || rest_[d].left == 0) {
      ++found[d].probes;
      ProbeAnswer answer = separator.probe({goal_of(d).cell, demands_[d].sign, level}, run);
      if (!answer.trusted || keep_cut(d, answer, at, found[d]))
        continue;
      if (answer.reach >= level - slack && fits(answer.move, rooms, slack)) {
        witness_[d] = std::move(answer.move);
        shown_[d] = level;
        found[d].finding = Finding::kMet;
      } else {
        unsettled.push_back(d);
      }
    }
  }
  if (!full)
    return;
  group.first = -1;
  for (const std::size_t d : unsettled) {
    if (goal_of(d).attacker != group.first) {
      group.first = goal_of(d).attacker;
      separator.set_rooms(model_.rooms(group.first, at.z));
    }
    const double level = level_at(at, d);
    ++found[d].probes;
    ProbeAnswer answer = separator.probe({goal_of(d).cell, demands_[d].sign, level}, run);
    const double slack = options_.satisfied * reference_level(d);
    if (!answer.trusted || keep_cut(d, answer, at, found[d]) || answer.reach < level - slack)
      continue;
    found[d].finding = Finding::kMet;
    witness_[d] = std::move(answer.move);
    shown_[d] = level;
  }
}

// Adds the cuts that the point violates.
CuttingPlanes::Round CuttingPlanes::round(const Point& at, bool full, const RunContext& run) {
  std::vector<Found> found(demands_.size());
  for_each_lane(
      lanes_.size(), threads_, [&](std::size_t lane) { work_on_lane(lane, at, full, run, found); });
  ++counts_.rounds;
  Round result;
  std::vector<Cut> cuts;
  for (std::size_t d = 0; d < found.size(); ++d) {
    Found& each = found[d];
    counts_.reused_witnesses += each.finding == Finding::kReused ? 1 : 0;
    counts_.attacker_lps += each.probes;
    if (!cut_here_[d])
      rest_[d].next(each.finding == Finding::kViolated);
    cut_here_[d] = cut_here_[d] || each.finding == Finding::kViolated;
    result.all_met = result.all_met && each.finding != Finding::kOpen;
    if (each.finding == Finding::kViolated)
      cuts.push_back(std::move(each.cut));
  }
  counts_.cuts += static_cast<std::int64_t>(cuts.size());
  master_->add_cuts(cuts);
  result.violated = static_cast<std::int64_t>(cuts.size());
  result.all_met = result.all_met && cuts.empty();
  return result;
}

// The smallest intervals that hold all witnesses.
Point CuttingPlanes::hull() const {
  Point point;
  point.z = model_.least;
  point.h.assign(2 * model_.goals.size(), 0);
  for (std::size_t d = 0; d < demands_.size(); ++d) {
    point.h[share_index(demands_[d])] = shown_[d];
    for (const auto& [cell, amount] : witness_[d]) {
      double& room = point.z[end_of(cell, amount > 0 ? 1 : -1)];
      room = std::max(room, std::abs(amount));
    }
  }
  return point;
}

bool CuttingPlanes::make_safe(Point& point, const RunContext& run) {
  std::vector<std::size_t> order(demands_.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return level_at(point, a) > level_at(point, b);
  });
  for (const std::size_t d : order) {
    const Goal& goal = goal_of(d);
    const double level = level_at(point, d);
    const double slack = options_.satisfied * reference_level(d);
    const std::vector<double> rooms = model_.rooms(goal.attacker, point.z);
    if (level <= slack || (shown_[d] >= level - slack && fits(witness_[d], rooms, slack)))
      continue;
    Move move;
    const LpStatus status =
        witness_lp_->find(goal.attacker, goal.cell, demands_[d].sign, level, point.z, run, move);
    ++counts_.repair_lps;
    if (status != LpStatus::kOptimal)
      return false;
    for (const auto& [cell, amount] : move) {
      double& room = point.z[end_of(cell, amount > 0 ? 1 : -1)];
      room = std::max(room, std::abs(amount));
    }
    witness_[d] = std::move(move);
    shown_[d] = level;
  }
  return true;
}

void CuttingPlanes::offer(Point candidate, const RunContext& run) {
  if (!make_safe(candidate, run))
    return;
  candidate = hull();
  const double cost = model_.cost(candidate.z);
  if (cost < result_.cost) {
    result_.cost = cost;
    result_.safe = std::move(candidate);
    result_.witnesses = witness_;
  }
}

bool CuttingPlanes::closed() const {
  const double gap = std::max(options_.relative_gap, options_.rounding);
  return result_.cost - result_.bound <= gap * result_.cost && std::isfinite(result_.cost);
}

// The master has no solution: some goal asks for more than everyone's prior knowledge leaves.
void CuttingPlanes::find_unattainable(const RunContext& run) {
  for (const Goal& goal : model_.goals) {
    Separator& separator = *separators_.front();
    separator.set_rooms(model_.rooms(goal.attacker, model_.most));
    const double most = std::max({goal.upper, goal.lower, goal.sliding});
    double reach[2] = {0, 0};
    for (const int sign : {1, -1}) {
      const ProbeAnswer answer = separator.probe({goal.cell, sign, most}, run);
      if (!answer.trusted)
        return;
      reach[sign > 0 ? 0 : 1] = answer.reach * (1 + options_.satisfied);
    }
    if (reach[0] < goal.upper || reach[1] < goal.lower || reach[0] + reach[1] < goal.sliding) {
      result_.unattainable = goal.requirement;
      result_.why = StopReason::kInfeasible;
      return;
    }
  }
}

void CuttingPlanes::report(const RunContext& run) const {
  if (run.on_progress)
    run.on_progress({"intervals", 0, result_.cost, result_.bound});
}

LoopResult CuttingPlanes::run(const RunContext& run) {
  // Until something better is known, everything that may be hidden is.
  result_.safe.z = model_.most;
  result_.cost = model_.cost(model_.most);
  std::int32_t since_repair = 0;
  double last_bound = 0;
  Point outer;
  while (!run.should_stop()) {
    double bound = 0;
    const LpStatus status = master_->solve(run, outer, bound);
    if (status == LpStatus::kInfeasible)
      find_unattainable(run);
    if (status != LpStatus::kOptimal)
      break;
    result_.bound = std::max(result_.bound, bound);
    if (closed())
      break;
    const auto demands = static_cast<std::int64_t>(demands_.size());
    const auto few = [&](const Round& found, std::int32_t one_in) {
      return found.violated * one_in < demands;
    };
    ++since_repair;
    cut_here_.assign(demands_.size(), false);
    Round found = round(outer, model_.network.has_value(), run);
    // The first attempt is made even if many demands are unmet: something should be at hand.
    const bool worth = result_.witnesses.empty() || few(found, options_.few);
    const bool repair = since_repair >= options_.repair_every && worth;
    const bool again = !model_.network && (repair || few(found, options_.very_few));
    if (again)
      found += round(outer, true, run);
    const bool looked_at_all = again || model_.network;
    if (found.all_met || repair) {
      offer(outer, run);
      since_repair = 0;
    }
    if (found.all_met) {  // the master's own optimum is safe
      result_.why = StopReason::kOptimal;
      break;
    }
    // Floating point has neither a witness nor a cut for some demand: no use going on.
    if (looked_at_all && found.violated == 0 && !found.all_met)
      break;
    report(run);
    if (closed())
      break;
    if (result_.bound > last_bound * (1 + options_.satisfied))
      master_->forget_idle();
    last_bound = result_.bound;
  }
  if (result_.why == StopReason::kLimit && closed()) {
    const double gap = result_.cost - result_.bound;
    result_.why =
        gap <= options_.rounding * result_.cost ? StopReason::kOptimal : StopReason::kGapReached;
  } else if (result_.why == StopReason::kLimit && run.stop.stop_requested()) {
    result_.why = StopReason::kCancelled;
  }
  return result_;
}

}  // namespace lacuna::interval
