// SPDX-License-Identifier: Apache-2.0
#include "heuristic/route.h"

#include <algorithm>
#include <cmath>

#include "base/exact_linear.h"
#include "base/random.h"
#include "base/rational.h"
#include "simplex/dense.h"

namespace lacuna::inline heuristic {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();
constexpr double kTieShare = 1.0 / 1024;  // how much ties are broken by
constexpr std::size_t kTakenFactor = 3;   // withheld cells considered per open one
constexpr std::size_t kBrokenLooks = 10;
constexpr double kFreeSteps = 32;  // that a budget does not count
constexpr Wide kLargestMove = Wide{1} << 60U;

}  // namespace

Router::Router(const Board& board,
               const Overlay& overlay,
               const RouteOptions& options,
               const RunContext* run)
    : board_(board),
      overlay_(overlay),
      options_(options),
      run_(run),
      column_of_(static_cast<std::size_t>(board.table().num_cells()), -1),
      row_of_(static_cast<std::size_t>(board.table().num_equations()), -1) {}

void Router::reset() {
  for (const Column& column : columns_)
    column_of_[static_cast<std::size_t>(column.cell.value)] = -1;
  for (std::size_t r = 0; r < num_rows_; ++r) {
    row_of_[static_cast<std::size_t>(rows_[r].equation.value)] = -1;
    rows_[r].entries.clear();
  }
  columns_.clear();
  basic_of_.clear();
  gradient_.clear();
  is_marked_.clear();
  fixed_.clear();
  residual_.clear();
  row_active_.clear();
  marked_.clear();
  num_rows_ = 0;
  basis_.clear();
  active_.clear();
  values_.clear();
  duals_.clear();
  resting_cost_ = 0;
  steps_.clear();
}

std::int32_t Router::touch(EquationId equation) {
  std::int32_t& place = row_of_[static_cast<std::size_t>(equation.value)];
  if (place >= 0)
    return place;
  place = static_cast<std::int32_t>(num_rows_);
  if (num_rows_ == rows_.size())
    rows_.emplace_back();
  Row& row = rows_[num_rows_++];
  row.equation = equation;
  fixed_.push_back(0);
  residual_.push_back(0);
  row_active_.push_back(-1);
  row.gathered = row.trimmed = false;
  return place;
}

bool Router::usable(CellId cell) const {
  return cell != query_.cell && overlay_.place(board_, cell) != Place::kNever;
}

Room Router::room_of(CellId cell) const {
  Room room = board_.room(cell, query_.attacker);
  if (query_.mirrored)
    room.up = room.down = std::min(room.up, room.down);
  const Units most =
      query_.level > kMaxUnits / options_.cap ? kMaxUnits : query_.level * options_.cap;
  return {std::min(room.down, most), std::min(room.up, most)};
}

// What it costs to use the cell at all.
double Router::charge(CellId cell) const {
  if (overlay_.place(board_, cell) == Place::kTaken)
    return step_ * (1 + fixed_noise(cell.value, options_.salt));
  for (const auto& [other, cost] : repriced_) {
    if (other == cell)
      return cost;
  }
  const double least = 4 * board_.least_cost();
  return std::max(board_.cost(cell), least) *
         (1 + std::max(kTieShare, options_.noise) * fixed_noise(cell.value, options_.salt));
}

// Withheld cells are free, but a price keeps the search near: without, it would look at all that is
// withheld before it pays for the first open cell. The price is a share of what cheap open cells
// beside the target cost.
void Router::set_step() {
  double cheapest = kInfinite;
  for (const Incidence& incidence : board_.table().equations_of(query_.cell)) {
    for (const Term& term : board_.table().equation(incidence.equation)) {
      if (term.cell == query_.cell || overlay_.place(board_, term.cell) != Place::kOpen)
        continue;
      const Room room = room_of(term.cell);
      const double most = static_cast<double>(std::max(room.up, room.down)) / level_;
      if (most > 0)
        cheapest = std::min(cheapest, charge(term.cell) / std::min(1.0, most));
    }
  }
  step_ = board_.least_cost();
  if (cheapest < kInfinite)
    step_ = std::max(step_, cheapest * options_.step_share);
}

void Router::add_column(CellId cell) {
  const auto place = static_cast<std::int32_t>(columns_.size());
  column_of_[static_cast<std::size_t>(cell.value)] = place;
  Column column;
  column.cell = cell;
  const Room room = room_of(cell);
  column.up = static_cast<double>(room.up) / level_;
  column.down = static_cast<double>(room.down) / level_;
  const double fixed_charge = charge(cell);
  column.cost_up = fixed_charge / std::min(1.0, column.up);
  column.cost_down = fixed_charge / std::min(1.0, column.down);
  for (const Incidence& incidence : board_.table().equations_of(cell)) {
    const std::int32_t r = row_of_[static_cast<std::size_t>(incidence.equation.value)];
    if (r < 0)
      continue;
    Row& row = rows_[static_cast<std::size_t>(r)];
    const std::int32_t active = row_active_[static_cast<std::size_t>(r)];
    if (active >= 0)
      column.pull += duals_[static_cast<std::size_t>(active)] * incidence.coefficient;
    if (row.gathered)
      row.entries.push_back({place, static_cast<float>(incidence.coefficient)});
  }
  columns_.push_back(column);
  basic_of_.push_back(-1);
  gradient_.push_back(0);
  is_marked_.push_back(0);
  if (column.pull > column.cost_up)
    shift(place, Rest::kUp);
  else if (column.pull < -column.cost_down)
    shift(place, Rest::kDown);
}

// All cells of the equation that may move, the cheapest of them if there are many.
void Router::gather(std::int32_t place, bool all) {
  const EquationId equation = rows_[static_cast<std::size_t>(place)].equation;
  const bool again = rows_[static_cast<std::size_t>(place)].gathered;
  if (again && !all)
    return;
  rows_[static_cast<std::size_t>(place)].gathered = true;
  rows_[static_cast<std::size_t>(place)].trimmed = false;
  open_.clear();
  std::size_t taken = 0;
  for (const Term& term : board_.table().equation(equation)) {
    const std::int32_t column = column_of_[static_cast<std::size_t>(term.cell.value)];
    if (column >= 0) {
      if (!again) {
        rows_[static_cast<std::size_t>(place)].entries.push_back(
            {column, static_cast<float>(term.coefficient)});
      }
      continue;
    }
    if (!usable(term.cell))
      continue;
    const Room room = room_of(term.cell);
    const double most = static_cast<double>(std::max(room.up, room.down)) / level_;
    const double both = static_cast<double>(std::min(room.up, room.down)) / level_;
    if (!(most > 0) || both < options_.least_room)
      continue;
    if (overlay_.place(board_, term.cell) == Place::kTaken)
      ++taken;
    open_.emplace_back(charge(term.cell) / std::min(1.0, most), term.cell.value);
  }
  const std::size_t wanted =
      options_.per_equation + std::min(taken, kTakenFactor * options_.per_equation);
  if (!all && open_.size() > wanted) {
    std::nth_element(
        open_.begin(), open_.begin() + static_cast<std::ptrdiff_t>(wanted), open_.end());
    open_.resize(wanted);
    rows_[static_cast<std::size_t>(place)].trimmed = true;
  }
  for (const auto& [cost, cell] : open_)
    add_column(CellId{cell});
}

double Router::resting_value(const Column& column) {
  switch (column.rest) {
    case Rest::kDown:
      return -column.down;
    case Rest::kZero:
      return 0;
    case Rest::kUp:
      return column.up;
  }
  return 0;
}

double Router::resting_cost(const Column& column) {
  if (column.rest == Rest::kZero)
    return 0;
  return column.rest == Rest::kUp ? column.up * column.cost_up : column.down * column.cost_down;
}

void Router::shift(std::int32_t place, Rest rest) {
  Column& column = columns_[static_cast<std::size_t>(place)];
  const double before = resting_value(column);
  resting_cost_ -= resting_cost(column);
  column.rest = rest;
  const double after = resting_value(column);
  resting_cost_ += resting_cost(column);
  if (after == before)
    return;
  for (const Incidence& incidence : board_.table().equations_of(column.cell)) {
    const std::int32_t row = touch(incidence.equation);
    fixed_[static_cast<std::size_t>(row)] += incidence.coefficient * (after - before);
  }
}

// Values of the basic columns and what is left over in every equation.
void Router::refresh() {
  const std::size_t size = basis_.size();
  std::copy(fixed_.begin(), fixed_.end(), residual_.begin());
  std::fill(values_.begin(), values_.end(), 0.0);
  for (std::size_t a = 0; a < size; ++a) {  // few equations hold the target or a resting cell
    const double fixed = fixed_[static_cast<std::size_t>(active_[a])];
    if (fixed == 0)
      continue;
    for (std::size_t b = 0; b < size; ++b)
      values_[b] -= inverse(b, a) * fixed;
  }
  for (std::size_t b = 0; b < size; ++b) {
    const double value = values_[b];
    if (value == 0)
      continue;
    const Column& column = columns_[static_cast<std::size_t>(basis_[b])];
    for (const Incidence& incidence : board_.table().equations_of(column.cell)) {
      const std::int32_t row = row_of_[static_cast<std::size_t>(incidence.equation.value)];
      residual_[static_cast<std::size_t>(row)] += incidence.coefficient * value;
    }
  }
}

double Router::objective() const {
  double total = resting_cost_;
  for (std::size_t b = 0; b < basis_.size(); ++b)
    total += columns_[static_cast<std::size_t>(basis_[b])].pull * values_[b];
  return total;
}

// The steepest edge of the dual (Forrest and Goldfarb 1992): the largest violation in relation to
// the length of its row of the inverse, computed outright since the basis is small.
Router::Leaving Router::pick_leaving() {
  Leaving best;
  double merit = 0;
  const std::size_t size = basis_.size();
  for (std::size_t b = 0; b < size; ++b) {
    const Column& column = columns_[static_cast<std::size_t>(basis_[b])];
    const double least = column.side > 0 ? 0 : -column.down;
    const double most = column.side > 0 ? column.up : 0;
    const double excess = std::max(least - values_[b], values_[b] - most);
    if (excess <= options_.feasibility)
      continue;
    const double length = squared_length(&inverse_[b * stride_], size);
    if (excess * excess > merit * length) {
      merit = excess * excess / length;
      best = {-1, static_cast<std::int32_t>(b), excess, values_[b] < least ? 1 : -1};
    }
  }
  open_.clear();  // the broken equations, worst first; further down they are rarely chosen
  for (std::size_t r = 0; r < num_rows_; ++r) {
    const double excess = std::abs(residual_[r]);
    if (excess > options_.feasibility && row_active_[r] < 0 && excess * excess > merit)
      open_.emplace_back(-excess, static_cast<std::int32_t>(r));
  }
  const std::size_t looks = std::min(kBrokenLooks, open_.size());
  std::partial_sort(open_.begin(), open_.begin() + static_cast<std::ptrdiff_t>(looks), open_.end());
  for (std::size_t i = 0; i < looks; ++i) {
    const std::int32_t r = open_[i].second;
    const Row& row = rows_[static_cast<std::size_t>(r)];
    const double excess = -open_[i].first;
    if (excess * excess <= merit)
      break;
    work_.assign(size, 0);
    if (row.gathered) {
      for (const Entry& entry : row.entries)
        add_inverse_row(entry.column, entry.coefficient);
    } else {
      for (const Term& term : board_.table().equation(row.equation)) {
        const std::int32_t column = column_of_[static_cast<std::size_t>(term.cell.value)];
        if (column >= 0)
          add_inverse_row(column, term.coefficient);
      }
    }
    const double length = 1 + squared_length(work_.data(), size);
    if (excess * excess > merit * length) {
      merit = excess * excess / length;
      best = {r, -1, excess, residual_[static_cast<std::size_t>(r)] > 0 ? -1 : 1};
    }
  }
  return best;
}

void Router::add_inverse_row(std::int32_t column, double factor) {
  const std::int32_t basic = basic_of_[static_cast<std::size_t>(column)];
  if (basic < 0)
    return;
  subtract_multiple(
      work_.data(), &inverse_[static_cast<std::size_t>(basic) * stride_], -factor, work_.size());
}

// How the broken quantity depends on the equations: rho over the active ones.
void Router::direction_of(const Leaving& leaving) {
  const std::size_t size = basis_.size();
  rho_.assign(size, 0);
  rho_row_ = leaving.row;
  if (leaving.row < 0) {
    for (std::size_t a = 0; a < size; ++a)
      rho_[a] = -inverse(static_cast<std::size_t>(leaving.basic), a);
    return;
  }
  gather(leaving.row, false);
  for (const Entry& entry : rows_[static_cast<std::size_t>(leaving.row)].entries) {
    const std::int32_t basic = basic_of_[static_cast<std::size_t>(entry.column)];
    if (basic < 0)
      continue;
    subtract_multiple(
        rho_.data(), &inverse_[static_cast<std::size_t>(basic) * stride_], entry.coefficient, size);
  }
}

// Of the broken quantity, with respect to every column at rest.
void Router::gradients() {
  for (const std::int32_t place : marked_) {
    is_marked_[static_cast<std::size_t>(place)] = 0;
    gradient_[static_cast<std::size_t>(place)] = 0;
  }
  marked_.clear();
  const auto add_row = [&](const Row& row, double factor) {
    for (const Entry& entry : row.entries) {
      const auto column = static_cast<std::size_t>(entry.column);
      if (basic_of_[column] >= 0)
        continue;
      if (is_marked_[column] == 0) {
        is_marked_[column] = 1;
        marked_.push_back(entry.column);
      }
      gradient_[column] += factor * entry.coefficient;
    }
  };
  for (std::size_t a = 0; a < rho_.size(); ++a) {
    if (std::abs(rho_[a]) > options_.feasibility)
      add_row(rows_[static_cast<std::size_t>(active_[a])], rho_[a]);
  }
  if (rho_row_ >= 0)
    add_row(rows_[static_cast<std::size_t>(rho_row_)], 1);
}

// The step at which a column at rest becomes as cheap as it is worth, its pull growing by `rate`.
double Router::break_at(const Column& column, double rate) {
  if (rate > 0) {
    if (column.rest == Rest::kUp)
      return kInfinite;
    const double end = column.rest == Rest::kZero ? column.cost_up : -column.cost_down;
    return std::max(0.0, end - column.pull) / rate;
  }
  if (column.rest == Rest::kDown)
    return kInfinite;
  const double end = column.rest == Rest::kZero ? -column.cost_down : column.cost_up;
  return std::max(0.0, column.pull - end) / -rate;
}

void Router::list_breaks(const Leaving& leaving) {
  breaks_.clear();
  for (const std::int32_t place : marked_) {
    const Column& column = columns_[static_cast<std::size_t>(place)];
    const double rate = leaving.sigma * gradient_[static_cast<std::size_t>(place)];
    if (std::abs(rate) <= options_.smallest_pivot)
      continue;
    const double at = break_at(column, rate);
    if (at < kInfinite)
      breaks_.push_back({at, place, rate});
  }
  leaving_rest_ = Rest::kZero;
  if (leaving.basic < 0)
    return;
  // A column that falls through zero may go on at the other side's cost.
  const std::int32_t place = basis_[static_cast<std::size_t>(leaving.basic)];
  const Column& column = columns_[static_cast<std::size_t>(place)];
  const bool through_zero = column.side == leaving.sigma;
  if (through_zero) {
    const double far = column.side > 0 ? column.down : column.up;
    if (far > 0)
      breaks_.push_back({column.cost_up + column.cost_down, place, -1.0 * leaving.sigma});
  } else {
    leaving_rest_ = column.side > 0 ? Rest::kUp : Rest::kDown;
  }
}

Router::Ratio Router::ratio_test(const Leaving& leaving) {
  list_breaks(leaving);
  double slope = leaving.excess;
  while (!breaks_.empty()) {
    std::size_t best = 0;
    for (std::size_t i = 1; i < breaks_.size(); ++i) {
      const double difference = breaks_[i].theta - breaks_[best].theta;
      if (difference < 0 ||
          (difference == 0 && std::abs(breaks_[i].rate) > std::abs(breaks_[best].rate)))
        best = i;
    }
    Break next = breaks_[best];
    Column& column = columns_[static_cast<std::size_t>(next.column)];
    const bool self = basic_of_[static_cast<std::size_t>(next.column)] >= 0;
    // How far the column goes from here to its next resting point.
    const int toward = next.rate > 0 ? 1 : -1;
    const bool outward = self || column.rest == Rest::kZero;
    const double length = (toward > 0) == outward ? column.up : column.down;
    const double gain = length * std::abs(next.rate);
    if (gain + options_.feasibility >= slope) {  // rooms that just suffice do suffice
      theta_ = next.theta;
      entering_ = next.column;
      return self ? Ratio::kSwitch : Ratio::kPivot;
    }
    slope -= gain;
    breaks_[best] = breaks_.back();
    breaks_.pop_back();
    if (self) {
      leaving_rest_ = column.side > 0 ? Rest::kDown : Rest::kUp;
      continue;
    }
    const int rest = static_cast<int>(column.rest) + toward;
    shift(next.column, static_cast<Rest>(rest));
    next.theta = break_at(columns_[static_cast<std::size_t>(next.column)], next.rate);
    if (next.theta < kInfinite)
      breaks_.push_back(next);
  }
  return Ratio::kNone;
}

void Router::move_duals(const Leaving& leaving) {
  const double step = theta_ * leaving.sigma;
  for (const std::int32_t place : marked_) {
    Column& column = columns_[static_cast<std::size_t>(place)];
    column.pull += step * gradient_[static_cast<std::size_t>(place)];
  }
  for (std::size_t a = 0; a < rho_.size(); ++a)
    duals_[a] += step * rho_[a];
  if (leaving.basic >= 0) {
    columns_[static_cast<std::size_t>(basis_[static_cast<std::size_t>(leaving.basic)])].pull -=
        step;
  }
}

void Router::grow(std::size_t size) {
  if (size <= stride_)
    return;
  const std::size_t wider = std::max<std::size_t>(32, 2 * size);
  std::vector<double> larger(wider * wider, 0.0);
  for (std::size_t b = 0; b < basis_.size(); ++b) {
    for (std::size_t a = 0; a < active_.size(); ++a)
      larger[b * wider + a] = inverse(b, a);
  }
  inverse_ = std::move(larger);
  stride_ = wider;
}

void Router::entering_in_basis() {
  const std::size_t size = basis_.size();
  work_.assign(size, 0);
  const Column& column = columns_[static_cast<std::size_t>(entering_)];
  for (const Incidence& incidence : board_.table().equations_of(column.cell)) {
    const std::int32_t row = touch(incidence.equation);
    const std::int32_t active = row_active_[static_cast<std::size_t>(row)];
    if (active < 0)
      continue;
    for (std::size_t b = 0; b < size; ++b)
      work_[b] += incidence.coefficient * inverse(b, static_cast<std::size_t>(active));
  }
}

// The broken equation joins the basis together with the entering column: inverse of the bordered
// matrix.
void Router::border(std::int32_t row) {
  const std::size_t size = basis_.size();
  grow(size + 1);
  const double pivot = gradient_[static_cast<std::size_t>(entering_)];
  // rho = -(row of the basic columns) times the inverse.
  for (std::size_t b = 0; b < size; ++b) {
    const double factor = work_[b] / pivot;
    inverse(b, size) = -factor;
    if (factor == 0)
      continue;
    subtract_multiple(&inverse_[b * stride_], rho_.data(), factor, size);
  }
  for (std::size_t a = 0; a < size; ++a)
    inverse(size, a) = rho_[a] / pivot;
  inverse(size, size) = 1 / pivot;
  row_active_[static_cast<std::size_t>(row)] = static_cast<std::int32_t>(size);
  active_.push_back(row);
  duals_.push_back(theta_ * (residual_[static_cast<std::size_t>(row)] > 0 ? -1 : 1));
  basic_of_[static_cast<std::size_t>(entering_)] = static_cast<std::int32_t>(size);
  basis_.push_back(entering_);
  values_.push_back(0);
}

void Router::exchange(std::size_t position) {
  const std::size_t size = basis_.size();
  const double pivot = work_[position];
  for (std::size_t a = 0; a < size; ++a)
    inverse(position, a) /= pivot;
  for (std::size_t b = 0; b < size; ++b) {
    const double factor = work_[b];
    if (b == position || factor == 0)
      continue;
    subtract_multiple(&inverse_[b * stride_], &inverse_[position * stride_], factor, size);
  }
  const std::int32_t gone_place = basis_[position];
  Column& gone = columns_[static_cast<std::size_t>(gone_place)];
  basic_of_[static_cast<std::size_t>(gone_place)] = -1;
  gone.rest = Rest::kZero;
  basis_[position] = entering_;
  basic_of_[static_cast<std::size_t>(entering_)] = static_cast<std::int32_t>(position);
  shift(gone_place, leaving_rest_);
}

void Router::pivot(const Leaving& leaving) {
  Column& column = columns_[static_cast<std::size_t>(entering_)];
  const double rate = leaving.sigma * gradient_[static_cast<std::size_t>(entering_)];
  if (column.rest == Rest::kZero)
    column.side = rate > 0 ? 1 : -1;
  else
    column.side = column.rest == Rest::kUp ? 1 : -1;
  shift(entering_, Rest::kZero);
  entering_in_basis();
  if (leaving.row >= 0)
    border(leaving.row);
  else
    exchange(static_cast<std::size_t>(leaving.basic));
}

// Where only the cheapest cells of an equation were looked at, look at all.
bool Router::widen() {
  bool any = false;
  const std::size_t count = num_rows_;
  for (std::size_t r = 0; r < count; ++r) {
    if (!rows_[r].trimmed)
      continue;
    gather(static_cast<std::int32_t>(r), true);
    any = true;
  }
  return any;
}

RouteOutcome Router::search() {
  constexpr std::int32_t kLookAtClock = 64;
  for (std::int32_t step = 0; step < options_.max_steps; ++step) {
    if (step % kLookAtClock == kLookAtClock - 1 && run_ != nullptr && run_->should_stop())
      return RouteOutcome::kGivenUp;
    refresh();
    if (objective() > query_.budget + kFreeSteps * step_)
      return RouteOutcome::kTooDear;
    const Leaving leaving = pick_leaving();
    if (leaving.sigma == 0)
      return finish() ? RouteOutcome::kFound : RouteOutcome::kGivenUp;
    ++iterations_;
    direction_of(leaving);
    gradients();
    switch (ratio_test(leaving)) {
      case Ratio::kNone:
        if (!widen())
          return RouteOutcome::kNone;
        break;
      case Ratio::kSwitch: {
        move_duals(leaving);
        Column& column = columns_[static_cast<std::size_t>(entering_)];
        column.side = static_cast<std::int8_t>(-column.side);
        break;
      }
      case Ratio::kPivot:
        move_duals(leaving);
        pivot(leaving);
        break;
    }
  }
  return RouteOutcome::kGivenUp;
}

RouteOutcome Router::find(const RouteQuery& query) {
  reset();
  query_ = query;
  level_ = static_cast<double>(query.level);
  const Room own = board_.room(query.cell, query.attacker);
  if (own.toward(sign(query.direction)) < query.level ||
      (query.mirrored && own.toward(-sign(query.direction)) < query.level))
    return RouteOutcome::kNone;
  set_step();
  for (const Incidence& incidence : board_.table().equations_of(query.cell)) {
    const std::int32_t row = touch(incidence.equation);
    fixed_[static_cast<std::size_t>(row)] += incidence.coefficient * sign(query.direction);
  }
  return search();
}

void Router::append_touched(std::vector<EquationId>& equations) const {
  for (std::size_t r = 0; r < num_rows_; ++r)
    equations.push_back(rows_[r].equation);
}

// Exact: within the rooms, and every equation that any of them is in balances.
bool Router::accept(const std::vector<std::pair<std::int32_t, Wide>>& moves, Wide denominator) {
  std::vector<Wide> sums(num_rows_, 0);
  const auto add = [&](CellId cell, Wide move) {
    for (const Incidence& incidence : board_.table().equations_of(cell)) {
      const std::int32_t row = row_of_[static_cast<std::size_t>(incidence.equation.value)];
      sums[static_cast<std::size_t>(row)] += move * incidence.coefficient;
    }
  };
  const Wide own = Wide{query_.level} * sign(query_.direction) * denominator;
  if (own >= kLargestMove || own <= -kLargestMove)
    return false;
  add(query_.cell, own);
  for (const auto& [place, move] : moves) {
    const CellId cell = columns_[static_cast<std::size_t>(place)].cell;
    const Room room = room_of(cell);
    if (move > room.up * denominator || -move > room.down * denominator)
      return false;
    if (move >= kLargestMove || move <= -kLargestMove)
      return false;
    add(cell, move);
  }
  for (const Wide sum : sums) {
    if (sum != 0)
      return false;
  }
  steps_.clear();
  steps_.push_back({query_.cell, static_cast<Units>(own)});
  for (const auto& [place, move] : moves) {
    if (move != 0)
      steps_.push_back({columns_[static_cast<std::size_t>(place)].cell, static_cast<Units>(move)});
  }
  std::sort(
      steps_.begin(), steps_.end(), [](const Step& a, const Step& b) { return a.cell < b.cell; });
  return true;
}

bool Router::round_steps(Units denominator) {
  std::vector<std::pair<std::int32_t, Wide>> moves;
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    const Column& column = columns_[c];
    const std::int32_t basic = basic_of_[c];
    if (basic < 0 && column.rest == Rest::kZero)
      continue;
    Wide move = 0;
    if (basic < 0) {
      const Room room = room_of(column.cell);
      move = column.rest == Rest::kUp ? Wide{room.up} : -Wide{room.down};
      move *= denominator;
    } else {
      const double value =
          values_[static_cast<std::size_t>(basic)] * level_ * static_cast<double>(denominator);
      if (!(std::abs(value) < static_cast<double>(kLargestMove)))
        return false;
      move = static_cast<Wide>(std::nearbyint(value));
    }
    moves.emplace_back(static_cast<std::int32_t>(c), move);
  }
  return accept(moves, denominator);
}

// The basis in rational numbers.
bool Router::solve_steps() {
  const std::size_t size = basis_.size();
  SparseRows matrix(size);
  std::vector<mpq_class> rhs(size);
  const auto for_active = [&](CellId cell, auto&& visit) {
    for (const Incidence& incidence : board_.table().equations_of(cell)) {
      const std::int32_t row = row_of_[static_cast<std::size_t>(incidence.equation.value)];
      const std::int32_t active = row_active_[static_cast<std::size_t>(row)];
      if (active >= 0)
        visit(static_cast<std::size_t>(active), incidence.coefficient);
    }
  };
  const auto move_right = [&](CellId cell, Units move) {
    const mpz_class amount(static_cast<long>(move));
    for_active(cell,
               [&](std::size_t a, std::int32_t coefficient) { rhs[a] -= coefficient * amount; });
  };
  move_right(query_.cell, query_.level * sign(query_.direction));
  std::vector<std::pair<std::int32_t, Wide>> resting;
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    const Column& column = columns_[c];
    if (basic_of_[c] >= 0) {
      for_active(column.cell, [&](std::size_t a, std::int32_t coefficient) {
        matrix[a].push_back({basic_of_[c], coefficient});
      });
    } else if (column.rest != Rest::kZero) {
      const Room room = room_of(column.cell);
      const Units move = column.rest == Rest::kUp ? room.up : -room.down;
      move_right(column.cell, move);
      resting.emplace_back(static_cast<std::int32_t>(c), move);
    }
  }
  const auto solved = solve_exactly(matrix, rhs);
  if (!solved)
    return false;
  mpz_class denominator;
  const std::vector<mpz_class> numbers = to_common_denominator(*solved, denominator);
  const auto fits = [](const mpz_class& number) {
    return mpz_sizeinbase(number.get_mpz_t(), 2) <= 60;
  };
  if (!fits(denominator))
    return false;
  for (auto& [place, move] : resting)
    move *= denominator.get_si();
  for (std::size_t b = 0; b < size; ++b) {
    if (!fits(numbers[b]))
      return false;
    resting.emplace_back(basis_[b], Wide{numbers[b].get_si()});
  }
  return accept(resting, denominator.get_si());
}

bool Router::finish() {
  for (const Units denominator : {1, 2, 3, 4, 6, 12}) {
    if (round_steps(denominator))
      return true;
  }
  return solve_steps();
}

}  // namespace lacuna::inline heuristic
