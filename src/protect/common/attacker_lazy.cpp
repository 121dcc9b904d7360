// SPDX-License-Identifier: Apache-2.0
#include "protect/common/attacker_lazy.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/index.h"
#include "base/random.h"
#include "heuristic/dense.h"
#include "lacuna/tolerance.h"
#include "protect/common/attacker_lp.h"

namespace lacuna::inline common {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();
constexpr double kPrice = 1.0 / 16384;  // of movement, against 1 for falling short
constexpr std::int32_t kMaxSteps = 1500;
constexpr std::size_t kLargestBasis = 250;
constexpr std::int32_t kLargestBackup = 1500;  // cells
constexpr std::int64_t kFewTries = 8;
constexpr std::int64_t kFailureShare = 4;   // more than one in so many: not worth trying
constexpr std::int32_t kRefreshEvery = 64;  // steps
constexpr std::size_t kBrokenLooks = 8;

// numbers -= factor * others; returns the squared length of what is left.
double subtract(double* numbers, const double* others, double factor, std::size_t size) {
  subtract_multiple(numbers, others, factor, size);
  return squared_length(numbers, size);
}

}  // namespace

AttackerLazy::AttackerLazy(const SuppressModel& model, std::string engine)
    : model_(model),
      engine_(std::move(engine)),
      columns_(at(model.num_cells())),
      rows_(at(model.num_equations())),
      dual_(at(model.num_cells())),
      moves_(at(model.num_cells())) {
  std::vector<std::size_t> count(at(model.num_cells()) + 1, 0);
  row_start_.push_back(0);
  for (std::int32_t r = 0; r < model.num_equations(); ++r) {
    for (const LocalTerm& term : model.equation(r)) {
      entries_.push_back({term.cell, static_cast<double>(term.coefficient)});
      ++count[at(term.cell) + 1];
    }
    row_start_.push_back(entries_.size());
  }
  for (std::size_t i = 1; i < count.size(); ++i)
    count[i] += count[i - 1];
  column_start_ = count;
  incidents_.resize(entries_.size());
  for (std::int32_t r = 0; r < model.num_equations(); ++r) {
    for (const Entry& entry : entries_of(r))
      incidents_[count[at(entry.column)]++] = {r, entry.coefficient};
  }
  for (std::int32_t i = 0; i < model.num_cells(); ++i)
    price_.push_back(kPrice * (1 + fixed_noise(i)));
}

std::span<const AttackerLazy::Incident> AttackerLazy::rows_of(std::int32_t column) const {
  return {incidents_.data() + column_start_[at(column)],
          incidents_.data() + column_start_[at(column) + 1]};
}

std::span<const AttackerLazy::Entry> AttackerLazy::entries_of(std::int32_t row) const {
  return {entries_.data() + row_start_[at(row)], entries_.data() + row_start_[at(row) + 1]};
}

void AttackerLazy::reset() {
  for (const std::int32_t column : seen_columns_) {
    const double up = columns_[at(column)].up;
    const double down = columns_[at(column)].down;
    columns_[at(column)] = Column{};
    columns_[at(column)].up = up;
    columns_[at(column)].down = down;
  }
  for (const std::int32_t row : seen_rows_)
    rows_[at(row)] = Row{};
  seen_columns_.clear();
  seen_rows_.clear();
  marked_.clear();
  basis_.clear();
  active_.clear();
  values_.clear();
  lengths_.clear();
}

AttackerLazy::Row& AttackerLazy::touch(std::int32_t row) {
  Row& place = rows_[at(row)];
  if (!place.seen) {
    place.seen = true;
    seen_rows_.push_back(row);
  }
  return place;
}

void AttackerLazy::set_capacities(std::span<const double> up, std::span<const double> down) {
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    columns_[i].up = up[i];
    columns_[i].down = down[i];
  }
  Column& own = columns_[at(last_.cell)];
  own.up = last_.sign > 0 ? 0 : kInfinite;
  own.down = last_.sign > 0 ? kInfinite : 0;
}

void AttackerLazy::see(std::int32_t column) {
  if (columns_[at(column)].seen)
    return;
  columns_[at(column)].seen = true;
  seen_columns_.push_back(column);
}

void AttackerLazy::begin(const Target& target,
                         std::span<const double> up,
                         std::span<const double> down) {
  reset();
  last_ = target;
  set_capacities(up, down);
  for (const Incident& incident : rows_of(target.cell))
    touch(incident.row).fixed += incident.coefficient * target.sign * target.own;
  refresh();
}

double AttackerLazy::cost(std::int32_t column) const {
  return column == last_.cell ? 1 : price_[at(column)];
}

double AttackerLazy::resting_value(const Column& column) const {
  if (column.rest == Rest::kZero)
    return 0;
  return column.rest == Rest::kUp ? column.up : -column.down;
}

void AttackerLazy::shift(std::int32_t column, Rest rest) {
  Column& place = columns_[at(column)];
  const double before = resting_value(place);
  place.rest = rest;
  const double change = resting_value(place) - before;
  if (change == 0)
    return;
  for (const Incident& incident : rows_of(column)) {
    Row& row = touch(incident.row);
    const double amount = incident.coefficient * change;
    row.fixed += amount;
    if (row.active < 0) {
      row.residual += amount;
    } else {
      if (row.pending == 0)
        pending_.push_back(row.active);
      row.pending += amount;
    }
  }
}

// The basic columns make up for what was shifted in active equations.
void AttackerLazy::settle_shifts() {
  if (pending_.empty())
    return;
  const std::size_t size = basis_.size();
  work_.assign(size, 0);
  for (const std::int32_t active : pending_) {
    double& amount = rows_[at(active_[at(active)])].pending;
    for (std::size_t b = 0; b < size; ++b)
      work_[b] -= amount * inverse_[b * stride_ + at(active)];
    amount = 0;
  }
  pending_.clear();
  for (std::size_t b = 0; b < size; ++b)
    change_basic(b, work_[b]);
}

void AttackerLazy::change_basic(std::size_t position, double change) {
  if (change == 0)
    return;
  values_[position] += change;
  for (const Incident& incident : rows_of(basis_[position]))
    touch(incident.row).residual += incident.coefficient * change;
}

// From the start, which ends rounding errors: values of the basic columns and what is left over in
// every equation.
void AttackerLazy::refresh() {
  const std::size_t size = basis_.size();
  pending_.clear();
  for (const std::int32_t row : seen_rows_) {
    rows_[at(row)].residual = rows_[at(row)].fixed;
    rows_[at(row)].pending = 0;
  }
  work_.resize(size);
  for (std::size_t a = 0; a < size; ++a)
    work_[a] = rows_[at(active_[a])].fixed;
  for (std::size_t b = 0; b < size; ++b) {
    const double* row = inverse_row(b);
    double sums[4] = {0, 0, 0, 0};
    std::size_t a = 0;
    for (; a + 4 <= size; a += 4) {
      for (std::size_t k = 0; k < 4; ++k)
        sums[k] += row[a + k] * work_[a + k];
    }
    for (; a < size; ++a)
      sums[0] += row[a] * work_[a];
    values_[b] = -((sums[0] + sums[1]) + (sums[2] + sums[3]));
  }
  for (std::size_t b = 0; b < size; ++b) {
    if (values_[b] == 0)
      continue;
    for (const Incident& incident : rows_of(basis_[b]))
      rows_[at(incident.row)].residual += incident.coefficient * values_[b];
  }
}

// The steepest edge of the dual (Forrest and Goldfarb 1992), computed outright: the basis is small.
AttackerLazy::Leaving AttackerLazy::pick_leaving() {
  Leaving best;
  double merit = 0;
  const std::size_t size = basis_.size();
  for (std::size_t b = 0; b < size; ++b) {
    const Column& column = columns_[at(basis_[b])];
    const double least = column.side > 0 ? 0 : -column.down;
    const double most = column.side > 0 ? column.up : 0;
    const double excess = std::max(least - values_[b], values_[b] - most);
    if (excess <= tol::kNegligible)
      continue;
    const double length = lengths_[b];
    if (excess * excess > merit * length) {
      merit = excess * excess / length;
      best = {-1, static_cast<std::int32_t>(b), excess, values_[b] < least ? 1 : -1};
    }
  }
  broken_.clear();  // worst first; further down they are rarely chosen
  for (const std::int32_t row : seen_rows_) {
    const double excess = std::abs(rows_[at(row)].residual);
    if (rows_[at(row)].active < 0 && excess > tol::kNegligible && excess * excess > merit)
      broken_.emplace_back(-excess, row);
  }
  const std::size_t looks = std::min(kBrokenLooks, broken_.size());
  std::partial_sort(
      broken_.begin(), broken_.begin() + static_cast<std::ptrdiff_t>(looks), broken_.end());
  for (std::size_t i = 0; i < looks; ++i) {
    const auto [negative, row] = broken_[i];
    const double excess = -negative;
    if (excess * excess <= merit)
      break;
    const double length = broken_row_length(row);
    if (excess * excess > merit * length) {
      merit = excess * excess / length;
      best = {row, -1, excess, rows_[at(row)].residual > 0 ? -1 : 1};
    }
  }
  return best;
}

double AttackerLazy::broken_row_length(std::int32_t row) {
  const std::size_t size = basis_.size();
  work_.assign(size, 0);
  for (const Entry& entry : entries_of(row)) {
    const std::int32_t basic = columns_[at(entry.column)].basic;
    if (basic < 0)
      continue;
    const double* from = inverse_row(at(basic));
    for (std::size_t a = 0; a < size; ++a)
      work_[a] += entry.coefficient * from[a];
  }
  return 1 + squared_length(work_.data(), size);
}

// How the broken quantity depends on the equations: rho over the active ones.
void AttackerLazy::direction_of(const Leaving& leaving) {
  const std::size_t size = basis_.size();
  rho_.assign(size, 0);
  rho_row_ = leaving.row;
  if (leaving.row < 0) {
    const double* from = inverse_row(at(leaving.basic));
    for (std::size_t a = 0; a < size; ++a)
      rho_[a] = -from[a];
    return;
  }
  for (const Entry& entry : entries_of(leaving.row)) {
    const std::int32_t basic = columns_[at(entry.column)].basic;
    if (basic < 0)
      continue;
    const double* from = inverse_row(at(basic));
    for (std::size_t a = 0; a < size; ++a)
      rho_[a] -= entry.coefficient * from[a];
  }
}

// Of the broken quantity, with respect to every column at rest that has room.
void AttackerLazy::gradients() {
  for (const std::int32_t column : marked_) {
    columns_[at(column)].marked = false;
    columns_[at(column)].gradient = 0;
  }
  marked_.clear();
  const auto add_row = [&](std::int32_t row, double factor) {
    for (const Entry& entry : entries_of(row)) {
      Column& column = columns_[at(entry.column)];
      if (column.basic >= 0 || (column.up <= 0 && column.down <= 0))
        continue;
      if (!column.marked) {
        column.marked = true;
        marked_.push_back(entry.column);
        see(entry.column);
      }
      column.gradient += factor * entry.coefficient;
    }
  };
  for (std::size_t a = 0; a < rho_.size(); ++a) {
    if (std::abs(rho_[a]) > tol::kNegligible)
      add_row(active_[a], rho_[a]);
  }
  if (rho_row_ >= 0)
    add_row(rho_row_, 1);
}

// The step at which a column at rest becomes as cheap as it is worth, its pull growing by `rate`.
double AttackerLazy::break_at(std::int32_t index, double rate) const {
  const Column& column = columns_[at(index)];
  const double price = cost(index);
  if (rate > 0) {
    if (column.rest == Rest::kUp || (column.rest == Rest::kZero && column.up <= 0))
      return kInfinite;
    const double end = column.rest == Rest::kZero ? price : -price;
    return std::max(0.0, end - column.pull) / rate;
  }
  if (column.rest == Rest::kDown || (column.rest == Rest::kZero && column.down <= 0))
    return kInfinite;
  const double end = column.rest == Rest::kZero ? -price : price;
  return std::max(0.0, column.pull - end) / -rate;
}

void AttackerLazy::list_breaks(const Leaving& leaving) {
  breaks_.clear();
  for (const std::int32_t index : marked_) {
    const double rate = leaving.sigma * columns_[at(index)].gradient;
    if (std::abs(rate) <= tol::kDecision)
      continue;
    const double theta = break_at(index, rate);
    if (theta < kInfinite)
      breaks_.push_back({theta, index, rate});
  }
  leaving_rest_ = Rest::kZero;
  if (leaving.basic >= 0) {
    // A column that falls through zero may go on at the other side's cost.
    const std::int32_t index = basis_[at(leaving.basic)];
    const Column& column = columns_[at(index)];
    if (column.side == leaving.sigma) {
      if ((column.side > 0 ? column.down : column.up) > 0)
        breaks_.push_back({2 * cost(index), index, -1.0 * leaving.sigma});
    } else {
      leaving_rest_ = column.side > 0 ? Rest::kUp : Rest::kDown;
    }
  }
  std::make_heap(breaks_.begin(), breaks_.end());
}

AttackerLazy::Ratio AttackerLazy::ratio_test(const Leaving& leaving) {
  list_breaks(leaving);
  double slope = leaving.excess;
  while (!breaks_.empty()) {
    std::pop_heap(breaks_.begin(), breaks_.end());
    Break next = breaks_.back();
    breaks_.pop_back();
    Column& column = columns_[at(next.column)];
    const bool self = column.basic >= 0;
    // How far the column goes from here to its next resting point.
    const int toward = next.rate > 0 ? 1 : -1;
    const bool outward = self || column.rest == Rest::kZero;
    const double length = (toward > 0) == outward ? column.up : column.down;
    const double gain = length * std::abs(next.rate);
    if (gain + tol::kNegligible >= slope) {
      theta_ = next.theta;
      entering_ = next.column;
      return self ? Ratio::kSwitch : Ratio::kPivot;
    }
    slope -= gain;
    if (self) {
      leaving_rest_ = column.side > 0 ? Rest::kDown : Rest::kUp;
      continue;
    }
    shift(next.column, static_cast<Rest>(static_cast<int>(column.rest) + toward));
    next.theta = break_at(next.column, next.rate);
    if (next.theta < kInfinite) {
      breaks_.push_back(next);
      std::push_heap(breaks_.begin(), breaks_.end());
    }
  }
  return Ratio::kNone;
}

void AttackerLazy::move_duals(const Leaving& leaving) {
  const double step = theta_ * leaving.sigma;
  for (const std::int32_t index : marked_)
    columns_[at(index)].pull += step * columns_[at(index)].gradient;
  if (leaving.basic >= 0)
    columns_[at(basis_[at(leaving.basic)])].pull -= step;
}

void AttackerLazy::grow(std::size_t size) {
  if (size <= stride_)
    return;
  const std::size_t wider = std::max<std::size_t>(32, 2 * size);
  std::vector<double> larger(wider * wider, 0.0);
  for (std::size_t b = 0; b < basis_.size(); ++b)
    std::copy_n(inverse_row(b), basis_.size(), &larger[b * wider]);
  inverse_ = std::move(larger);
  stride_ = wider;
}

// The broken equation joins the basis with the entering column: inverse of the bordered matrix.
void AttackerLazy::border(std::int32_t row) {
  const std::size_t size = basis_.size();
  grow(size + 1);
  const double pivot = columns_[at(entering_)].gradient;
  for (std::size_t b = 0; b < size; ++b) {
    const double factor = work_[b] / pivot;
    double* mine = inverse_row(b);
    mine[size] = -factor;
    if (factor != 0)
      lengths_[b] = subtract(mine, rho_.data(), factor, size) + factor * factor;
  }
  double* last = inverse_row(size);
  for (std::size_t a = 0; a < size; ++a)
    last[a] = rho_[a] / pivot;
  last[size] = 1 / pivot;
  lengths_.push_back(squared_length(last, size + 1));
  rows_[at(row)].active = static_cast<std::int32_t>(size);
  active_.push_back(row);
  columns_[at(entering_)].basic = static_cast<std::int32_t>(size);
  basis_.push_back(entering_);
  values_.push_back(0);
}

void AttackerLazy::exchange(std::size_t position) {
  const std::size_t size = basis_.size();
  double* pivoted = inverse_row(position);
  for (std::size_t a = 0; a < size; ++a)
    pivoted[a] /= work_[position];
  lengths_[position] = squared_length(pivoted, size);
  for (std::size_t b = 0; b < size; ++b) {
    const double factor = work_[b];
    if (b == position || factor == 0)
      continue;
    lengths_[b] = subtract(inverse_row(b), pivoted, factor, size);
  }
  const std::int32_t gone = basis_[position];
  Column& column = columns_[at(gone)];
  column.basic = -1;
  column.rest = leaving_rest_;
  for (const Incident& incident : rows_of(gone))
    rows_[at(incident.row)].fixed += incident.coefficient * resting_value(column);
  basis_[position] = entering_;
  columns_[at(entering_)].basic = static_cast<std::int32_t>(position);
}

// The entering column moves until the broken quantity is mended; the basic ones follow.
double AttackerLazy::move_entering(const Leaving& leaving) {
  const std::size_t size = basis_.size();
  work_.assign(size, 0);  // the inverse times the entering column
  for (const Incident& incident : rows_of(entering_)) {
    const std::int32_t active = touch(incident.row).active;
    if (active < 0)
      continue;
    for (std::size_t b = 0; b < size; ++b)
      work_[b] += incident.coefficient * inverse_[b * stride_ + at(active)];
  }
  double step = 0;
  if (leaving.row >= 0) {
    step = -rows_[at(leaving.row)].residual / columns_[at(entering_)].gradient;
  } else {
    const auto position = at(leaving.basic);
    const Column& gone = columns_[at(basis_[position])];
    double goal = 0;
    if (leaving_rest_ != Rest::kZero)
      goal = leaving_rest_ == Rest::kUp ? gone.up : -gone.down;
    step = (values_[position] - goal) / work_[position];
  }
  for (std::size_t b = 0; b < size; ++b)
    change_basic(b, -step * work_[b]);
  for (const Incident& incident : rows_of(entering_))
    rows_[at(incident.row)].residual += incident.coefficient * step;
  return step;
}

void AttackerLazy::pivot(const Leaving& leaving) {
  Column& column = columns_[at(entering_)];
  const double rate = leaving.sigma * column.gradient;
  if (column.rest == Rest::kZero)
    column.side = rate > 0 ? 1 : -1;
  else
    column.side = column.rest == Rest::kUp ? 1 : -1;
  const double rest = resting_value(column);
  const double value = rest + move_entering(leaving);
  if (rest != 0) {
    for (const Incident& incident : rows_of(entering_))
      rows_[at(incident.row)].fixed -= incident.coefficient * rest;
    column.rest = Rest::kZero;
  }
  if (leaving.row >= 0)
    border(leaving.row);
  else
    exchange(at(leaving.basic));
  values_[at(column.basic)] = value;
}

bool AttackerLazy::search() {
  bool fresh = true;
  for (std::int32_t step = 1; step < kMaxSteps; ++step) {
    if (step % kRefreshEvery == 0) {
      refresh();
      fresh = true;
    }
    Leaving leaving = pick_leaving();
    if (leaving.sigma == 0 && !fresh) {
      refresh();
      leaving = pick_leaving();
    }
    if (leaving.sigma == 0)
      return true;
    fresh = false;
    if (basis_.size() >= kLargestBasis)
      return false;
    direction_of(leaving);
    gradients();
    const Ratio ratio = ratio_test(leaving);
    if (ratio == Ratio::kNone)
      return false;
    move_duals(leaving);
    settle_shifts();
    if (ratio == Ratio::kPivot)
      pivot(leaving);
    else
      columns_[at(entering_)].side = static_cast<std::int8_t>(-columns_[at(entering_)].side);
  }
  return false;
}

AttackerSolver::Answer AttackerLazy::answer() {
  Answer answer;
  answer.solved = true;
  std::fill(moves_.begin(), moves_.end(), 0.0);
  std::fill(dual_.begin(), dual_.end(), 0.0);
  for (const std::int32_t index : seen_columns_) {
    const Column& column = columns_[at(index)];
    moves_[at(index)] = column.basic < 0 ? resting_value(column) : values_[at(column.basic)];
  }
  const Column& own = columns_[at(last_.cell)];
  const double missing = -last_.sign * moves_[at(last_.cell)];
  answer.value = last_.own - missing;
  moves_[at(last_.cell)] = last_.sign * answer.value;
  if (own.basic < 0 || missing <= tol::kNegligible) {
    dual_[at(last_.cell)] = last_.sign;  // the cell's own bound is what stops it
  } else {
    // y'A_p = -s, the price of falling short; d = s e_p + A'y.
    const double* multipliers = inverse_row(at(own.basic));
    for (std::size_t a = 0; a < active_.size(); ++a) {
      const double y = -last_.sign * multipliers[a];
      if (std::abs(y) <= tol::kDual)
        continue;
      for (const Entry& entry : entries_of(active_[a]))
        dual_[at(entry.column)] += y * entry.coefficient;
    }
    dual_[at(last_.cell)] += last_.sign;
  }
  answer.dual = dual_;
  answer.moves = moves_;
  return answer;
}

// The basis stays dual feasible when capacities change: columns at rest go where their pull says.
void AttackerLazy::begin_again(std::span<const double> up, std::span<const double> down) {
  set_capacities(up, down);
  for (const std::int32_t row : seen_rows_)
    rows_[at(row)].fixed = 0;
  for (const Incident& incident : rows_of(last_.cell))
    rows_[at(incident.row)].fixed += incident.coefficient * last_.sign * last_.own;
  const std::size_t size = basis_.size();
  work_.assign(size, 0);  // multipliers of the active equations
  for (std::size_t b = 0; b < size; ++b) {
    const double slope = columns_[at(basis_[b])].side * cost(basis_[b]);
    const double* from = inverse_row(b);
    for (std::size_t a = 0; a < size; ++a)
      work_[a] += slope * from[a];
  }
  for (const std::int32_t column : seen_columns_) {
    columns_[at(column)].pull = 0;
    columns_[at(column)].rest = Rest::kZero;
  }
  for (std::size_t a = 0; a < size; ++a) {
    for (const Entry& entry : entries_of(active_[a])) {
      see(entry.column);
      columns_[at(entry.column)].pull += work_[a] * entry.coefficient;
    }
  }
  for (const std::int32_t index : seen_columns_) {
    const Column& column = columns_[at(index)];
    if (column.basic >= 0)
      continue;
    if (column.pull > cost(index) && column.up > 0)
      shift(index, Rest::kUp);
    else if (column.pull < -cost(index) && column.down > 0)
      shift(index, Rest::kDown);
  }
  refresh();
}

// Where the lazy search is no use, an engine answers if that does not take too long: a question
// without an answer costs a cut at most.
AttackerSolver::Answer AttackerLazy::ask_engine(std::span<const double> up,
                                                std::span<const double> down,
                                                const RunContext& run) {
  if (model_.num_cells() > kLargestBackup)
    return {};
  if (!backup_)
    backup_ = std::make_unique<AttackerLp>(model_, engine_);
  return backup_->push(last_, up, down, run);
}

bool AttackerLazy::is_worth_trying() const {
  return tries_ < kFewTries || failures_ * kFailureShare < tries_;
}

AttackerSolver::Answer AttackerLazy::search_and_answer(std::span<const double> up,
                                                       std::span<const double> down,
                                                       const RunContext& run) {
  ++tries_;
  complete_ = search();
  failures_ += complete_ ? 0 : 1;
  return complete_ ? answer() : ask_engine(up, down, run);
}

AttackerSolver::Answer AttackerLazy::push(const Target& target,
                                          std::span<const double> up,
                                          std::span<const double> down,
                                          const RunContext& run) {
  ++solves_;
  begin(target, up, down);
  complete_ = false;
  return is_worth_trying() ? search_and_answer(up, down, run) : ask_engine(up, down, run);
}

AttackerSolver::Answer AttackerLazy::push_again(std::span<const double> up,
                                                std::span<const double> down,
                                                const RunContext& run) {
  if (!complete_)
    return push(last_, up, down, run);
  ++solves_;
  begin_again(up, down);
  return search_and_answer(up, down, run);
}

}  // namespace lacuna::inline common
