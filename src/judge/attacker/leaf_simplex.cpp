// SPDX-License-Identifier: Apache-2.0
#include "judge/attacker/leaf_simplex.h"

#include <algorithm>
#include <cmath>

#include "core/base/work.h"
#include "judge/attacker/tuning.h"
#include "lacuna/lp.h"

namespace lacuna::attacker {
namespace {

constexpr std::int8_t kWithin = 2;  // the point 0 of a cell with a kink; the piece of one without

}  // namespace

LeafNet::LeafNet(const RepairNet& prices)
    : prices_(prices),
      num_cells_(static_cast<std::size_t>(prices.problem().table().num_cells())),
      local_(num_cells_, -1) {
  const AttackerProblem& problem = prices.problem();
  const Table& table = problem.table();
  const table::LeafForm& form = problem.leaf_form();
  for (std::int32_t i = 0; i < problem.num_cells(); ++i)
    local_[static_cast<std::size_t>(problem.cell(i).value)] = i;
  for (const CellId leaf : form.leaves)
    leaf_cell_.push_back(leaf.value);
  row_start_.push_back(0);
  const auto add_row = [&](std::span<const table::LeafTerm> terms) {
    for (const table::LeafTerm& term : terms)
      row_terms_.push_back({term.leaf, static_cast<double>(term.coefficient)});
    row_start_.push_back(row_terms_.size());
  };
  for (std::size_t c = 0; c < num_cells_; ++c)
    add_row(form.of(CellId{static_cast<std::int32_t>(c)}));
  for (const EquationId condition : form.conditions)
    add_row(form.on_leaves(table, condition));
  std::vector<std::vector<Term>> by_leaf(leaf_cell_.size());
  for (std::size_t r = 0; r < num_rows(); ++r) {
    for (const Term& term : row(r))
      by_leaf[static_cast<std::size_t>(term.index)].push_back(
          {static_cast<std::int32_t>(r), term.coefficient});
  }
  leaf_start_.push_back(0);
  for (const std::vector<Term>& terms : by_leaf) {
    leaf_terms_.insert(leaf_terms_.end(), terms.begin(), terms.end());
    leaf_start_.push_back(leaf_terms_.size());
  }
}

void LeafSimplex::forget() {
  if (!search_.empty())
    search_.detach();
  search_.free_memory();
  places_ = simplex::LazyPlaces(0, 0);
}

simplex::Piecewise LeafSimplex::column_cost(std::int32_t) const {
  return {};  // free
}

void LeafSimplex::list_column(std::int32_t leaf, std::vector<simplex::LazyEntry>& rows) const {
  const std::span<const simplex::LazyEntry> all = net_->rows_of(static_cast<std::size_t>(leaf));
  rows.insert(rows.end(), all.begin(), all.end());
}

std::span<const simplex::LazyEntry> LeafSimplex::lent_column(std::int32_t leaf) const {
  return net_->rows_of(static_cast<std::size_t>(leaf));
}

bool LeafSimplex::list_row(std::int32_t row, bool, std::vector<simplex::LazyEntry>& leaves) {
  const std::span<const simplex::LazyEntry> all = net_->row(static_cast<std::size_t>(row));
  leaves.insert(leaves.end(), all.begin(), all.end());
  return false;
}

// Conditions and the goal's own cell are equations.
bool LeafSimplex::row_cost(std::int32_t row, simplex::Piecewise& cost) const {
  if (static_cast<std::size_t>(row) >= net_->num_cells() || static_cast<std::size_t>(row) == cell_)
    return false;
  const RepairNet& prices = net_->prices();
  const RepairOptions& options = prices.options();
  const std::size_t up = end_of(row, 1);
  const std::size_t down = end_of(row, -1);
  const RealSlack slack = net_->slack(*slacks_, static_cast<std::size_t>(row));
  const RealSlack most = net_->slack(*most_, static_cast<std::size_t>(row));
  const auto outer = [&](std::size_t end) {
    return prices.weight(end) * (1 + options.noise * prices.noise(end));
  };
  const auto inner = [&](std::size_t end) {
    const double kink = sharp_ ? options.sharp_kink : options.kink;
    return prices.weight(end) * kink * (1 + prices.noise(end));
  };
  cost.start = kWithin;
  if (kinked_[static_cast<std::size_t>(row)] != 0) {
    cost.count = 5;
    cost.point = {-most.down, -slack.down, 0, slack.up, most.up};
    cost.slope = {-kLpInfinity, -outer(down), -inner(down), inner(up), outer(up), kLpInfinity};
  } else {
    cost.count = 4;
    cost.point = {-most.down, -slack.down, slack.up, most.up};
    cost.slope = {-kLpInfinity, -outer(down), 0, outer(up), kLpInfinity};
  }
  return true;
}

simplex::LazyTuning LeafSimplex::tuning() const {
  const RepairOptions& options = net_->prices().options();
  return {.feasibility = options.feasibility * level_,
          .negligible = options.feasibility,
          .smallest_pivot = options.smallest_pivot,
          .max_steps = options.max_steps,
          .refactor_every = options.refactor_every,
          .steepest_edge = false};
}

// All leaves at rest at zero, then conditions and the goal's cell instead of some of them.
bool LeafSimplex::begin() {
  forget();
  base::count_work(kTuning.row * net_->num_rows());  // all are touched
  kinked_.assign(net_->num_rows(), 0);
  places_ = simplex::LazyPlaces(net_->num_leaves(), net_->num_rows());
  search_.attach(*this, places_);
  for (std::size_t row = 0; row < net_->num_rows(); ++row)
    search_.touch_row(static_cast<std::int32_t>(row));
  const double smallest = net_->prices().options().smallest_pivot;
  for (std::size_t leaf = 0; leaf < net_->num_leaves(); ++leaf) {
    if (!search_.adopt(net_->leaf_cell(leaf), static_cast<std::int32_t>(leaf), smallest))
      return false;
  }
  for (std::size_t row = net_->num_cells(); row < net_->num_rows(); ++row) {
    if (!search_.adopt(static_cast<std::int32_t>(row), -1, smallest))
      return false;
  }
  if (search_.active(cell_) < 0 && !search_.adopt(static_cast<std::int32_t>(cell_), -1, smallest))
    return false;
  for (std::size_t leaf = 0; leaf < net_->num_leaves(); ++leaf) {
    const auto cell = static_cast<std::size_t>(net_->leaf_cell(leaf));
    kinked_[cell] = search_.active(cell) >= 0 && cell != cell_ ? 1 : 0;
  }
  return true;
}

// The last basis at the point at hand; false if it is of no use there.
bool LeafSimplex::place() {
  search_.forget_constants();
  search_.add_constant(static_cast<std::int32_t>(cell_), -sign_ * level_);
  return search_.restart(tuning(), simplex::LazyChange::kPoints);
}

double LeafSimplex::value_of(std::size_t cell) const {
  return cell == cell_ ? sign_ * level_ : search_.row_value(cell);
}

// Without noise and kinks.
double LeafSimplex::true_slope(std::size_t item) const {
  if (search_.is_column(item))
    return 0;
  const std::int32_t row = search_.row_of_item(item);
  if (search_.piece(item) == 1)
    return -net_->prices().weight(end_of(row, -1));
  const int last = kinked_[static_cast<std::size_t>(row)] != 0 ? 4 : 3;
  return search_.piece(item) == last ? net_->prices().weight(end_of(row, 1)) : 0;
}

// From g = -y with N'g = 0:  -g_p f_p = sum_i g_i f_i, divided by -s g_p.
void LeafSimplex::set_cut(std::span<const double> y) {
  coefficients_.clear();
  const double own = sign_ * y[cell_];
  if (!(own > 0))
    return;
  for (std::size_t row = 0; row < net_->num_cells(); ++row) {
    const double d = row == cell_ ? 0 : snapped(-y[row] / own);
    if (d != 0)
      coefficients_.emplace_back(static_cast<std::int32_t>(row), d);
  }
}

void LeafSimplex::finish() {
  base::count_work(4 * kTuning.end * net_->num_rows());
  move_.clear();
  coefficients_.clear();
  excess_ = 0;
  for (std::size_t row = 0; row < net_->num_cells(); ++row) {
    const double value = value_of(row);
    if (std::abs(value) <= net_->prices().options().feasibility * level_)
      continue;
    move_.emplace_back(static_cast<std::int32_t>(row), value);
    if (row != cell_)
      excess_ = std::max(excess_, std::abs(value) - net_->slack(*slacks_, row).toward(value));
  }
  if (excess_ == 0)
    return;
  std::vector<double> y;
  search_.multipliers([&](std::size_t item) { return true_slope(item); }, y);
  set_cut(y);
}

RepairOutcome LeafSimplex::search(const RunContext& run) {
  if (run.should_stop())
    return RepairOutcome::kGivenUp;
  const simplex::LazyEnding ending = search_.solve(tuning(), &run);
  if (ending == simplex::LazyEnding::kOptimal)
    return RepairOutcome::kFound;
  if (ending != simplex::LazyEnding::kImpossible)
    return RepairOutcome::kGivenUp;
  std::vector<double> ray(net_->num_rows(), 0);
  for (const auto& [row, rate] : search_.ray())
    ray[static_cast<std::size_t>(row)] = rate;
  set_cut(ray);
  return RepairOutcome::kImpossible;
}

RepairOutcome LeafSimplex::solve(double level,
                                 const Slacks& slacks,
                                 const Slacks& most,
                                 const RunContext& run) {
  level_ = level;
  slacks_ = &slacks;
  most_ = &most;
  RepairOutcome outcome = RepairOutcome::kGivenUp;
  for (int attempt = 0; attempt < 2 && outcome == RepairOutcome::kGivenUp; ++attempt) {
    const bool warm = attempt == 0 && !search_.empty() && place();
    if (!warm && (!begin() || !place())) {
      forget();
      return RepairOutcome::kGivenUp;
    }
    outcome = search(run);
  }
  if (outcome == RepairOutcome::kFound)
    finish();
  else
    forget();
  return outcome;
}

}  // namespace lacuna::attacker
