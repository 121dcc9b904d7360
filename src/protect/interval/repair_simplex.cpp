// SPDX-License-Identifier: Apache-2.0
#include "protect/interval/repair_simplex.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/random.h"
#include "lacuna/lp.h"
#include "protect/interval/separator.h"

namespace lacuna::inline interval {
namespace {

constexpr std::int64_t kNoiseSteps = 1 << 20;

double sign_of(double x) {
  return x > 0 ? 1 : -1;
}

}  // namespace

RepairNet::RepairNet(const Model& model,
                     std::span<const double> weight,
                     const RepairOptions& options)
    : options_(options) {
  const Table& table = model.problem->table;
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

void RepairSimplex::set_slopes(Column& column) const {
  const RepairOptions& options = net_->options();
  const auto outer = [&](std::size_t end) {
    return net_->weight(end) * (1 + options.noise * net_->noise(end));
  };
  const auto inner = [&](std::size_t end) {
    if (goal_ == RepairGoal::kReach)
      return options.reach_kink * (1 + net_->noise(end));
    const double kink = sharp_ ? options.sharp_kink : options.kink;
    return net_->weight(end) * kink * (1 + net_->noise(end));
  };
  if (is_own(column)) {
    column.slope.fill(-sign_);
    column.slope.front() = -kLpInfinity;
    column.slope.back() = kLpInfinity;
    return;
  }
  const std::size_t up = end_of(column.cell, 1);
  const std::size_t down = end_of(column.cell, -1);
  column.slope = {-kLpInfinity, -outer(down), -inner(down), inner(up), outer(up), kLpInfinity};
}

double RepairSimplex::true_slope(const Column& column) const {
  if (is_own(column))
    return -sign_;
  if (column.piece == 1)
    return -net_->weight(end_of(column.cell, -1));
  return column.piece == 4 ? net_->weight(end_of(column.cell, 1)) : 0;
}

std::size_t RepairSimplex::memory() const {
  std::size_t bytes = inverse_.size() * sizeof(double) + columns_.size() * sizeof(Column);
  for (const Row& row : rows_)
    bytes += sizeof(Row) + row.entries.size() * sizeof(Entry);
  return bytes;
}

void RepairSimplex::forget() {
  columns_.clear();
  rows_.clear();
  basis_.clear();
  active_.clear();
  inverse_.clear();
  inverse_.shrink_to_fit();
  stride_ = 0;
  updates_ = 0;
}

void RepairSimplex::bind(RepairScratch& scratch) {
  scratch_ = &scratch;
  for (std::size_t i = 0; i < columns_.size(); ++i)
    scratch.column_of[static_cast<std::size_t>(columns_[i].cell)] = static_cast<std::int32_t>(i);
  for (std::size_t i = 0; i < rows_.size(); ++i)
    scratch.row_of[static_cast<std::size_t>(rows_[i].row)] = static_cast<std::int32_t>(i);
}

void RepairSimplex::unbind() {
  for (const Column& column : columns_)
    scratch_->column_of[static_cast<std::size_t>(column.cell)] = -1;
  for (const Row& row : rows_)
    scratch_->row_of[static_cast<std::size_t>(row.row)] = -1;
  scratch_ = nullptr;
}

void RepairSimplex::set_points(Column& column) const {
  const std::size_t up = end_of(column.cell, 1);
  const std::size_t down = end_of(column.cell, -1);
  const double room_up = std::min(z_[up], most_[up]);
  const double room_down = std::min(z_[down], most_[down]);
  if (is_own(column)) {
    column.point.fill(0);
    (sign_ > 0 ? column.point.back() : column.point.front()) = sign_ * level_;
    return;
  }
  if (goal_ == RepairGoal::kReach) {
    column.point = {-room_down, -room_down, 0, room_up, room_up};
    return;
  }
  column.point = {-most_[down], -room_down, 0, room_up, most_[up]};
}

std::int32_t RepairSimplex::touch_row(std::int32_t row) {
  std::int32_t& at = scratch_->row_of[static_cast<std::size_t>(row)];
  if (at < 0) {
    at = static_cast<std::int32_t>(rows_.size());
    rows_.emplace_back().row = row;
  }
  return at;
}

std::int32_t RepairSimplex::touch_column(std::int32_t cell) {
  std::int32_t& at = scratch_->column_of[static_cast<std::size_t>(cell)];
  if (at < 0) {
    at = static_cast<std::int32_t>(columns_.size());
    columns_.emplace_back().cell = cell;
    set_points(columns_.back());
    set_slopes(columns_.back());
    if (is_own(columns_.back()))
      columns_.back().rest = sign_ > 0 ? kPoints - 1 : 0;
  }
  return at;
}

void RepairSimplex::gather(std::int32_t row) {
  Row& own = rows_[static_cast<std::size_t>(row)];
  if (own.gathered)
    return;
  own.gathered = true;
  for (const RepairNet::Entry& entry : net_->row(own.row)) {
    if (entry.index != cell_ || goal_ == RepairGoal::kReach)
      own.entries.push_back({touch_column(entry.index), entry.coefficient});
  }
}

void RepairSimplex::add_fixed(const Column& column, double amount) {
  if (amount == 0)
    return;
  for (const RepairNet::Entry& entry : net_->rows_of(column.cell)) {
    const std::int32_t row = touch_row(entry.index);
    rows_[static_cast<std::size_t>(row)].fixed += entry.coefficient * amount;
    rows_[static_cast<std::size_t>(row)].shift += entry.coefficient * amount;
  }
}

void RepairSimplex::reset_fixed() {
  for (Row& row : rows_)
    row.fixed = 0;
  if (goal_ == RepairGoal::kReach)
    touch_column(cell_);
  for (const RepairNet::Entry& entry : net_->rows_of(cell_)) {
    const std::int32_t row = touch_row(entry.index);
    if (goal_ == RepairGoal::kWiden)
      rows_[static_cast<std::size_t>(row)].fixed += entry.coefficient * sign_ * level_;
  }
  for (const Column& column : columns_) {
    if (column.basic < 0)
      add_fixed(column, column.point[static_cast<std::size_t>(column.rest)]);
  }
}

bool RepairSimplex::place() {
  const bool sharper = sharp_ && !placed_sharp_;
  placed_sharp_ = sharp_;
  for (Column& column : columns_) {
    set_points(column);
    if (sharper)
      set_slopes(column);
    if (column.basic < 0 && !std::isfinite(column.point[static_cast<std::size_t>(column.rest)]))
      return false;
  }
  return !sharper || refactor();  // pulls follow the new slopes
}

// Values of the basis from scratch.
void RepairSimplex::set_values() {
  const std::size_t size = basis_.size();
  for (std::size_t q = 0; q < size; ++q) {
    double sum = 0;
    for (std::size_t a = 0; a < size; ++a)
      sum -= inverse(q, a) * rows_[static_cast<std::size_t>(active_[a])].fixed;
    columns_[static_cast<std::size_t>(basis_[q])].value = sum;
  }
  for (Row& row : rows_)
    row.shift = 0;
  set_residuals();
}

// Values of the basis after columns at rest have moved.
void RepairSimplex::follow_shifts() {
  for (std::size_t a = 0; a < active_.size(); ++a) {
    const double shift = rows_[static_cast<std::size_t>(active_[a])].shift;
    for (std::size_t q = 0; shift != 0 && q < basis_.size(); ++q)
      columns_[static_cast<std::size_t>(basis_[q])].value -= inverse(q, a) * shift;
  }
  for (Row& row : rows_)
    row.shift = 0;
}

void RepairSimplex::set_residuals() {
  for (Row& row : rows_)
    row.residual = row.fixed;
  for (const std::int32_t basic : basis_) {
    const Column& column = columns_[static_cast<std::size_t>(basic)];
    for (const RepairNet::Entry& entry : net_->rows_of(column.cell)) {
      const std::int32_t row = touch_row(entry.index);
      rows_[static_cast<std::size_t>(row)].residual += entry.coefficient * column.value;
    }
  }
}

// Rounding has left equations of the basis open.
bool RepairSimplex::has_drifted() const {
  const auto open = [&](std::int32_t row) {
    return std::abs(rows_[static_cast<std::size_t>(row)].residual) >
           net_->options().feasibility * level_;
  };
  return updates_ > 0 && std::any_of(active_.begin(), active_.end(), open);
}

// What is broken most.
RepairSimplex::Leaving RepairSimplex::pick() const {
  Leaving leaving;
  leaving.excess = net_->options().feasibility * level_;
  for (std::size_t q = 0; q < basis_.size(); ++q) {
    const Column& column = columns_[static_cast<std::size_t>(basis_[q])];
    const auto piece = static_cast<std::size_t>(column.piece);
    const double above = column.value - column.point[piece];
    const double below = column.point[piece - 1] - column.value;
    if (std::max(above, below) > leaving.excess)
      leaving = {-1, static_cast<std::int32_t>(q), std::max(above, below), above > 0 ? 1.0 : -1.0};
  }
  for (std::size_t j = 0; j < rows_.size(); ++j) {
    if (rows_[j].active < 0 && std::abs(rows_[j].residual) > leaving.excess)
      leaving = {static_cast<std::int32_t>(j),
                 -1,
                 std::abs(rows_[j].residual),
                 -sign_of(rows_[j].residual)};
  }
  return leaving;
}

// How duals and pulls change per unit of the step.
void RepairSimplex::set_rates(const Leaving& leaving) {
  const std::size_t size = basis_.size();
  if (leaving.row >= 0) {
    gather(leaving.row);
    beta_.assign(size, 0);
    for (const Entry& entry : rows_[static_cast<std::size_t>(leaving.row)].entries) {
      const std::int32_t q = columns_[static_cast<std::size_t>(entry.column)].basic;
      for (std::size_t a = 0; q >= 0 && a < size; ++a)
        beta_[a] += entry.coefficient * inverse(static_cast<std::size_t>(q), a);
    }
    rows_[static_cast<std::size_t>(leaving.row)].rate = leaving.direction;
    for (std::size_t a = 0; a < size; ++a)
      rows_[static_cast<std::size_t>(active_[a])].rate = -leaving.direction * beta_[a];
  } else {
    for (std::size_t a = 0; a < size; ++a) {
      rows_[static_cast<std::size_t>(active_[a])].rate =
          leaving.direction * inverse(static_cast<std::size_t>(leaving.basic), a);
    }
  }
  const auto spread = [&](const Row& row) {
    if (std::abs(row.rate) <= net_->options().feasibility)
      return;
    for (const Entry& entry : row.entries) {
      Column& column = columns_[static_cast<std::size_t>(entry.column)];
      if (!column.marked) {
        column.marked = true;
        column.next = column.rest;
        marked_.push_back(entry.column);
      }
      column.rate += row.rate * entry.coefficient;
    }
  };
  for (const std::int32_t row : active_)
    spread(rows_[static_cast<std::size_t>(row)]);
  if (leaving.row >= 0)
    spread(rows_[static_cast<std::size_t>(leaving.row)]);
}

void RepairSimplex::clear_rates() {
  for (const std::int32_t marked : marked_) {
    columns_[static_cast<std::size_t>(marked)].marked = false;
    columns_[static_cast<std::size_t>(marked)].rate = 0;
  }
  marked_.clear();
  for (Row& row : rows_)
    row.rate = 0;
}

bool RepairSimplex::next_break(std::int32_t index, Break& next) const {
  const Column& column = columns_[static_cast<std::size_t>(index)];
  const double limit = slope(column, column.next + (column.rate > 0 ? 1 : 0));
  if (!std::isfinite(limit))
    return false;
  next = {std::max(0.0, (limit - column.pull) / column.rate), index};
  return true;
}

// Passes breakpoints while the dual improves; the column that stops it enters.
RepairSimplex::Ratio RepairSimplex::ratio_test(const Leaving& leaving) {
  breaks_.clear();
  const std::int32_t own =
      leaving.basic >= 0 ? basis_[static_cast<std::size_t>(leaving.basic)] : -1;
  Break next;
  for (const std::int32_t marked : marked_) {
    const Column& column = columns_[static_cast<std::size_t>(marked)];
    if (column.basic < 0 && std::abs(column.rate) > net_->options().smallest_pivot &&
        next_break(marked, next))
      breaks_.push_back(next);
  }
  if (own >= 0) {
    Column& column = columns_[static_cast<std::size_t>(own)];
    if (!column.marked)
      marked_.push_back(own);
    column.marked = true;
    column.rate = leaving.direction;
    column.next = static_cast<std::int8_t>(column.piece - (leaving.direction > 0 ? 0 : 1));
    if (next_break(own, next))
      breaks_.push_back(next);
  }
  std::make_heap(breaks_.begin(), breaks_.end());
  double gain = leaving.excess;
  while (!breaks_.empty()) {
    std::pop_heap(breaks_.begin(), breaks_.end());
    const Break at = breaks_.back();
    breaks_.pop_back();
    Column& column = columns_[static_cast<std::size_t>(at.column)];
    const int toward = column.rate > 0 ? 1 : -1;
    const auto from = static_cast<std::size_t>(column.next);
    const double length =
        std::abs(column.point[static_cast<std::size_t>(column.next + toward)] - column.point[from]);
    gain -= std::abs(column.rate) * length;
    if (gain <= 0) {
      step_ = at.step;
      entering_ = at.column;
      return at.column == own ? Ratio::kSwitch : Ratio::kEnter;
    }
    column.next = static_cast<std::int8_t>(column.next + toward);
    if (next_break(at.column, next)) {
      breaks_.push_back(next);
      std::push_heap(breaks_.begin(), breaks_.end());
    }
  }
  return Ratio::kNone;
}

// Duals, pulls and resting places after the step; the entering column gets its piece.
void RepairSimplex::apply_step(const Leaving& leaving) {
  for (Row& row : rows_)
    row.dual += step_ * row.rate;
  for (const std::int32_t marked : marked_) {
    Column& column = columns_[static_cast<std::size_t>(marked)];
    if (column.basic >= 0)
      continue;
    column.pull += step_ * column.rate;
    const bool enters = marked == entering_;
    const double from = column.point[static_cast<std::size_t>(column.rest)];
    const double to = enters ? 0 : column.point[static_cast<std::size_t>(column.next)];
    column.rest = column.next;
    add_fixed(column, to - from);
  }
  Column& entering = columns_[static_cast<std::size_t>(entering_)];
  entering.piece = static_cast<std::int8_t>(entering.next + (entering.rate > 0 ? 1 : 0));
  entering.pull = slope(entering, entering.piece);
  if (leaving.basic < 0)
    return;
  const std::int32_t own = basis_[static_cast<std::size_t>(leaving.basic)];
  if (own == entering_)
    return;
  Column& gone = columns_[static_cast<std::size_t>(own)];
  gone.basic = -1;
  gone.rest = gone.next;
  gone.pull += step_ * leaving.direction;
  add_fixed(gone, gone.point[static_cast<std::size_t>(gone.rest)]);
}

void RepairSimplex::grow(std::size_t size) {
  if (size <= stride_)
    return;
  const std::size_t stride = std::max<std::size_t>(16, size + size / 2);
  std::vector<double> larger(stride * stride, 0);
  for (std::size_t q = 0; q < basis_.size(); ++q) {
    for (std::size_t a = 0; a < active_.size(); ++a)
      larger[q * stride + a] = inverse(q, a);
  }
  inverse_ = std::move(larger);
  stride_ = stride;
}

// The entering column takes the place of the leaving one.
void RepairSimplex::exchange(const Leaving& leaving) {
  const std::size_t size = basis_.size();
  const auto q = static_cast<std::size_t>(leaving.basic);
  const double pivot = alpha_[q];
  nonzero_.clear();
  for (std::size_t a = 0; a < size; ++a) {
    inverse(q, a) /= pivot;
    if (inverse(q, a) != 0)
      nonzero_.push_back(a);
  }
  const double value = columns_[static_cast<std::size_t>(basis_[q])].value / pivot;
  for (std::size_t i = 0; i < size; ++i) {
    if (i == q || alpha_[i] == 0)
      continue;
    columns_[static_cast<std::size_t>(basis_[i])].value -= alpha_[i] * value;
    for (const std::size_t a : nonzero_)
      inverse(i, a) -= alpha_[i] * inverse(q, a);
  }
  basis_[q] = entering_;
  columns_[static_cast<std::size_t>(entering_)].basic = leaving.basic;
  columns_[static_cast<std::size_t>(entering_)].value = value;
}

// The entering column and the broken equation join the basis.
void RepairSimplex::border(const Leaving& leaving) {
  const std::size_t size = basis_.size();
  double schur = 0;
  for (const RepairNet::Entry& entry :
       net_->rows_of(columns_[static_cast<std::size_t>(entering_)].cell)) {
    const std::int32_t row = scratch_->row_of[static_cast<std::size_t>(entry.index)];
    if (row == leaving.row)
      schur += entry.coefficient;
    else if (row >= 0 && rows_[static_cast<std::size_t>(row)].active >= 0)
      schur -= entry.coefficient *
               beta_[static_cast<std::size_t>(rows_[static_cast<std::size_t>(row)].active)];
  }
  grow(size + 1);
  nonzero_.clear();
  for (std::size_t a = 0; a < size; ++a) {
    if (beta_[a] != 0)
      nonzero_.push_back(a);
  }
  double open = rows_[static_cast<std::size_t>(leaving.row)].fixed;
  for (const Entry& entry : rows_[static_cast<std::size_t>(leaving.row)].entries) {
    const Column& column = columns_[static_cast<std::size_t>(entry.column)];
    open += column.basic >= 0 ? entry.coefficient * column.value : 0;
  }
  for (std::size_t i = 0; i < size; ++i) {
    const double factor = alpha_[i] / schur;
    if (factor != 0) {
      columns_[static_cast<std::size_t>(basis_[i])].value += factor * open;
      for (const std::size_t a : nonzero_)
        inverse(i, a) += factor * beta_[a];
    }
    inverse(i, size) = -factor;
  }
  for (std::size_t a = 0; a < size; ++a)
    inverse(size, a) = -beta_[a] / schur;
  inverse(size, size) = 1 / schur;
  columns_[static_cast<std::size_t>(entering_)].basic = static_cast<std::int32_t>(size);
  rows_[static_cast<std::size_t>(leaving.row)].active = static_cast<std::int32_t>(size);
  columns_[static_cast<std::size_t>(entering_)].value = -open / schur;
  basis_.push_back(entering_);
  active_.push_back(leaving.row);
}

// Inverse, duals and pulls from scratch. Columns at rest follow their pull to the breakpoint where
// it belongs, so the basis is dual feasible again whatever rounding has done.
bool RepairSimplex::refactor() {
  const std::size_t size = basis_.size();
  updates_ = 0;
  std::vector<double> work(size * 2 * size, 0);  // [B | I], by rows of the table
  const auto at = [&](std::size_t i, std::size_t j) -> double& { return work[i * 2 * size + j]; };
  for (std::size_t q = 0; q < size; ++q) {
    const Column& column = columns_[static_cast<std::size_t>(basis_[q])];
    for (const RepairNet::Entry& entry : net_->rows_of(column.cell)) {
      const std::int32_t row = scratch_->row_of[static_cast<std::size_t>(entry.index)];
      const std::int32_t a = row >= 0 ? rows_[static_cast<std::size_t>(row)].active : -1;
      if (a >= 0)
        at(static_cast<std::size_t>(a), q) = entry.coefficient;
    }
    at(q, size + q) = 1;
  }
  for (std::size_t q = 0; q < size; ++q) {
    std::size_t best = q;
    for (std::size_t i = q + 1; i < size; ++i)
      best = std::abs(at(i, q)) > std::abs(at(best, q)) ? i : best;
    if (std::abs(at(best, q)) <= net_->options().smallest_pivot)
      return false;
    for (std::size_t j = 0; best != q && j < 2 * size; ++j)
      std::swap(at(best, j), at(q, j));
    const double pivot = at(q, q);
    for (std::size_t j = q; j < 2 * size; ++j)
      at(q, j) /= pivot;
    for (std::size_t i = 0; i < size; ++i) {
      const double factor = at(i, q);
      for (std::size_t j = q; i != q && factor != 0 && j < 2 * size; ++j)
        at(i, j) -= factor * at(q, j);
    }
  }
  grow(size);
  for (std::size_t q = 0; q < size; ++q) {
    for (std::size_t a = 0; a < size; ++a)
      inverse(q, a) = at(q, size + a);
  }
  for (Row& row : rows_)
    row.dual = 0;
  for (std::size_t q = 0; q < size; ++q) {
    const Column& column = columns_[static_cast<std::size_t>(basis_[q])];
    const double price = slope(column, column.piece);
    for (std::size_t a = 0; a < size; ++a)
      rows_[static_cast<std::size_t>(active_[a])].dual += price * inverse(q, a);
  }
  for (Column& column : columns_)
    column.pull = 0;
  for (const std::int32_t active : active_) {
    const Row& row = rows_[static_cast<std::size_t>(active)];
    for (const Entry& entry : row.entries)
      columns_[static_cast<std::size_t>(entry.column)].pull += entry.coefficient * row.dual;
  }
  for (Column& column : columns_) {
    if (column.basic >= 0)
      continue;
    const double band = net_->options().smallest_pivot * slope(column, kZero + 1);
    while (column.pull > slope(column, column.rest + 1) + band &&
           std::isfinite(column.point[static_cast<std::size_t>(column.rest) + 1]))
      ++column.rest;
    while (column.pull < slope(column, column.rest) - band &&
           std::isfinite(column.point[static_cast<std::size_t>(column.rest) - 1]))
      --column.rest;
  }
  return true;
}

RepairOutcome RepairSimplex::search() {
  const RepairOptions& options = net_->options();
  bool doubtful = false;
  for (std::int32_t steps = 0; steps < options.max_steps; ++steps) {
    const Leaving leaving = pick();
    if (basis_.size() > largest_basis_)
      return RepairOutcome::kTooLarge;
    const bool done = leaving.row < 0 && leaving.basic < 0;
    if (done && !has_drifted())
      return RepairOutcome::kFound;
    if (done || doubtful ||
        updates_ >= options.refactor_every + 2 * static_cast<std::int32_t>(basis_.size())) {
      if (!refactor())
        return RepairOutcome::kGivenUp;
      reset_fixed();
      set_values();
      doubtful = false;
      continue;
    }
    set_rates(leaving);
    const Ratio ratio = ratio_test(leaving);
    if (ratio == Ratio::kNone && updates_ > 0) {  // rounding may have broken the equation
      doubtful = true;
      clear_rates();
      continue;
    }
    if (ratio == Ratio::kNone) {
      std::vector<std::pair<std::int32_t, double>> ray;
      for (std::size_t j = 0; j < rows_.size(); ++j) {
        if (rows_[j].rate != 0)
          ray.emplace_back(static_cast<std::int32_t>(j), rows_[j].rate);
      }
      set_multipliers(ray);
      clear_rates();
      return RepairOutcome::kImpossible;
    }
    if (ratio == Ratio::kEnter) {
      alpha_.assign(basis_.size(), 0);
      for (const RepairNet::Entry& entry :
           net_->rows_of(columns_[static_cast<std::size_t>(entering_)].cell)) {
        const std::int32_t row = scratch_->row_of[static_cast<std::size_t>(entry.index)];
        const std::int32_t a = row >= 0 ? rows_[static_cast<std::size_t>(row)].active : -1;
        for (std::size_t q = 0; a >= 0 && q < alpha_.size(); ++q)
          alpha_[q] += inverse(q, static_cast<std::size_t>(a)) * entry.coefficient;
      }
    }
    apply_step(leaving);
    follow_shifts();
    if (ratio == Ratio::kEnter) {
      ++updates_;
      if (leaving.row >= 0)
        border(leaving);
      else
        exchange(leaving);
    }
    clear_rates();
    set_residuals();
  }
  return RepairOutcome::kGivenUp;
}

double RepairSimplex::widest() const {
  double most = goal_ == RepairGoal::kReach ? level_ : 0;
  for (const auto& [cell, amount] : move_) {
    if (goal_ == RepairGoal::kReach) {
      most -= cell == cell_ ? std::abs(amount) : 0;
      continue;
    }
    if (cell != cell_) {
      const std::size_t end = end_of(cell, amount > 0 ? 1 : -1);
      most = std::max(most, std::abs(amount) - std::min(z_[end], most_[end]));
    }
  }
  return most;
}

void RepairSimplex::set_multipliers(std::span<const std::pair<std::int32_t, double>> duals) {
  multipliers_.clear();
  double own = 0;
  for (const auto& [row, dual] : duals) {
    for (const RepairNet::Entry& entry : net_->rows_of(cell_))
      own += entry.index == rows_[static_cast<std::size_t>(row)].row ? entry.coefficient * dual : 0;
  }
  if (!(sign_ * own < 0))
    return;
  for (const auto& [row, dual] : duals) {
    const double factor = snapped(dual * sign_ / own);
    if (factor != 0)
      multipliers_.emplace_back(net_->equation(rows_[static_cast<std::size_t>(row)].row), factor);
  }
}

// The multipliers without noise and kinks: the same basis, the true slopes.
void RepairSimplex::make_multipliers() {
  std::vector<std::pair<std::int32_t, double>> duals;
  for (const std::int32_t row : active_)
    duals.emplace_back(row, 0);
  for (std::size_t q = 0; q < basis_.size(); ++q) {
    const double price = true_slope(columns_[static_cast<std::size_t>(basis_[q])]);
    for (std::size_t a = 0; price != 0 && a < duals.size(); ++a)
      duals[a].second += price * inverse(q, a);
  }
  set_multipliers(duals);
}

void RepairSimplex::finish() {
  move_.clear();
  multipliers_.clear();
  if (goal_ == RepairGoal::kWiden)
    move_.emplace_back(cell_, sign_ * level_);
  for (const Column& column : columns_) {
    const double value =
        column.basic >= 0 ? column.value : column.point[static_cast<std::size_t>(column.rest)];
    if (std::abs(value) > net_->options().feasibility * level_)
      move_.emplace_back(column.cell, value);
  }
  std::sort(move_.begin(), move_.end());
  excess_ = widest();
  if (excess_ > 0)
    make_multipliers();
}

RepairOutcome RepairSimplex::solve(double level,
                                   std::span<const double> z,
                                   std::span<const double> most,
                                   RepairScratch& scratch) {
  level_ = level;
  z_ = z;
  most_ = most;
  bind(scratch);
  RepairOutcome outcome = RepairOutcome::kGivenUp;
  for (int attempt = 0; attempt < 2; ++attempt) {
    if (attempt > 0 || !place()) {  // from scratch
      unbind();
      forget();
      bind(scratch);
    }
    reset_fixed();
    set_values();
    outcome = search();
    if (outcome != RepairOutcome::kGivenUp)
      break;
  }
  if (outcome == RepairOutcome::kFound)
    finish();
  unbind();
  if (outcome != RepairOutcome::kFound)
    forget();
  return outcome;
}

}  // namespace lacuna::inline interval
