// SPDX-License-Identifier: Apache-2.0
#include "protect/common/separator.h"

#include <algorithm>
#include <cmath>

#include "base/index.h"
#include "base/parallel.h"
#include "base/work.h"
#include "lacuna/tolerance.h"
#include "protect/common/cuts/bridgeless.h"
#include "protect/common/cuts/capacity.h"
#include "protect/common/cuts/cover.h"
#include "protect/common/tuning.h"

namespace lacuna::inline common {
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
    if (x[at(columns[k])] < least[k] - tol::kViolation)
      return false;
  }
  return true;
}

Separator::Separator(const SuppressModel& model, const std::string& engine, std::size_t lanes)
    : model_(model),
      engine_(engine),
      asks_attackers_(model.num_cells() <= kTuning.separator.largest_lp ||
                      model.network() != nullptr),
      lanes_(lanes) {
  list_questions();
  witnesses_.resize(questions_.size());
  for (Lane& lane : lanes_) {
    lane.up.resize(at(model.num_cells()));
    lane.down.resize(at(model.num_cells()));
    lane.rest.assign(questions_.size(), 0);
    lane.pause.assign(questions_.size(), 0);
  }
}

void Separator::list_questions() {
  for (std::size_t n = 0; n < model_.needs().size(); ++n) {
    const Need& need = model_.needs()[n];
    const auto index = static_cast<std::int32_t>(n);
    if (need.upper > 0)
      questions_.push_back({index, Side::kUp});
    if (need.lower > 0)
      questions_.push_back({index, Side::kDown});
    if (need.sliding > 0)
      questions_.push_back({index, Side::kBoth});
  }
}

AttackerSolver& Separator::solver(Lane& lane) {
  if (!lane.solver)
    lane.solver = make_attacker_solver(model_, engine_);
  return *lane.solver;
}

std::int64_t Separator::attacker_lps() const {
  std::int64_t sum = 0;
  for (const Lane& lane : lanes_)
    sum += lane.solver ? lane.solver->solves() : 0;
  return sum;
}

double Separator::level_of(const Question& question) const {
  const Need& need = model_.needs()[at(question.need)];
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
  for (const Question& question : questions_) {
    if (question.side == Side::kBoth)
      continue;
    const Need& need = model_.needs()[at(question.need)];
    for (const std::int32_t equation : model_.equations_of(need.cell)) {
      CapacityBuilder builder(model_, need);
      builder.add_equation(equation, question.side == Side::kUp ? 1 : -1, level_of(question));
      if (const auto cut = builder.finish())
        add_violated(*cut, x, cuts);
    }
  }
  for (std::int32_t equation = 0; equation < model_.num_equations(); ++equation) {
    if (const auto cut = bridgeless_row(model_, equation, x))
      cuts.push_back(*cut);
  }
  return cuts;
}

bool Separator::is_settled(std::size_t question, std::span<const double> x) const {
  const std::int32_t column = model_.needs()[at(questions_[question].need)].column;
  if (column >= 0 && x[at(column)] < tol::kViolation)
    return true;
  const auto& stored = witnesses_[question];
  return std::any_of(
      stored.rbegin(), stored.rend(), [&](const Shares& shares) { return shares.fits(x); });
}

// In units of the level, at most one. With `least` > 0 never quite nothing: then the dual tells
// also what a cell that is published now would be good for.
void Separator::set_capacities(
    Lane& lane, const Need& need, double level, double least, std::span<const double> x) const {
  count_work(5 * lane.up.size());
  for (std::int32_t i = 0; i < model_.num_cells(); ++i) {
    const RealRoom room = model_.room(i, need.attacker);
    const std::int32_t column = model_.column_of(i);
    const double share = column < 0 ? 1 : std::max(x[at(column)], least);
    lane.up[at(i)] = std::min(room.up / level, 1.0) * share;
    lane.down[at(i)] = std::min(room.down / level, 1.0) * share;
  }
}

void Separator::add_shares(const Need& need,
                           double level,
                           std::span<const double> moves,
                           Shares& shares) const {
  count_work(3 * moves.size());
  for (std::int32_t column = 0; column < model_.num_columns(); ++column) {
    const std::int32_t i = model_.cell_of(column);
    const double move = moves[at(i)];
    if (column == need.column || std::abs(move) <= tol::kNegligible)
      continue;
    const double room = std::min(model_.room(i, need.attacker).toward(move) / level, 1.0);
    const double least = std::abs(move) / room;
    if (least < tol::kViolation)
      continue;
    shares.columns.push_back(column);
    shares.least.push_back(std::min(least, 1.0));
  }
}

std::optional<Cut> Separator::ask(Lane& lane,
                                  std::size_t question,
                                  std::span<const double> x,
                                  const RunContext& run) {
  const Need& need = model_.needs()[at(questions_[question].need)];
  const double level = level_of(questions_[question]);
  const int sign = questions_[question].side == Side::kUp ? 1 : -1;
  set_capacities(lane, need, level, 0, x);
  const AttackerSolver::Target target{need.cell, sign, 1};
  const auto plain = solver(lane).push(target, lane.up, lane.down, run);
  if (!plain.solved)
    return std::nullopt;
  if (plain.value >= 1 - tol::kViolation) {
    Shares shares;
    add_shares(need, level, plain.moves, shares);
    lane.found.push_back({question, std::move(shares)});
    return std::nullopt;
  }
  // Violated: worth a second look for the constraint that says most.
  set_capacities(lane, need, level, tol::kLift, x);
  const auto lifted = solver(lane).push_again(lane.up, lane.down, run);
  if (!lifted.solved)
    return std::nullopt;
  CapacityBuilder builder(model_, need);
  builder.add(lifted.dual, sign, level);
  return builder.finish();
}

std::optional<Cut> Separator::ask_both(Lane& lane,
                                       std::size_t question,
                                       std::span<const double> x,
                                       const RunContext& run) {
  const Need& need = model_.needs()[at(questions_[question].need)];
  const double level = level_of(questions_[question]);
  const RealRoom own = model_.room(need.cell, need.attacker);
  set_capacities(lane, need, level, tol::kLift, x);
  CapacityBuilder builder(model_, need);
  builder.ask(level);
  Shares shares;
  double width = 0;
  for (const int sign : {1, -1}) {
    const double room = std::min(own.toward(sign) / level, 1.0);
    const auto answer = solver(lane).push({need.cell, sign, room}, lane.up, lane.down, run);
    if (!answer.solved)
      return std::nullopt;
    width += answer.value;
    builder.add_end(answer.dual, sign);
    add_shares(need, level, answer.moves, shares);
  }
  const double asked = need.column < 0 ? 1 : x[at(need.column)];
  if (width >= asked - tol::kViolation) {
    if (need.column < 0)  // else the witness serves only while no more is asked
      lane.found.push_back({question, std::move(shares)});
    return std::nullopt;
  }
  return builder.finish();
}

std::vector<Cut> Separator::search(Lane& lane,
                                   const Stripe& stripe,
                                   std::span<const double> x,
                                   const Limits& limits,
                                   const RunContext& run) {
  std::vector<Cut> cuts;
  const bool whole = std::all_of(x.begin(), x.end(), tol::is_whole);
  const std::size_t mine = stripe.share_of(questions_.size());
  for (std::size_t seen = 0; seen < mine && cuts.size() < limits.cuts; ++seen) {
    if (run.should_stop())
      return cuts;
    const std::size_t question = stripe.first + stripe.step * (lane.next_question++ % mine);
    if (is_settled(question, x))
      continue;
    if (!whole && lane.rest[question] > 0) {
      --lane.rest[question];
      continue;
    }
    const auto cut = questions_[question].side == Side::kBoth ? ask_both(lane, question, x, run)
                                                              : ask(lane, question, x, run);
    // What was met again and again is asked less and less often.
    auto& pause = lane.pause[question];
    pause =
        cut ? 0
            : static_cast<std::uint8_t>(std::min(2 * pause + 1, kTuning.separator.longest_pause));
    lane.rest[question] = pause;
    if (cut)
      add_violated(*cut, x, cuts);
  }
  if (cuts.empty() && limits.bridges > 0)
    search_bridges(lane, stripe, x, limits, run, cuts);
  return cuts;
}

void Separator::search_bridges(Lane& lane,
                               const Stripe& stripe,
                               std::span<const double> x,
                               const Limits& limits,
                               const RunContext& run,
                               std::vector<Cut>& cuts) {
  const std::size_t mine = stripe.share_of(static_cast<std::size_t>(model_.num_columns()));
  for (std::int32_t i = 0; i < model_.num_cells(); ++i) {
    const std::int32_t column = model_.column_of(i);
    lane.up[at(i)] = column < 0 ? 1 : std::max(x[at(column)], tol::kLift);
    lane.down[at(i)] = lane.up[at(i)];
  }
  std::size_t asked = 0;
  for (std::size_t seen = 0; seen < mine && asked < limits.bridges; ++seen) {
    if (run.should_stop())
      return;
    const auto column =
        static_cast<std::int32_t>(stripe.first + stripe.step * (lane.next_bridge++ % mine));
    const double here = x[at(column)];
    if (here < kTuning.separator.worth_a_bridge)
      continue;
    ++asked;
    const auto answer =
        solver(lane).push({model_.cell_of(column), 1, here}, lane.up, lane.down, run);
    if (!answer.solved || answer.value >= here - tol::kViolation)
      continue;
    const auto cut = bridgeless_cut(model_, column, answer.dual);
    if (cut && violated(*cut, x))
      cuts.push_back(*cut);
  }
}

std::vector<Cut> Separator::from_attackers(std::size_t lane,
                                           std::span<const double> x,
                                           const Limits& limits,
                                           const RunContext& run) {
  if (!asks_attackers_)
    return {};
  return search(lanes_[lane], {0, 1}, x, limits, run);
}

std::vector<Cut> Separator::from_attackers_all_lanes(std::span<const double> x,
                                                     const Limits& limits,
                                                     const RunContext& run) {
  if (!asks_attackers_)
    return {};
  std::vector<std::vector<Cut>> found(lanes_.size());
  const RunContext part = share_of_work(run, 1.0 / static_cast<double>(lanes_.size()));
  for_each_lane(run, lanes_.size(), [&](std::size_t lane) {
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

}  // namespace lacuna::inline common
