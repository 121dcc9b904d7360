// SPDX-License-Identifier: Apache-2.0
#include "judge/attacker/repair_simplex.h"

#include <algorithm>
#include <cmath>

#include "core/base/check.h"
#include "core/base/random.h"
#include "core/base/work.h"
#include "judge/attacker/tuning.h"
#include "lacuna/lp.h"

namespace lacuna::attacker {
namespace {

constexpr std::int64_t kNoiseSteps = 1 << 20;

}  // namespace

RepairNet::RepairNet(const AttackerProblem& problem,
                     std::span<const double> weight,
                     const RepairOptions& options)
    : problem_(problem), options_(options), weight_(weight.begin(), weight.end()) {
  double least = kLpInfinity;
  for (const double each : weight)
    least = each > 0 ? std::min(least, each) : least;
  least = std::isfinite(least) ? least : 1;
  base::Random random(1);
  for (double& each : weight_) {
    each = std::max(each, least);
    noise_.push_back(static_cast<double>(random.between(0, kNoiseSteps)) / kNoiseSteps);
  }
}

double RepairSimplex::outer_price(std::size_t end) const {
  return net_->weight(end) * (1 + net_->options().noise * net_->noise(end));
}

double RepairSimplex::inner_price(std::size_t end) const {
  const RepairOptions& options = net_->options();
  const double noise = 1 + net_->noise(end);
  if (goal_ == RepairObjective::kReach)
    return options.reach_kink * noise;
  return net_->weight(end) * (sharp_ ? options.sharp_kink : options.kink) * noise;
}

simplex::Piecewise RepairSimplex::column_cost(std::int32_t local) const {
  simplex::Piecewise cost;
  if (local == local_) {  // with kReach: at its level, and 1 per unit that it falls short
    cost.point = {std::min(0.0, sign_ * level_), std::max(0.0, sign_ * level_)};
    cost.slope = {-kLpInfinity, static_cast<double>(-sign_), kLpInfinity};
    cost.count = 2;
    cost.start = sign_ > 0 ? 1 : 0;
    return cost;
  }
  const std::size_t up = end(local, 1);
  const std::size_t down = end(local, -1);
  const RealSlack slack = slacks_->of(local);
  if (goal_ == RepairObjective::kReach)
    return simplex::Piecewise::around_zero(
        slack.down, slack.up, inner_price(down), inner_price(up));
  const RealSlack most = most_->of(local);
  cost.point = {-most.down, -slack.down, 0, slack.up, most.up};
  cost.slope = {-kLpInfinity,
                -outer_price(down),
                -inner_price(down),
                inner_price(up),
                outer_price(up),
                kLpInfinity};
  cost.count = 5;
  cost.start = 2;
  return cost;
}

// Without noise and kinks.
double RepairSimplex::true_slope(std::size_t item) const {
  const std::int32_t local = search_.column(item);
  if (local == local_)
    return -sign_;
  if (goal_ == RepairObjective::kReach)
    return 0;
  if (search_.piece(item) == 1)
    return -net_->weight(end(local, -1));
  return search_.piece(item) == 4 ? net_->weight(end(local, 1)) : 0;
}

void RepairSimplex::list_column(std::int32_t local, std::vector<simplex::LazyEntry>& rows) const {
  const std::span<const simplex::LazyEntry> all = net_->problem().rows_of(local);
  rows.insert(rows.end(), all.begin(), all.end());
}

bool RepairSimplex::list_row(std::int32_t row, bool, std::vector<simplex::LazyEntry>& cells) {
  for (const simplex::LazyEntry& entry : net_->problem().row(row)) {
    if (entry.index != local_ || goal_ == RepairObjective::kReach)
      cells.push_back(entry);
  }
  return false;
}

simplex::LazyTuning RepairSimplex::tuning() const {
  const RepairOptions& options = net_->options();
  return {.feasibility = options.feasibility * level_,
          .negligible = options.feasibility,
          .smallest_pivot = options.smallest_pivot,
          .max_steps = options.max_steps,
          .refactor_every = options.refactor_every,
          .largest_basis = largest_basis_,
          .steepest_edge = false};
}

// What is broken at the start: the rows of the cell, at its level.
void RepairSimplex::begin() {
  search_.forget_constants();
  if (goal_ == RepairObjective::kReach) {
    search_.touch_column(local_);
    return;
  }
  for (const simplex::LazyEntry& entry : net_->problem().rows_of(local_))
    search_.add_constant(entry.index, entry.coefficient * sign_ * level_);
}

RepairOutcome RepairSimplex::search(const RunContext* run) {
  switch (search_.solve(tuning(), run)) {
    case simplex::LazyEnding::kOptimal:
      return RepairOutcome::kFound;
    case simplex::LazyEnding::kImpossible:
      return RepairOutcome::kImpossible;
    case simplex::LazyEnding::kTooLarge:
      return RepairOutcome::kTooLarge;
    case simplex::LazyEnding::kTooExpensive:
    case simplex::LazyEnding::kGivenUp:
      break;
  }
  return RepairOutcome::kGivenUp;
}

double RepairSimplex::widest() const {
  double most = goal_ == RepairObjective::kReach ? level_ : 0;
  for (const auto& [cell, amount] : moves_) {
    if (goal_ == RepairObjective::kReach)
      most -= cell == local_ ? std::abs(amount) : 0;
    else if (cell != local_)
      most = std::max(most, std::abs(amount) - slacks_->of(cell).toward(amount));
  }
  return most;
}

// From multipliers of rows by their place in the search.
void RepairSimplex::set_multipliers(std::span<const std::pair<std::int32_t, double>> duals) {
  multipliers_.clear();
  double own = 0;
  for (const auto& [place, dual] : duals) {
    const std::int32_t row = search_.row(static_cast<std::size_t>(place));
    for (const simplex::LazyEntry& entry : net_->problem().rows_of(local_))
      own += entry.index == row ? entry.coefficient * dual : 0;
  }
  if (!(sign_ * own < 0))
    return;
  for (const auto& [place, dual] : duals) {
    const double factor = snapped(dual * sign_ / own);
    const std::int32_t row = search_.row(static_cast<std::size_t>(place));
    if (factor != 0)
      multipliers_.emplace_back(net_->problem().equation(row), factor);
  }
}

void RepairSimplex::finish() {
  moves_.clear();
  multipliers_.clear();
  if (goal_ == RepairObjective::kWiden)
    moves_.emplace_back(local_, sign_ * level_);
  for (std::size_t item = 0; item < search_.num_items(); ++item) {
    const double value = search_.value(item);
    if (std::abs(value) > net_->options().feasibility * level_)
      moves_.emplace_back(search_.column(item), value);
  }
  std::sort(moves_.begin(), moves_.end());
  base::count_work(kTuning.move_cell * search_.num_items() + kTuning.moved * moves_.size());
  excess_ = widest();
  if (excess_ <= 0)
    return;
  std::vector<double> y;
  search_.multipliers([&](std::size_t item) { return true_slope(item); }, y);
  std::vector<std::pair<std::int32_t, double>> duals;
  for (const std::int32_t place : search_.active_rows())
    duals.emplace_back(place, y[static_cast<std::size_t>(place)]);
  set_multipliers(duals);
}

RepairOutcome RepairSimplex::solve(double level,
                                   const Slacks& slacks,
                                   const Slacks& most,
                                   RepairScratch& scratch,
                                   const RunContext* run) {
  level_ = level;
  slacks_ = &slacks;
  most_ = &most;
  if (local_ < 0) {  // nothing moves the cell
    multipliers_.clear();
    return RepairOutcome::kImpossible;
  }
  search_.attach(*this, scratch);
  RepairOutcome outcome = RepairOutcome::kGivenUp;
  for (int attempt = 0; attempt < 2 && outcome == RepairOutcome::kGivenUp; ++attempt) {
    if (attempt > 0 && run != nullptr && run->should_stop())
      break;
    bool warm = attempt == 0 && !search_.empty();
    if (warm) {
      begin();
      warm = search_.restart(
          tuning(),
          sharp_ == was_sharp_ ? simplex::LazyChange::kPoints : simplex::LazyChange::kSlopes);
    }
    if (!warm) {
      search_.clear();
      begin();
    }
    outcome = search(run);
  }
  was_sharp_ = sharp_;
  if (outcome == RepairOutcome::kFound)
    finish();
  else if (outcome == RepairOutcome::kImpossible)
    set_multipliers(search_.ray());
  search_.detach();
  if (outcome != RepairOutcome::kFound)
    forget();
  return outcome;
}

AttackerWarm::Answer AttackerWarm::push(const Query& query,
                                        const Slacks& slacks,
                                        const RunContext& run) {
  LACUNA_CHECK(std::isfinite(query.most));
  ++solves_;
  last_ = query;
  RepairSimplex& search = searches_
                              .try_emplace({query.cell, query.sign},
                                           net_,
                                           net_.problem().cell(query.cell).value,
                                           query.sign,
                                           RepairObjective::kReach)
                              .first->second;
  if (search.solve(query.most, slacks, slacks, places_, &run) != RepairOutcome::kFound)
    return {};
  moves_.assign(search.moves().begin(), search.moves().end());
  dual_.clear();
  if (search.multipliers().empty())  // the cell's own bound is what stops it
    dual_.emplace_back(query.cell, query.sign);
  Answer made = answer(true, query.most - search.excess());
  made.multipliers = search.multipliers();
  return made;
}

}  // namespace lacuna::attacker
