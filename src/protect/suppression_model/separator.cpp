// SPDX-License-Identifier: Apache-2.0
#include "protect/suppression_model/separator.h"

#include <algorithm>
#include <cmath>
#include <limits>

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

bool Separator::Witness::serves(std::int32_t probe, std::span<const double> x) const {
  const auto less = [](const Doubt& doubt, std::int32_t wanted) { return doubt.probe < wanted; };
  for (auto doubt = std::lower_bound(doubts.begin(), doubts.end(), probe, less);
       doubt != doubts.end() && doubt->probe == probe;
       ++doubt) {
    if (doubt->holds(x))
      return false;
  }
  return shares.fits(x);
}

Separator::Separator(const SuppressModel& model, const std::string& engine, std::size_t lanes)
    : model_(model), engine_(engine), questions_(model), lanes_(lanes) {
  witnesses_.resize(questions_.probes().size());
  for (Lane& lane : lanes_) {
    lane.rest.assign(witnesses_.size(), 0);
    lane.pause.assign(witnesses_.size(), 0);
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

std::vector<Cut> Separator::from_equations(std::span<const double> x) const {
  std::vector<Cut> cuts;
  const auto cut_of_row = [&](std::size_t question, std::int32_t row) {
    const Probe& probe = questions_.probe(question);
    CapacityBuilder builder(model_, questions_.need_of(question));
    builder.add_equation(row, probe.side == Side::kUp ? 1 : -1, questions_.level_of(question));
    return builder.finish();
  };
  for (std::size_t f = 0; f < questions_.num_families(); ++f) {
    const auto family = static_cast<std::int32_t>(f);
    const std::size_t lead = base::at(questions_.family(family).lead);
    if (questions_.probe(lead).side == Side::kBoth)
      continue;
    for (const simplex::LazyEntry& in : model_.attacked().rows_of(questions_.need_of(lead).cell)) {
      std::optional<Cut> most = cut_of_row(lead, in.index);
      for (const Questions::InEquation& other : questions_.others_in(family, in.index)) {
        auto cut = cut_of_row(base::at(other.probe), in.index);
        if (cut && (!most || cut->violation(x) > most->violation(x)))
          most = std::move(cut);
      }
      if (most)
        add_violated(*most, x, cuts);
    }
  }
  for (std::int32_t equation = 0; equation < model_.attacked().num_rows(); ++equation) {
    if (const auto cut = bridgeless_row(model_, equation, x))
      cuts.push_back(*cut);
  }
  return cuts;
}

bool Separator::is_settled(std::size_t question, std::span<const double> x) const {
  const std::int32_t column = questions_.need_of(question).column;
  if (column >= 0 && x[base::at(column)] < tol::kViolation)
    return true;
  const auto& stored = witnesses_[question];
  return std::any_of(stored.rbegin(), stored.rend(), [&](const Witness& witness) {
    return witness.serves(static_cast<std::int32_t>(question), x);
  });
}

bool Separator::add_shares(std::int32_t own_cell,
                           std::span<const SuppressModel::OwnSlack> own,
                           double level,
                           std::int32_t own_column,
                           std::span<const Entry> moves,
                           double factor,
                           Shares& shares) const {
  base::count_work(30 * moves.size());
  for (const auto& [cell, before] : moves) {
    const double move = factor * before;
    const std::int32_t column = model_.column_of(cell);
    if (cell == own_cell || std::abs(move) <= tol::kNegligible)
      continue;
    const double slack = std::min(model_.slack_within(cell, own).toward(move) / level, 1.0);
    const double least = std::abs(move) / slack;
    if (!(least <= 1 + tol::kViolation))
      return false;
    if (column < 0 || column == own_column || least < tol::kViolation)
      continue;
    shares.columns.push_back(column);
    shares.least.push_back(std::min(least, 1.0));
  }
  return true;
}

// For the question, and for its family where that asks no more.
void Separator::keep_witness(Lane& lane, std::size_t question, Witness witness) const {
  const std::size_t lead = base::at(questions_.family(questions_.probe(question).family).lead);
  if (lead != question && questions_.level_of(question) >= questions_.level_of(lead))
    lane.found.push_back({lead, witness});
  lane.found.push_back({question, std::move(witness)});
}

// A displacement that reaches the level; turned round it may do so for the other direction.
bool Separator::take_witness(Lane& lane,
                             std::size_t question,
                             std::span<const SuppressModel::OwnSlack> own,
                             std::span<const Entry> moves,
                             std::span<const double> x) const {
  const Need& need = questions_.need_of(question);
  Witness witness;
  add_shares(
      need.cell, own, questions_.level_of(question), need.column, moves, 1, witness.shares);
  witness.doubts = questions_.doubts(question, own, moves, 1);
  keep_witness(lane, question, std::move(witness));
  if (questions_.probe(question).mirror < 0)
    return false;
  const std::size_t mirror = base::at(questions_.probe(question).mirror);
  Witness turned;
  if (!add_shares(
          need.cell, own, questions_.level_of(mirror), need.column, moves, -1, turned.shares) ||
      !turned.shares.fits(x))
    return false;
  turned.doubts = questions_.doubts(mirror, own, moves, -1);
  keep_witness(lane, mirror, std::move(turned));
  return true;
}

// Of the multipliers, turned round for a question of the other direction.
std::optional<Cut> Separator::cut_of(std::size_t question,
                                     std::span<const Entry> dual,
                                     int turn) const {
  const int sign = questions_.probe(question).side == Side::kUp ? 1 : -1;
  CapacityBuilder builder(model_, questions_.need_of(question));
  if (turn > 0) {
    builder.add(dual, sign, questions_.level_of(question));
  } else {
    std::vector<Entry> turned(dual.begin(), dual.end());
    for (Entry& entry : turned)
      entry.second = -entry.second;
    builder.add(turned, sign, questions_.level_of(question));
  }
  return builder.finish();
}

// Whose constraint of the same multipliers says most at x, among the others of the family; -1: of
// none it says more.
std::int32_t Separator::keenest_other(std::size_t question,
                                      std::span<const Entry> dual,
                                      int turn,
                                      std::span<const double> x) const {
  const std::int32_t family = questions_.probe(question).family;
  if (questions_.family(family).others.empty())
    return -1;
  const Need& need = questions_.need_of(question);
  const double level = questions_.level_of(question);
  std::vector<std::pair<std::int32_t, double>> gains;
  for (const auto& [cell, value] : dual) {
    const double d = turn * value;
    const std::int32_t column = model_.column_of(cell);
    const double here = column < 0 ? 1 : x[base::at(column)];
    if (cell == need.cell || here <= 0)
      continue;
    const double most = column < 0 ? std::numeric_limits<double>::infinity() : level;
    const double before =
        std::min(std::abs(d) * model_.slack(cell, need.attacker).toward(d), most);
    base::count_work(10 * questions_.knowers(cell).size());
    for (const Questions::Knower& knower : questions_.knowers(cell)) {
      const double gain = here * (before - std::min(std::abs(d) * knower.slack.toward(d), most));
      if (gain > 0)
        gains.emplace_back(knower.attacker, gain);
    }
  }
  std::sort(gains.begin(), gains.end());
  std::int32_t keenest = -1;
  double largest = 0;
  for (std::size_t i = 0; i < gains.size();) {
    const std::int32_t attacker = gains[i].first;
    double sum = 0;
    for (; i < gains.size() && gains[i].first == attacker; ++i)
      sum += gains[i].second;
    const std::int32_t probe = sum > largest ? questions_.probe_of(family, attacker) : -1;
    if (probe < 0 || static_cast<std::size_t>(probe) == question)
      continue;
    largest = sum;
    keenest = probe;
  }
  return keenest;
}

// What the multipliers say, of either direction.
bool Separator::take_cuts(Lane& lane,
                          std::size_t question,
                          std::span<const Entry> dual,
                          std::span<const double> x) const {
  const auto cut = cut_of(question, dual, 1);
  if (cut)
    add_violated(*cut, x, lane.cuts);
  if (const std::int32_t other = keenest_other(question, dual, 1, x); other >= 0) {
    const auto keener = cut_of(base::at(other), dual, 1);
    if (keener && (!cut || keener->violation(x) > cut->violation(x)))
      add_violated(*keener, x, lane.cuts);
  }
  const std::int32_t mirror = questions_.probe(question).mirror;
  if (mirror < 0)
    return false;
  const auto turned = cut_of(base::at(mirror), dual, -1);
  if (!turned || !violated(*turned, x))
    return false;
  add_violated(*turned, x, lane.cuts);
  return true;
}

bool Separator::ask(Lane& lane,
                    std::size_t question,
                    std::span<const double> x,
                    const RunContext& run) {
  const Need& need = questions_.need_of(question);
  const double level = questions_.level_of(question);
  const int sign = questions_.probe(question).side == Side::kUp ? 1 : -1;
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
    return take_witness(lane, question, model_.own_slacks(need.attacker), answer.moves, x);
  // Violated: worth a second look for the constraint that says most.
  const Capacities lifted(model_, need.attacker, level, tol::kLift, x);
  return take_cuts(lane, question, attacker.push_again(lifted, run).dual, x);
}

void Separator::ask_both(Lane& lane,
                         std::size_t question,
                         std::span<const double> x,
                         const RunContext& run) {
  const Need& need = questions_.need_of(question);
  const double level = questions_.level_of(question);
  const std::span<const SuppressModel::OwnSlack> known = model_.own_slacks(need.attacker);
  const attacker::RealSlack own = model_.slack(need.cell, need.attacker);
  const Capacities lifted(model_, need.attacker, level, tol::kLift, x);
  CapacityBuilder builder(model_, need);
  builder.ask(level);
  Witness witness;
  double width = 0;
  bool solved = true;
  for (const int sign : {1, -1}) {
    const double slack = std::min(own.toward(sign) / level, 1.0);
    const auto answer = solver(lane).push({need.cell, sign, slack}, lifted, run);
    solved = solved && answer.solved;
    width += answer.value;
    builder.add_end(answer.dual, sign);
    add_shares(need.cell, known, level, need.column, answer.moves, 1, witness.shares);
    const std::vector<Doubt> doubts = questions_.doubts(question, known, answer.moves, 1);
    witness.doubts.insert(witness.doubts.end(), doubts.begin(), doubts.end());
  }
  const double asked = need.column < 0 ? 1 : x[base::at(need.column)];
  if (solved && width >= asked - tol::kViolation) {
    std::sort(witness.doubts.begin(),
              witness.doubts.end(),
              [](const Doubt& a, const Doubt& b) { return a.probe < b.probe; });
    if (need.column < 0)  // else the witness serves only while no more is asked
      keep_witness(lane, question, std::move(witness));
    return;
  }
  if (const auto cut = builder.finish())
    add_violated(*cut, x, lane.cuts);
}

// Steps over the mirror if that was answered by the way.
void Separator::ask_probe(Lane& lane,
                          std::size_t& question,
                          std::span<const double> x,
                          bool whole,
                          const RunContext& run) {
  if (is_settled(question, x))
    return;
  if (!whole && lane.rest[question] > 0) {
    --lane.rest[question];
    return;
  }
  const std::size_t before = lane.cuts.size();
  bool both = false;
  if (questions_.probe(question).side == Side::kBoth)
    ask_both(lane, question, x, run);
  else
    both = ask(lane, question, x, run);
  // What was met again and again is asked less and less often.
  auto& pause = lane.pause[question];
  pause = lane.cuts.size() > before
              ? 0
              : static_cast<std::uint8_t>(std::min(2 * pause + 1, kTuning.separator.longest_pause));
  lane.rest[question] = pause;
  if (both)
    ++question;
}

// Other attackers have their say where the first has nothing against x.
void Separator::ask_group(
    Lane& lane, std::size_t group, std::span<const double> x, bool whole, const RunContext& run) {
  const Questions::Group& asked = questions_.groups()[group];
  const std::size_t cuts = lane.cuts.size();
  const std::size_t found = lane.found.size();
  for (std::size_t question = asked.first; question < asked.end; ++question)
    ask_probe(lane, question, x, whole, run);
  if (lane.cuts.size() > cuts)
    return;
  for (const std::int32_t family : asked.families)
    ask_others(lane, family, found, x, whole, run);
}

// No displacement that is known answers for these.
std::vector<std::int32_t> Separator::unsettled_others(const Lane& lane,
                                                      std::int32_t family,
                                                      std::size_t found_before,
                                                      std::span<const double> x) const {
  const ProbeFamily& all = questions_.family(family);
  std::vector<const Witness*> fitting;
  for (std::size_t f = found_before; f < lane.found.size(); ++f) {
    if (lane.found[f].question == base::at(all.lead))
      fitting.push_back(&lane.found[f].witness);
  }
  for (const Witness& witness : witnesses_[base::at(all.lead)])
    fitting.push_back(&witness);
  std::erase_if(fitting, [&](const Witness* witness) { return !witness->shares.fits(x); });
  std::vector<std::int32_t> open;
  if (fitting.empty()) {
    open = all.others;
  } else {
    for (const Doubt& doubt : fitting.front()->doubts) {
      if (doubt.probe != all.lead && (open.empty() || open.back() != doubt.probe) &&
          doubt.holds(x))
        open.push_back(doubt.probe);
    }
  }
  base::count_work(20 * open.size() * (1 + fitting.size()));
  std::erase_if(open, [&](std::int32_t probe) {
    return is_settled(base::at(probe), x) ||
           std::any_of(fitting.begin(), fitting.end(), [&](const Witness* witness) {
             return witness->serves(probe, x);
           });
  });
  return open;
}

void Separator::ask_others(Lane& lane,
                           std::int32_t family,
                           std::size_t found_before,
                           std::span<const double> x,
                           bool whole,
                           const RunContext& run) {
  const ProbeFamily& all = questions_.family(family);
  if (all.others.empty())
    return;
  std::vector<std::int32_t> open = unsettled_others(lane, family, found_before, x);
  if (!whole) {
    std::erase_if(open, [&](std::int32_t probe) {
      auto& rest = lane.rest[base::at(probe)];
      return rest > 0 && rest-- > 0;
    });
  }
  const bool both = questions_.probe(base::at(all.lead)).side == Side::kBoth;
  const double level = questions_.level_of(base::at(all.lead));
  const auto alone = std::stable_partition(open.begin(), open.end(), [&](std::int32_t probe) {
    return !both && questions_.level_of(base::at(probe)) == level;
  });
  const std::size_t most = lane.cuts.size() + kTuning.separator.cuts_of_others;
  const auto together = static_cast<std::size_t>(alone - open.begin());
  if (together > 0)
    ask_together(lane, std::span(open).first(together), most, x, run);
  for (auto probe = alone; probe != open.end() && lane.cuts.size() < most; ++probe) {
    if (run.should_stop())
      return;
    std::size_t question = base::at(*probe);
    ask_probe(lane, question, x, true, run);
  }
}

// Of all these attackers, the least slack of each cell.
Separator::OwnSlacks Separator::common_slacks(std::span<const std::int32_t> probes) const {
  OwnSlacks all;
  for (const std::int32_t probe : probes) {
    const auto own = model_.own_slacks(questions_.need_of(base::at(probe)).attacker);
    all.insert(all.end(), own.begin(), own.end());
  }
  base::count_work(30 * all.size());
  std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.cell < b.cell; });
  std::size_t kept = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (kept > 0 && all[kept - 1].cell == all[i].cell) {
      attacker::RealSlack& least = all[kept - 1].slack;
      least = {std::min(least.down, all[i].slack.down), std::min(least.up, all[i].slack.up)};
    } else {
      all[kept++] = all[i];
    }
  }
  all.resize(kept);
  return all;
}

// The constraint of the multipliers that is violated most.
bool Separator::take_cut_of_any(Lane& lane,
                                std::span<const std::int32_t> probes,
                                std::span<const Entry> dual,
                                std::span<const double> x) const {
  if (probes.size() > kTuning.separator.few_others)
    return false;
  std::optional<Cut> most;
  for (const std::int32_t probe : probes) {
    auto cut = cut_of(base::at(probe), dual, 1);
    if (cut && violated(*cut, x) && (!most || cut->violation(x) > most->violation(x)))
      most = std::move(cut);
  }
  if (most)
    add_violated(*most, x, lane.cuts);
  return most.has_value();
}

// Attackers who ask the same level of the same cell.
void Separator::ask_together(Lane& lane,
                             std::span<const std::int32_t> probes,
                             std::size_t most_cuts,
                             std::span<const double> x,
                             const RunContext& run) {
  if (run.should_stop() || lane.cuts.size() >= most_cuts)
    return;
  std::size_t first = base::at(probes.front());
  if (probes.size() == 1)
    return ask_probe(lane, first, x, true, run);
  const OwnSlacks common = common_slacks(probes);
  const Need& need = questions_.need_of(first);
  const int sign = questions_.probe(first).side == Side::kUp ? 1 : -1;
  const Capacities plain(model_, common, questions_.level_of(first), 0, x);
  const auto answer = solver(lane).push({need.cell, sign, 1}, plain, run);
  if (answer.solved && answer.value >= 1 - tol::kViolation) {
    take_witness(lane, first, common, answer.moves, x);
    return;
  }
  if (take_cut_of_any(lane, probes, answer.dual, x))
    return;
  const std::size_t half = probes.size() / 2;
  ask_together(lane, probes.first(half), most_cuts, x, run);
  ask_together(lane, probes.subspan(half), most_cuts, x, run);
}

std::vector<Cut> Separator::search(Lane& lane,
                                   const Stripe& stripe,
                                   std::span<const double> x,
                                   const Limits& limits,
                                   const RunContext& run) {
  lane.cuts.clear();
  const bool whole = std::all_of(x.begin(), x.end(), tol::is_integer);
  const std::size_t mine = stripe.share_of(questions_.groups().size());
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
      const ProbeFamily& family = questions_.family(questions_.probe(found.question).family);
      const bool shared = !family.others.empty() && base::at(family.lead) == found.question;
      if (stored.size() ==
          (shared ? kTuning.separator.shared_witnesses : kTuning.separator.witnesses))
        stored.erase(stored.begin());
      stored.push_back(std::move(found.witness));
    }
    lane.found.clear();
  }
}

}  // namespace lacuna::suppression_model
