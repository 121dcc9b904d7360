// SPDX-License-Identifier: Apache-2.0
#include "protect/interval/repair_simplex.h"

#include <algorithm>
#include <cmath>

#include "base/random.h"
#include "base/work.h"
#include "lacuna/lp.h"
#include "protect/interval/separator.h"
#include "protect/interval/tuning.h"

namespace lacuna::inline interval {
namespace {

constexpr std::int64_t kNoiseSteps = 1 << 20;

}  // namespace

RepairNet::RepairNet(const Model& model,
                     std::span<const double> weight,
                     const RepairOptions& options)
    : options_(options) {
  const Table& table = model.problem->table();
  const std::size_t cells = model.movable.size();
  std::vector<std::vector<Entry>> of_cell(cells);
  row_start_.push_back(0);
  for (std::int32_t j = 0; j < table.num_equations(); ++j) {
    const auto row = static_cast<std::int32_t>(equation_.size());
    const std::size_t before = row_entry_.size();
    for (const Term& term : table.equation(EquationId{j})) {
      if (model.movable[static_cast<std::size_t>(term.cell.value)])
        row_entry_.push_back({term.cell.value, static_cast<double>(term.coefficient)});
    }
    if (row_entry_.size() == before)
      continue;
    for (std::size_t i = before; i < row_entry_.size(); ++i)
      of_cell[static_cast<std::size_t>(row_entry_[i].index)].push_back(
          {row, row_entry_[i].coefficient});
    equation_.push_back(EquationId{j});
    row_start_.push_back(static_cast<std::int32_t>(row_entry_.size()));
  }
  cell_start_.push_back(0);
  for (const std::vector<Entry>& entries : of_cell) {
    cell_entry_.insert(cell_entry_.end(), entries.begin(), entries.end());
    cell_start_.push_back(static_cast<std::int32_t>(cell_entry_.size()));
  }
  double least = kLpInfinity;
  for (const double each : weight)
    least = each > 0 ? std::min(least, each) : least;
  least = std::isfinite(least) ? least : 1;
  Random random(1);
  weight_.assign(weight.begin(), weight.end());
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
  if (goal_ == RepairGoal::kReach)
    return options.reach_kink * noise;
  return net_->weight(end) * (sharp_ ? options.sharp_kink : options.kink) * noise;
}

Piecewise RepairSimplex::column_cost(std::int32_t cell) const {
  Piecewise cost;
  if (cell == cell_) {  // with kReach: at its level, and 1 per unit that it falls short
    cost.point = {std::min(0.0, sign_ * level_), std::max(0.0, sign_ * level_)};
    cost.slope = {-kLpInfinity, static_cast<double>(-sign_), kLpInfinity};
    cost.count = 2;
    cost.start = sign_ > 0 ? 1 : 0;
    return cost;
  }
  const std::size_t up = end_of(cell, 1);
  const std::size_t down = end_of(cell, -1);
  if (goal_ == RepairGoal::kReach)
    return Piecewise::around_zero(room(down), room(up), inner_price(down), inner_price(up));
  cost.point = {-most_[down], -room(down), 0, room(up), most_[up]};
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
  const std::int32_t cell = search_.column(item);
  if (cell == cell_)
    return -sign_;
  if (goal_ == RepairGoal::kReach)
    return 0;
  if (search_.piece(item) == 1)
    return -net_->weight(end_of(cell, -1));
  return search_.piece(item) == 4 ? net_->weight(end_of(cell, 1)) : 0;
}

void RepairSimplex::list_column(std::int32_t cell, std::vector<LazyEntry>& rows) const {
  const std::span<const LazyEntry> all = net_->rows_of(cell);
  rows.insert(rows.end(), all.begin(), all.end());
}

bool RepairSimplex::list_row(std::int32_t row, bool, std::vector<LazyEntry>& cells) {
  for (const LazyEntry& entry : net_->row(row)) {
    if (entry.index != cell_ || goal_ == RepairGoal::kReach)
      cells.push_back(entry);
  }
  return false;
}

LazyTuning RepairSimplex::tuning() const {
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
  if (goal_ == RepairGoal::kReach) {
    search_.touch_column(cell_);
    return;
  }
  for (const LazyEntry& entry : net_->rows_of(cell_))
    search_.add_constant(entry.index, entry.coefficient * sign_ * level_);
}

RepairOutcome RepairSimplex::search(const RunContext* run) {
  switch (search_.solve(tuning(), run)) {
    case LazyEnding::kOptimal:
      return RepairOutcome::kFound;
    case LazyEnding::kImpossible:
      return RepairOutcome::kImpossible;
    case LazyEnding::kTooLarge:
      return RepairOutcome::kTooLarge;
    case LazyEnding::kTooDear:
    case LazyEnding::kGivenUp:
      break;
  }
  return RepairOutcome::kGivenUp;
}

double RepairSimplex::widest() const {
  double most = goal_ == RepairGoal::kReach ? level_ : 0;
  for (const auto& [cell, amount] : move_) {
    if (goal_ == RepairGoal::kReach)
      most -= cell == cell_ ? std::abs(amount) : 0;
    else if (cell != cell_)
      most = std::max(most, std::abs(amount) - room(end_of(cell, amount > 0 ? 1 : -1)));
  }
  return most;
}

// From multipliers of rows by their place in the search.
void RepairSimplex::set_multipliers(std::span<const std::pair<std::int32_t, double>> duals) {
  multipliers_.clear();
  double own = 0;
  for (const auto& [place, dual] : duals) {
    const std::int32_t row = search_.row(static_cast<std::size_t>(place));
    for (const LazyEntry& entry : net_->rows_of(cell_))
      own += entry.index == row ? entry.coefficient * dual : 0;
  }
  if (!(sign_ * own < 0))
    return;
  for (const auto& [place, dual] : duals) {
    const double factor = snapped(dual * sign_ / own);
    if (factor != 0)
      multipliers_.emplace_back(net_->equation(search_.row(static_cast<std::size_t>(place))),
                                factor);
  }
}

void RepairSimplex::finish() {
  move_.clear();
  multipliers_.clear();
  if (goal_ == RepairGoal::kWiden)
    move_.emplace_back(cell_, sign_ * level_);
  for (std::size_t item = 0; item < search_.num_items(); ++item) {
    const double value = search_.value(item);
    if (std::abs(value) > net_->options().feasibility * level_)
      move_.emplace_back(search_.column(item), value);
  }
  std::sort(move_.begin(), move_.end());
  count_work(kTuning.work.move_cell * search_.num_items() + kTuning.work.rise * move_.size());
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
                                   std::span<const double> z,
                                   std::span<const double> most,
                                   RepairScratch& scratch,
                                   const RunContext* run) {
  level_ = level;
  z_ = z;
  most_ = most;
  search_.attach(*this, scratch);
  RepairOutcome outcome = RepairOutcome::kGivenUp;
  for (int attempt = 0; attempt < 2 && outcome == RepairOutcome::kGivenUp; ++attempt) {
    if (attempt > 0 && run != nullptr && run->should_stop())
      break;
    bool warm = attempt == 0 && !search_.empty();
    if (warm) {
      begin();
      warm = search_.restart(tuning(),
                             sharp_ == was_sharp_ ? LazyChange::kPoints : LazyChange::kSlopes);
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

}  // namespace lacuna::inline interval
