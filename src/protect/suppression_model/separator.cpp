// SPDX-License-Identifier: Apache-2.0
#include "protect/suppression_model/separator.h"

#include <algorithm>
#include <cmath>

#include "core/base/index.h"
#include "core/base/parallel.h"
#include "core/base/work.h"
#include "judge/attacker/tuning.h"
#include "lacuna/tolerance.h"
#include "protect/suppression_model/cuts/bridgeless.h"
#include "protect/suppression_model/cuts/capacity.h"
#include "protect/suppression_model/cuts/cover.h"
#include "protect/suppression_model/tuning.h"

namespace lacuna::suppression_model {
namespace {

bool violated(const Cut& cut, std::span<const double> x) {
  return cut.violation(x) > tol::kViolation;
}

// A capacity constraint and its cover, each if violated.
void add_violated(const Cut& cut, std::span<const double> x, std::vector<Cut>& cuts) {
  if (violated(cut, x))
    cuts.push_back(cut);
  if (const auto cover = cover_cut(cut, x))
    cuts.push_back(*cover);
}

}  // namespace

bool Separator::Shares::fits(std::span<const double> x) const {
  for (std::size_t k = 0; k < columns.size(); ++k) {
    if (x[base::at(columns[k])] < least[k] - tol::kViolation)
      return false;
  }
  return true;
}

Separator::Separator(const SuppressModel& model, const std::string& engine, std::size_t lanes)
    : model_(model), engine_(engine), lanes_(lanes) {
  list_questions();
  witnesses_.resize(probes_.size());
  for (Lane& lane : lanes_) {
    lane.rest.assign(probes_.size(), 0);
    lane.pause.assign(probes_.size(), 0);
  }
}

void Separator::list_questions() {
  for (std::size_t n = 0; n < model_.needs().size(); ++n) {
    const Need& need = model_.needs()[n];
    const auto index = static_cast<std::int32_t>(n);
    if (need.upper > 0)
      probes_.push_back({index, Side::kUp});
    if (need.lower > 0)
      probes_.push_back({index, Side::kDown});
    if (need.upper > 0 && need.lower > 0)
      probes_[group_start_.back()].mirror = static_cast<std::int32_t>(group_start_.back()) + 1;
    if (need.sliding > 0)
      probes_.push_back({index, Side::kBoth});
    group_start_.push_back(probes_.size());
  }
}

attacker::AttackerSolver& Separator::solver(Lane& lane) {
  if (!lane.solver)
    lane.solver = attacker::make_attacker_solver(model_.attacked(), engine_);
  return *lane.solver;
}

std::int64_t Separator::attacker_lps() const {
  std::int64_t sum = 0;
  for (const Lane& lane : lanes_)
    sum += lane.solver ? lane.solver->solves() : 0;
  return sum;
}

double Separator::level_of(const Probe& question) const {
  const Need& need = model_.needs()[base::at(question.need)];
  switch (question.side) {
    case Side::kUp:
      return need.upper;
    case Side::kDown:
      return need.lower;
    case Side::kBoth:
      return need.sliding;
  }
  return 0;
}

std::vector<Cut> Separator::from_equations(std::span<const double> x) const {
  std::vector<Cut> cuts;
  for (const Probe& question : probes_) {
    if (question.side == Side::kBoth)
      continue;
    const Need& need = model_.needs()[base::at(question.need)];
    for (const simplex::LazyEntry& in : model_.attacked().rows_of(need.cell)) {
      CapacityBuilder builder(model_, need);
      builder.add_equation(in.index, question.side == Side::kUp ? 1 : -1, level_of(question));
      if (const auto cut = builder.finish())
        add_violated(*cut, x, cuts);
    }
  }
  for (std::int32_t equation = 0; equation < model_.attacked().num_rows(); ++equation) {
    if (const auto cut = bridgeless_row(model_, equation, x))
      cuts.push_back(*cut);
  }
  return cuts;
}

bool Separator::is_settled(std::size_t question, std::span<const double> x) const {
  const std::int32_t column = model_.needs()[base::at(probes_[question].need)].column;
  if (column >= 0 && x[base::at(column)] < tol::kViolation)
    return true;
  const auto& stored = witnesses_[question];
  return std::any_of(
      stored.rbegin(), stored.rend(), [&](const Shares& shares) { return shares.fits(x); });
}

bool Separator::add_shares(const Need& need,
                           double level,
                           std::span<const Entry> moves,
                           double factor,
                           Shares& shares) const {
  base::count_work(30 * moves.size());
  for (const auto& [cell, before] : moves) {
    const double move = factor * before;
    const std::int32_t column = model_.column_of(cell);
    if (cell == need.cell || std::abs(move) <= tol::kNegligible)
      continue;
    const double slack = std::min(model_.slack(cell, need.attacker).toward(move) / level, 1.0);
    const double least = std::abs(move) / slack;
    if (!(least <= 1 + tol::kViolation))
      return false;
    if (column < 0 || column == need.column || least < tol::kViolation)
      continue;
    shares.columns.push_back(column);
    shares.least.push_back(std::min(least, 1.0));
  }
  return true;
}

// A displacement that reaches the level; turned round it may do so for the other direction.
bool Separator::take_witness(Lane& lane,
                             std::size_t question,
                             std::span<const Entry> moves,
                             std::span<const double> x) const {
  const Need& need = model_.needs()[base::at(probes_[question].need)];
  Shares shares;
  add_shares(need, level_of(probes_[question]), moves, 1, shares);
  lane.found.push_back({question, std::move(shares)});
  if (probes_[question].mirror < 0)
    return false;
  const std::size_t mirror = base::at(probes_[question].mirror);
  Shares turned;
  if (!add_shares(need, level_of(probes_[mirror]), moves, -1, turned) || !turned.fits(x))
    return false;
  lane.found.push_back({mirror, std::move(turned)});
  return true;
}

// What the multipliers say, of either direction.
bool Separator::take_cuts(Lane& lane,
                          std::size_t question,
                          std::span<const Entry> dual,
                          std::span<const double> x) const {
  const Probe& asked = probes_[question];
  const Need& need = model_.needs()[base::at(asked.need)];
  const int sign = asked.side == Side::kUp ? 1 : -1;
  CapacityBuilder builder(model_, need);
  builder.add(dual, sign, level_of(asked));
  if (const auto cut = builder.finish())
    add_violated(*cut, x, lane.cuts);
  if (asked.mirror < 0)
    return false;
  std::vector<Entry> turned(dual.begin(), dual.end());
  for (Entry& entry : turned)
    entry.second = -entry.second;
  CapacityBuilder other(model_, need);
  other.add(turned, -sign, level_of(probes_[base::at(asked.mirror)]));
  const auto cut = other.finish();
  if (!cut || !violated(*cut, x))
    return false;
  add_violated(*cut, x, lane.cuts);
  return true;
}

bool Separator::ask(Lane& lane,
                    std::size_t question,
                    std::span<const double> x,
                    const RunContext& run) {
  const Need& need = model_.needs()[base::at(probes_[question].need)];
  const double level = level_of(probes_[question]);
  const int sign = probes_[question].side == Side::kUp ? 1 : -1;
  const Capacities plain(model_, need.attacker, level, 0, x);
  attacker::AttackerSolver& attacker = solver(lane);
  auto answer = attacker.push({need.cell, sign, 1}, plain, run);
  if (!answer.solved) {  // cut off: what it has come to may do
    const std::size_t before = lane.cuts.size();
    const bool both = take_cuts(lane, question, answer.dual, x);
    if (lane.cuts.size() > before || model_.num_cells() > attacker::kTuning.largest_lp)
      return both;
    answer = attacker.insist(plain, run);
    if (!answer.solved)
      return false;
  }
  if (answer.value >= 1 - tol::kViolation)
    return take_witness(lane, question, answer.moves, x);
  // Violated: worth a second look for the constraint that says most.
  const Capacities lifted(model_, need.attacker, level, tol::kLift, x);
  return take_cuts(lane, question, attacker.push_again(lifted, run).dual, x);
}

void Separator::ask_both(Lane& lane,
                         std::size_t question,
                         std::span<const double> x,
                         const RunContext& run) {
  const Need& need = model_.needs()[base::at(probes_[question].need)];
  const double level = level_of(probes_[question]);
  const attacker::RealSlack own = model_.slack(need.cell, need.attacker);
  const Capacities lifted(model_, need.attacker, level, tol::kLift, x);
  CapacityBuilder builder(model_, need);
  builder.ask(level);
  Shares shares;
  double width = 0;
  bool solved = true;
  for (const int sign : {1, -1}) {
    const double slack = std::min(own.toward(sign) / level, 1.0);
    const auto answer = solver(lane).push({need.cell, sign, slack}, lifted, run);
    solved = solved && answer.solved;
    width += answer.value;
    builder.add_end(answer.dual, sign);
    add_shares(need, level, answer.moves, 1, shares);
  }
  const double asked = need.column < 0 ? 1 : x[base::at(need.column)];
  if (solved && width >= asked - tol::kViolation) {
    if (need.column < 0)  // else the witness serves only while no more is asked
      lane.found.push_back({question, std::move(shares)});
    return;
  }
  if (const auto cut = builder.finish())
    add_violated(*cut, x, lane.cuts);
}

void Separator::ask_group(
    Lane& lane, std::size_t group, std::span<const double> x, bool whole, const RunContext& run) {
  for (std::size_t question = group_start_[group]; question < group_start_[group + 1]; ++question) {
    if (is_settled(question, x))
      continue;
    if (!whole && lane.rest[question] > 0) {
      --lane.rest[question];
      continue;
    }
    const std::size_t before = lane.cuts.size();
    bool both = false;
    if (probes_[question].side == Side::kBoth)
      ask_both(lane, question, x, run);
    else
      both = ask(lane, question, x, run);
    // What was met again and again is asked less and less often.
    auto& pause = lane.pause[question];
    pause =
        lane.cuts.size() > before
            ? 0
            : static_cast<std::uint8_t>(std::min(2 * pause + 1, kTuning.separator.longest_pause));
    lane.rest[question] = pause;
    if (both)
      ++question;
  }
}

std::vector<Cut> Separator::search(Lane& lane,
                                   const Stripe& stripe,
                                   std::span<const double> x,
                                   const Limits& limits,
                                   const RunContext& run) {
  lane.cuts.clear();
  const bool whole = std::all_of(x.begin(), x.end(), tol::is_integer);
  const std::size_t mine = stripe.share_of(group_start_.size() - 1);
  for (std::size_t seen = 0; seen < mine && lane.cuts.size() < limits.cuts; ++seen) {
    if (run.should_stop())
      return std::move(lane.cuts);
    ask_group(lane, stripe.first + stripe.step * (lane.next_group++ % mine), x, whole, run);
  }
  if (lane.cuts.empty() && limits.bridges > 0)
    search_bridges(lane, stripe, x, limits, run);
  return std::move(lane.cuts);
}

void Separator::search_bridges(Lane& lane,
                               const Stripe& stripe,
                               std::span<const double> x,
                               const Limits& limits,
                               const RunContext& run) {
  const std::size_t mine = stripe.share_of(static_cast<std::size_t>(model_.num_columns()));
  const Capacities lifted = Capacities::without_slacks(model_, tol::kLift, x);
  std::size_t asked = 0;
  for (std::size_t seen = 0; seen < mine && asked < limits.bridges; ++seen) {
    if (run.should_stop())
      return;
    const auto column =
        static_cast<std::int32_t>(stripe.first + stripe.step * (lane.next_bridge++ % mine));
    const double here = x[base::at(column)];
    if (here < kTuning.separator.worth_a_bridge)
      continue;
    ++asked;
    const auto answer = solver(lane).push({model_.cell_of(column), 1, here}, lifted, run);
    if (answer.solved && answer.value >= here - tol::kViolation)
      continue;
    const auto cut = bridgeless_cut(model_, column, answer.dual);
    if (cut && violated(*cut, x))
      lane.cuts.push_back(*cut);
  }
}

std::vector<Cut> Separator::from_attackers(std::size_t lane,
                                           std::span<const double> x,
                                           const Limits& limits,
                                           const RunContext& run) {
  return search(lanes_[lane], {0, 1}, x, limits, run);
}

std::vector<Cut> Separator::from_attackers_all_lanes(std::span<const double> x,
                                                     const Limits& limits,
                                                     const RunContext& run) {
  std::vector<std::vector<Cut>> found(lanes_.size());
  const RunContext part = base::share_of_work(run, 1.0 / static_cast<double>(lanes_.size()));
  base::for_each_lane(run, lanes_.size(), [&](std::size_t lane) {
    found[lane] = search(lanes_[lane], {lane, lanes_.size()}, x, limits, part);
  });
  std::vector<Cut> cuts;
  for (auto& each : found)
    std::move(each.begin(), each.end(), std::back_inserter(cuts));
  share_witnesses();
  return cuts;
}

void Separator::share_witnesses() {
  for (Lane& lane : lanes_) {
    for (Found& found : lane.found) {
      auto& stored = witnesses_[found.question];
      if (stored.size() == kTuning.separator.witnesses)
        stored.erase(stored.begin());
      stored.push_back(std::move(found.shares));
    }
    lane.found.clear();
  }
}

}  // namespace lacuna::suppression_model
