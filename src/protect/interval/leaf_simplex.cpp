// SPDX-License-Identifier: Apache-2.0
#include "protect/interval/leaf_simplex.h"

#include <algorithm>
#include <cmath>

#include "lacuna/lp.h"
#include "protect/interval/separator.h"

namespace lacuna::inline interval {
namespace {

constexpr std::int32_t kStepsBetweenLooks = 64;  // at the clock

}  // namespace

LeafNet::LeafNet(const Model& model, const RepairNet& prices)
    : prices_(prices), num_cells_(model.movable.size()) {
  const Table& table = model.problem->table;
  const LeafForm form = leaf_form(table, model.movable);
  for (const CellId leaf : form.leaves)
    leaf_cell_.push_back(leaf.value);
  row_start_.push_back(0);
  const auto add_row = [&](std::span<const LeafTerm> terms) {
    for (const LeafTerm& term : terms)
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
          {static_cast<std::int32_t>(r), term.value});
  }
  leaf_start_.push_back(0);
  for (const std::vector<Term>& terms : by_leaf) {
    leaf_terms_.insert(leaf_terms_.end(), terms.begin(), terms.end());
    leaf_start_.push_back(leaf_terms_.size());
  }
}

std::size_t LeafSimplex::memory() const {
  return inverse_.size() * sizeof(double) + columns_.size() * sizeof(Column);
}

void LeafSimplex::forget() {
  columns_.clear();
  at_rest_.clear();
  inverse_.clear();
  inverse_.shrink_to_fit();
}

void LeafSimplex::set_slopes(std::size_t row) {
  Column& column = columns_[row];
  const RepairNet& prices = net_->prices();
  const RepairOptions& options = prices.options();
  if (row >= net_->num_cells()) {
    column.slope = {-kLpInfinity, 0, 0, 0, 0, kLpInfinity};
    return;
  }
  const auto cell = static_cast<std::int32_t>(row);
  const auto outer = [&](std::size_t end) {
    return prices.weight(end) * (1 + options.noise * prices.noise(end));
  };
  const auto inner = [&](std::size_t end) {
    const double kink = sharp_ ? options.sharp_kink : options.kink;
    return column.kinked ? prices.weight(end) * kink * (1 + prices.noise(end)) : 0;
  };
  const std::size_t up = end_of(cell, 1);
  const std::size_t down = end_of(cell, -1);
  column.slope = {-kLpInfinity, -outer(down), -inner(down), inner(up), outer(up), kLpInfinity};
}

// All leaves at rest at zero, then conditions and the goal's cell instead of some of them.
bool LeafSimplex::begin() {
  const std::size_t leaves = net_->num_leaves();
  columns_.assign(net_->num_rows(), {});
  value_.assign(net_->num_rows(), 0);
  low_.assign(net_->num_rows(), 0);
  high_.assign(net_->num_rows(), 0);
  at_rest_.assign(leaves, 0);
  inverse_.assign(leaves * leaves, 0);
  row_.assign(leaves, 0);
  leaf_step_.assign(leaves, 0);
  rest_step_.assign(leaves, 0);
  updates_ = 0;
  for (std::size_t l = 0; l < leaves; ++l) {
    const auto cell = static_cast<std::size_t>(net_->leaf_cell(l));
    at_rest_[l] = cell;
    columns_[cell].position = static_cast<std::int32_t>(l);
    columns_[cell].kinked = true;
    inverse(l)[l] = 1;
  }
  for (std::size_t row = net_->num_cells(); row < net_->num_rows(); ++row) {
    if (!rest_instead_of_leaf(row))
      return false;
  }
  if (columns_[cell_].position < 0 && !rest_instead_of_leaf(cell_))
    return false;
  columns_[cell_].fixed = true;
  columns_[cell_].kinked = false;
  for (std::size_t row = 0; row < columns_.size(); ++row)
    set_slopes(row);
  return true;
}

bool LeafSimplex::rest_instead_of_leaf(std::size_t row) {
  set_row(row);
  std::size_t best = 0;
  double largest = 0;
  for (std::size_t k = 0; k < row_.size(); ++k) {
    if (!columns_[at_rest_[k]].fixed && std::abs(row_[k]) > largest) {
      largest = std::abs(row_[k]);
      best = k;
    }
  }
  if (largest <= net_->prices().options().smallest_pivot)
    return false;
  Column& leaf = columns_[at_rest_[best]];
  leaf.position = -1;
  leaf.kinked = false;
  exchange(best);
  at_rest_[best] = row;
  columns_[row].position = static_cast<std::int32_t>(best);
  columns_[row].fixed = true;
  return true;
}

bool LeafSimplex::set_points(std::span<const double> z, std::span<const double> most) {
  for (std::size_t row = 0; row < columns_.size(); ++row) {
    Column& column = columns_[row];
    if (row == cell_) {
      column.point.fill(sign_ * level_);
    } else if (row < net_->num_cells()) {
      const std::size_t up = end_of(static_cast<std::int32_t>(row), 1);
      const std::size_t down = end_of(static_cast<std::int32_t>(row), -1);
      column.point = {
          -most[down], -std::min(z[down], most[down]), 0, std::min(z[up], most[up]), most[up]};
    }
    if (column.position >= 0 && !std::isfinite(column.point[static_cast<std::size_t>(column.rest)]))
      return false;
    set_limits(row);
  }
  return true;
}

// Values of all cells from those at rest.
void LeafSimplex::set_values() {
  const std::size_t leaves = at_rest_.size();
  for (std::size_t k = 0; k < leaves; ++k) {
    const Column& column = columns_[at_rest_[k]];
    rest_step_[k] = column.point[static_cast<std::size_t>(column.rest)];
  }
  std::fill(value_.begin(), value_.end(), 0.0);
  for (std::size_t l = 0; l < leaves; ++l) {
    double sum = 0;
    for (std::size_t k = 0; k < leaves; ++k)
      sum += inverse(l)[k] * rest_step_[k];
    for (const LeafNet::Term& term : net_->rows_of(l))
      value_[static_cast<std::size_t>(term.index)] += term.value * sum;
  }
  for (std::size_t k = 0; k < leaves; ++k)
    value_[at_rest_[k]] = rest_step_[k];
}

void LeafSimplex::set_row(std::size_t row) {
  std::fill(row_.begin(), row_.end(), 0.0);
  for (const LeafNet::Term& term : net_->row(row)) {
    const double* line = inverse(static_cast<std::size_t>(term.index));
    for (std::size_t k = 0; k < row_.size(); ++k)
      row_[k] += term.value * line[k];
  }
}

// W after the row in row_ has taken the position.
void LeafSimplex::exchange(std::size_t position) {
  const double pivot = row_[position];
  for (std::size_t l = 0; l < at_rest_.size(); ++l) {
    double* line = inverse(l);
    if (line[position] == 0)
      continue;
    const double factor = line[position] / pivot;
    for (std::size_t k = 0; k < row_.size(); ++k)
      line[k] -= factor * row_[k];
    line[position] = factor;
  }
}

// W from scratch, by Gauss and Jordan.
bool LeafSimplex::refactor() {
  const std::size_t n = at_rest_.size();
  updates_ = 0;
  std::vector<double> work(n * 2 * n, 0);  // [N_J | I]
  const auto line = [&](std::size_t i) { return work.data() + i * 2 * n; };
  for (std::size_t k = 0; k < n; ++k) {
    for (const LeafNet::Term& term : net_->row(at_rest_[k]))
      line(k)[static_cast<std::size_t>(term.index)] = term.value;
    line(k)[n + k] = 1;
  }
  for (std::size_t q = 0; q < n; ++q) {
    std::size_t best = q;
    for (std::size_t i = q + 1; i < n; ++i)
      best = std::abs(line(i)[q]) > std::abs(line(best)[q]) ? i : best;
    if (std::abs(line(best)[q]) <= net_->prices().options().smallest_pivot)
      return false;
    if (best != q)
      std::swap_ranges(line(best), line(best) + 2 * n, line(q));
    const double pivot = line(q)[q];
    for (std::size_t j = q; j < 2 * n; ++j)
      line(q)[j] /= pivot;
    for (std::size_t i = 0; i < n; ++i) {
      const double factor = line(i)[q];
      for (std::size_t j = q; i != q && factor != 0 && j < 2 * n; ++j)
        line(i)[j] -= factor * line(q)[j];
    }
  }
  for (std::size_t l = 0; l < n; ++l)
    std::copy(line(l) + n, line(l) + 2 * n, inverse(l));
  set_pulls();
  return true;
}

// Pulls from scratch; what rests at the wrong breakpoint follows its pull.
void LeafSimplex::set_pulls() {
  const std::size_t n = at_rest_.size();
  std::fill(leaf_step_.begin(), leaf_step_.end(), 0.0);
  for (std::size_t row = 0; row < columns_.size(); ++row) {
    const Column& column = columns_[row];
    const double price = column.slope[static_cast<std::size_t>(column.piece)];
    if (column.position >= 0 || price == 0)
      continue;
    for (const LeafNet::Term& term : net_->row(row))
      leaf_step_[static_cast<std::size_t>(term.index)] += price * term.value;
  }
  std::fill(rest_step_.begin(), rest_step_.end(), 0.0);
  for (std::size_t l = 0; l < n; ++l) {
    for (std::size_t k = 0; leaf_step_[l] != 0 && k < n; ++k)
      rest_step_[k] -= inverse(l)[k] * leaf_step_[l];
  }
  for (std::size_t k = 0; k < n; ++k) {
    Column& column = columns_[at_rest_[k]];
    column.pull = rest_step_[k];
    if (column.fixed)
      continue;
    const double band = net_->prices().options().smallest_pivot * column.slope[4];
    const auto rest = [&] { return static_cast<std::size_t>(column.rest); };
    while (column.pull > column.slope[rest() + 1] + band && std::isfinite(column.point[rest() + 1]))
      ++column.rest;
    while (column.pull < column.slope[rest()] - band && std::isfinite(column.point[rest() - 1]))
      --column.rest;
  }
}

// Between which values a basic column has the slope of its piece.
void LeafSimplex::set_limits(std::size_t row) {
  const Column& column = columns_[row];
  const auto piece = static_cast<std::size_t>(column.piece);
  const bool merged = !column.kinked && (piece == 2 || piece == 3);
  low_[row] = column.point[merged ? 1 : piece - 1];
  high_[row] = column.point[merged ? 3 : piece];
  if (column.position >= 0) {
    low_[row] = -kLpInfinity;
    high_[row] = kLpInfinity;
  }
}

LeafSimplex::Leaving LeafSimplex::pick() const {
  Leaving leaving;
  leaving.excess = net_->prices().options().feasibility * level_;
  for (std::size_t row = 0; row < net_->num_cells(); ++row) {
    const double above = value_[row] - high_[row];
    const double below = low_[row] - value_[row];
    if (std::max(above, below) > leaving.excess)
      leaving = {
          static_cast<std::int32_t>(row), std::max(above, below), above > below ? 1.0 : -1.0};
  }
  return leaving;
}

bool LeafSimplex::next_break(std::size_t row, double rate, Break& next) const {
  const Column& column = columns_[row];
  const double limit = column.slope[static_cast<std::size_t>(column.next + (rate > 0 ? 1 : 0))];
  if (!std::isfinite(limit))
    return false;
  next = {std::max(0.0, (limit - column.pull) / rate), row};
  return true;
}

// Passes breakpoints while the dual improves; the column that stops it enters.
LeafSimplex::Ratio LeafSimplex::ratio_test(const Leaving& leaving) {
  breaks_.clear();
  const auto own = static_cast<std::size_t>(leaving.row);
  Break next;
  for (std::size_t k = 0; k < at_rest_.size(); ++k) {
    Column& column = columns_[at_rest_[k]];
    column.next = column.rest;
    const double rate = rate_of(at_rest_[k], leaving);
    if (!column.fixed && std::abs(rate) > net_->prices().options().smallest_pivot &&
        next_break(at_rest_[k], rate, next))
      breaks_.push_back(next);
  }
  Column& gone = columns_[own];
  const bool merged = !gone.kinked && (gone.piece == 2 || gone.piece == 3);
  if (leaving.direction > 0)
    gone.next = merged ? std::int8_t{3} : gone.piece;
  else
    gone.next = static_cast<std::int8_t>(merged ? 1 : gone.piece - 1);
  gone.pull = gone.slope[static_cast<std::size_t>(gone.piece)];
  if (next_break(own, leaving.direction, next))
    breaks_.push_back(next);
  std::make_heap(breaks_.begin(), breaks_.end());
  double gain = leaving.excess;
  while (!breaks_.empty()) {
    std::pop_heap(breaks_.begin(), breaks_.end());
    const Break at = breaks_.back();
    breaks_.pop_back();
    Column& column = columns_[at.row];
    const double rate = at.row == own ? leaving.direction : rate_of(at.row, leaving);
    const int toward = rate > 0 ? 1 : -1;
    gain -= std::abs(rate) * std::abs(column.point[static_cast<std::size_t>(column.next + toward)] -
                                      column.point[static_cast<std::size_t>(column.next)]);
    if (gain <= 0) {
      step_ = at.step;
      entering_ = at.row;
      return at.row == own ? Ratio::kSwitch : Ratio::kEnter;
    }
    column.next = static_cast<std::int8_t>(column.next + toward);
    if (next_break(at.row, rate, next)) {
      breaks_.push_back(next);
      std::push_heap(breaks_.begin(), breaks_.end());
    }
  }
  return Ratio::kNone;
}

// Pulls, resting places and values after the step.
void LeafSimplex::apply(const Leaving& leaving, Ratio ratio) {
  const auto own = static_cast<std::size_t>(leaving.row);
  Column& gone = columns_[own];
  double shifted = value_[own];
  for (std::size_t k = 0; k < at_rest_.size(); ++k) {
    Column& column = columns_[at_rest_[k]];
    column.pull += step_ * rate_of(at_rest_[k], leaving);
    rest_step_[k] = 0;
    if (column.fixed || (ratio == Ratio::kEnter && at_rest_[k] == entering_) ||
        column.next == column.rest)
      continue;
    const double to = column.point[static_cast<std::size_t>(column.next)];
    rest_step_[k] = to - column.point[static_cast<std::size_t>(column.rest)];
    column.rest = column.next;
    shifted += row_[k] * rest_step_[k];
  }
  Column& entering = columns_[entering_];
  if (ratio == Ratio::kEnter) {
    const auto k = static_cast<std::size_t>(entering.position);
    const double rate = rate_of(entering_, leaving);
    gone.rest = gone.next;
    rest_step_[k] = (gone.point[static_cast<std::size_t>(gone.rest)] - shifted) / row_[k];
    entering.piece = static_cast<std::int8_t>(entering.next + (rate > 0 ? 1 : 0));
  } else {
    entering.piece = static_cast<std::int8_t>(entering.next + (leaving.direction > 0 ? 1 : 0));
  }
  std::vector<std::size_t>& moved = moved_;
  moved.clear();
  for (std::size_t k = 0; k < at_rest_.size(); ++k) {
    if (rest_step_[k] != 0)
      moved.push_back(k);
  }
  for (std::size_t l = 0; l < leaf_step_.size() && !moved.empty(); ++l) {
    double by = 0;
    for (const std::size_t k : moved)
      by += inverse(l)[k] * rest_step_[k];
    if (by == 0)
      continue;
    for (const LeafNet::Term& term : net_->rows_of(l))
      value_[static_cast<std::size_t>(term.index)] += term.value * by;
  }
  if (ratio != Ratio::kEnter) {
    set_limits(entering_);
    return;
  }
  const auto k = static_cast<std::size_t>(entering.position);
  entering.position = -1;
  gone.position = static_cast<std::int32_t>(k);
  set_limits(entering_);
  set_limits(own);
  gone.pull += step_ * leaving.direction;
  exchange(k);
  at_rest_[k] = own;
  ++updates_;
}

RepairOutcome LeafSimplex::search(const RunContext& run) {
  const RepairOptions& options = net_->prices().options();
  const std::int32_t refactor_every =
      options.refactor_every + 2 * static_cast<std::int32_t>(at_rest_.size());
  bool doubtful = false;
  for (std::int32_t steps = 0; steps < options.max_steps; ++steps) {
    if (steps % kStepsBetweenLooks == 0 && run.should_stop())
      return RepairOutcome::kGivenUp;
    Leaving leaving = pick();
    if ((leaving.row < 0 && updates_ > 0) || doubtful || updates_ >= refactor_every) {
      if (!refactor())
        return RepairOutcome::kGivenUp;
      set_values();
      doubtful = false;
      leaving = pick();
    }
    if (leaving.row < 0)
      return RepairOutcome::kFound;
    set_row(static_cast<std::size_t>(leaving.row));
    const Ratio ratio = ratio_test(leaving);
    if (ratio == Ratio::kNone && updates_ > 0) {  // rounding may have broken the bound
      doubtful = true;
      continue;
    }
    if (ratio == Ratio::kNone) {
      std::vector<double> ray(columns_.size(), 0);
      for (const std::size_t row : at_rest_)
        ray[row] = rate_of(row, leaving);
      ray[static_cast<std::size_t>(leaving.row)] = leaving.direction;
      set_cut(ray);
      return RepairOutcome::kImpossible;
    }
    apply(leaving, ratio);
  }
  return RepairOutcome::kGivenUp;
}

// From g with N'g = 0:  -g_p f_p = sum_i g_i f_i, divided by -s g_p.
void LeafSimplex::set_cut(std::span<const double> g) {
  coefficients_.clear();
  const double own = -sign_ * g[cell_];
  if (!(own > 0))
    return;
  for (std::size_t row = 0; row < net_->num_cells(); ++row) {
    const double d = row == cell_ ? 0 : snapped(g[row] / own);
    if (d != 0)
      coefficients_.emplace_back(static_cast<std::int32_t>(row), d);
  }
}

void LeafSimplex::finish(std::span<const double> z, std::span<const double> most) {
  move_.clear();
  coefficients_.clear();
  excess_ = 0;
  for (std::size_t row = 0; row < net_->num_cells(); ++row) {
    const double value = value_[row];
    if (std::abs(value) <= net_->prices().options().feasibility * level_)
      continue;
    move_.emplace_back(static_cast<std::int32_t>(row), value);
    const std::size_t end = end_of(static_cast<std::int32_t>(row), value > 0 ? 1 : -1);
    if (row != cell_)
      excess_ = std::max(excess_, std::abs(value) - std::min(z[end], most[end]));
  }
  if (excess_ == 0)
    return;
  // The same basis, the true slopes.
  std::vector<double> g(columns_.size(), 0);
  std::vector<double> of_leaf(at_rest_.size(), 0);
  for (std::size_t row = 0; row < net_->num_cells(); ++row) {
    const Column& column = columns_[row];
    if (column.position >= 0 || (column.piece != 1 && column.piece != 4))
      continue;
    const int side = column.piece == 4 ? 1 : -1;
    g[row] = side * net_->prices().weight(end_of(static_cast<std::int32_t>(row), side));
    for (const LeafNet::Term& term : net_->row(row))
      of_leaf[static_cast<std::size_t>(term.index)] += g[row] * term.value;
  }
  for (std::size_t l = 0; l < of_leaf.size(); ++l) {
    for (std::size_t k = 0; of_leaf[l] != 0 && k < at_rest_.size(); ++k)
      g[at_rest_[k]] -= inverse(l)[k] * of_leaf[l];
  }
  set_cut(g);
}

RepairOutcome LeafSimplex::solve(double level,
                                 std::span<const double> z,
                                 std::span<const double> most,
                                 const RunContext& run) {
  level_ = level;
  RepairOutcome outcome = RepairOutcome::kGivenUp;
  for (int attempt = 0; attempt < 2 && outcome == RepairOutcome::kGivenUp; ++attempt) {
    if (attempt > 0 || columns_.empty() || !set_points(z, most)) {
      forget();
      if (!begin() || !set_points(z, most)) {
        forget();
        return RepairOutcome::kGivenUp;
      }
    }
    set_values();
    outcome = search(run);
  }
  if (outcome == RepairOutcome::kFound)
    finish(z, most);
  else
    forget();
  return outcome;
}

}  // namespace lacuna::inline interval
