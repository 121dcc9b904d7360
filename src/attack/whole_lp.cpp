// SPDX-License-Identifier: Apache-2.0
#include "attack/whole_lp.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "attack/evidence_check.h"
#include "attack/touches.h"
#include "base/check.h"
#include "base/exact_linear.h"
#include "base/index.h"
#include "base/rational.h"
#include "base/work.h"
#include "lacuna/tolerance.h"

namespace lacuna::inline attack {
namespace {

constexpr int kDenominators[] = {1, 2, 3, 4, 6, 12};
// Multipliers need not be those of the basis: rounded finely they lose little where rooms have
// ends, and elimination in fractions, which takes longer than the linear program, is spared.
constexpr int kFineDenominators[] = {60, 5040, 1 << 20, 1 << 30};
// Above it the fractions of a basis are seldom few enough for a witness to be scaled by.
constexpr std::size_t kMostBasisCells = 700;
constexpr int kSizes[] = {1, 2, 3, 4, 6, 12, 24, 60};  // of the largest entry of a ray

std::optional<Wide> nearest_integer(double value) {
  constexpr double kLargest = 9.0e30;  // below 2^103, so that sums stay within 128 bits
  if (!(std::abs(value) < kLargest))
    return std::nullopt;
  return static_cast<Wide>(std::nearbyint(value));
}

double largest_of(std::span<const double> numbers) {
  double largest = 0;
  for (const double number : numbers)
    largest = std::max(largest, std::abs(number));
  return largest;
}

}  // namespace

WholeLp::WholeLp(const Table& table,
                 std::span<const Room> rooms,
                 LpSolver& solver,
                 const Holes* holes)
    : table_(table),
      rooms_(rooms.begin(), rooms.end()),
      solver_(solver),
      holes_(holes != nullptr && !holes->empty() ? holes : nullptr) {
  load();
}

// The number that a single target need not pass is an upper bound of its column.
Units WholeLp::upper(std::size_t column) const {
  const Room& room = rooms_[column / 2];
  Units limit = column % 2 == 0 ? room.up : room.down;
  if (form_.size() == 1 && stop_ != kUnboundedAbove && at(form_.front().cell) == column / 2) {
    const bool up = (form_.front().coefficient > 0) == (direction_ == Direction::kHigh);
    if (up == (column % 2 == 0))
      limit = std::min(limit, stop_);
  }
  return std::max<Units>(0, limit);
}

Units WholeLp::lower(std::size_t column) const {
  const Room& room = rooms_[column / 2];
  const Units opposite = column % 2 == 0 ? room.down : room.up;
  return opposite < 0 ? -opposite : 0;
}

void WholeLp::load() {
  LpModel model;
  for (std::size_t column = 0; column < num_columns(); ++column) {
    const Units limit = upper(column);
    model.add_column(static_cast<double>(lower(column)),
                     limit == kUnboundedAbove ? kLpInfinity : static_cast<double>(limit));
  }
  std::vector<std::int32_t> columns;
  std::vector<double> values;
  for (std::int32_t e = 0; e < table_.num_equations(); ++e) {
    columns.clear();
    values.clear();
    for (const Term& term : table_.equation(EquationId{e})) {
      columns.push_back(2 * term.cell.value);
      values.push_back(term.coefficient);
      columns.push_back(2 * term.cell.value + 1);
      values.push_back(-term.coefficient);
    }
    model.add_row(0, 0, columns, values);
  }
  count_work(kAttackTouches.model_term * std::ssize(model.row_value));
  const Status status = solver_.load(model);
  LACUNA_CHECK(status.has_value());
}

void WholeLp::restart() {
  LpBasis basis;
  basis.columns.assign(num_columns(), BasisStatus::kAtLower);
  basis.rows.assign(static_cast<std::size_t>(table_.num_equations()), BasisStatus::kBasic);
  solver_.set_basis(basis);
}

void WholeLp::send_bounds(std::size_t column) {
  const Units limit = upper(column);
  solver_.set_column_bounds(static_cast<std::int32_t>(column),
                            static_cast<double>(lower(column)),
                            limit == kUnboundedAbove ? kLpInfinity : static_cast<double>(limit));
}

void WholeLp::set_room(CellId cell, const Room& room) {
  rooms_[at(cell)] = room;
  send_bounds(2 * at(cell));
  send_bounds(2 * at(cell) + 1);
}

void WholeLp::set_costs(int factor) {
  for (const Term& term : form_) {
    const double cost = -factor * sign(direction_) * static_cast<double>(term.coefficient);
    solver_.set_cost(2 * term.cell.value, cost);
    solver_.set_cost(2 * term.cell.value + 1, -cost);
  }
}

void WholeLp::set_stop(Units stop) {
  if (stop == stop_)
    return;
  stop_ = stop;
  if (form_.size() == 1)
    set_room(form_.front().cell, rooms_[at(form_.front().cell)]);
}

double WholeLp::maximize(std::span<const Term> form,
                         Direction direction,
                         Units stop,
                         const RunContext& run) {
  set_costs(0);
  set_stop(kUnboundedAbove);
  form_.assign(form.begin(), form.end());
  direction_ = direction;
  set_stop(stop);
  set_costs(1);
  solution_ = solver_.minimize(run);
  basis_ = solution_.status == LpStatus::kOptimal ? solver_.basis() : LpBasis{};
  if (solution_.status == LpStatus::kUnbounded)
    return kLpInfinity;
  if (solution_.status == LpStatus::kInfeasible)
    return -kLpInfinity;
  if (solution_.status != LpStatus::kOptimal)
    return std::numeric_limits<double>::quiet_NaN();
  optimum_ = 0;
  for (const Term& term : form_)
    optimum_ += sign(direction_) * static_cast<double>(term.coefficient) * value(term.cell);
  return optimum_;
}

double WholeLp::value(CellId cell) const {
  return solution_.primal[2 * at(cell)] - solution_.primal[2 * at(cell) + 1];
}

std::optional<Displacement> WholeLp::rounded_witness(int denominator) const {
  count_work(kAttackTouches.rounding_column * std::ssize(solution_.primal));
  Displacement witness;
  witness.denominator = denominator;
  for (std::int32_t c = 0; c < table_.num_cells(); ++c) {
    const auto nearest = nearest_integer(value(CellId{c}) * denominator);
    if (!nearest)
      return std::nullopt;
    if (*nearest == 0)
      continue;
    witness.cells.push_back(CellId{c});
    witness.moves.push_back(to_integer(*nearest));
  }
  if (!check_displacement(table_, rooms_, witness))
    return std::nullopt;
  return witness;
}

std::optional<BasisSystem> WholeLp::basis_system() const {
  return attack::basis_system(basis_, [&](std::size_t row, auto&& add) {
    for (const Term& term : table_.equation(EquationId{static_cast<std::int32_t>(row)}))
      add(at(term.cell), term.coefficient);
  });
}

std::optional<Displacement> WholeLp::displacement(const std::vector<mpq_class>& values) const {
  Displacement witness;
  const std::vector<Integer> moves = to_common_denominator(values, witness.denominator);
  for (std::size_t c = 0; c < moves.size(); ++c) {
    if (moves[c] == 0)
      continue;
    witness.cells.push_back(CellId{static_cast<std::int32_t>(c)});
    witness.moves.push_back(moves[c]);
  }
  if (!check_displacement(table_, rooms_, witness))
    return std::nullopt;
  return witness;
}

std::optional<Displacement> WholeLp::basis_witness() const {
  const auto system = basis_system();
  if (!system)
    return std::nullopt;
  std::vector<mpq_class> values(rooms_.size());  // of the cells, basic columns not yet in
  for (std::size_t column = 0; column < num_columns(); ++column) {
    if (basis_.columns[column] == BasisStatus::kBasic)
      continue;
    const bool high = basis_.columns[column] == BasisStatus::kAtUpper;
    const Units bound = high ? upper(column) : lower(column);
    if (bound == kUnboundedAbove)
      return std::nullopt;
    values[column / 2] += to_integer(column % 2 == 0 ? bound : -bound);
  }
  std::vector<mpq_class> rhs(system->rows.size());
  for (std::size_t i = 0; i < system->rows.size(); ++i) {
    const EquationId equation{static_cast<std::int32_t>(system->rows[i])};
    for (const Term& term : table_.equation(equation))
      rhs[i] -= term.coefficient * values[at(term.cell)];
  }
  const auto solved = solve_exactly(system->matrix, rhs);
  if (!solved)
    return std::nullopt;
  for (std::size_t i = 0; i < system->columns.size(); ++i) {
    const std::size_t column = system->columns[i];
    values[column / 2] += column % 2 == 0 ? (*solved)[i] : mpq_class(-(*solved)[i]);
  }
  return displacement(values);
}

std::optional<Displacement> WholeLp::whole_witness() const {
  if (solution_.primal.size() != num_columns())
    return std::nullopt;
  auto found = rounded_witness(1);
  return !found || holes_ == nullptr || holes_->admit(*found) ? found : std::nullopt;
}

std::optional<Displacement> WholeLp::witness() const {
  if (solution_.primal.size() != num_columns())
    return std::nullopt;
  for (const int denominator : kDenominators) {
    auto found = rounded_witness(denominator);
    if (!found)
      continue;
    const Fraction reached = displacement_of(*found, form_, direction_);
    if (tol::compare(reached.to_double(), optimum_) != tol::Order::kSurelyLess)
      return found;
  }
  return rooms_.size() <= kMostBasisCells ? basis_witness() : std::nullopt;
}

std::optional<Displacement> WholeLp::ray() const {
  if (solution_.status != LpStatus::kUnbounded || solution_.ray.size() != num_columns())
    return std::nullopt;
  std::vector<double> direction(rooms_.size());
  for (std::size_t c = 0; c < rooms_.size(); ++c)
    direction[c] = solution_.ray[2 * c] - solution_.ray[2 * c + 1];
  const double largest = largest_of(direction);
  for (const int size : kSizes) {
    Displacement ray;
    for (std::size_t c = 0; c < rooms_.size() && largest > 0; ++c) {
      const Wide move = nearest_integer(direction[c] / largest * size).value_or(0);
      if (move == 0)
        continue;
      ray.cells.push_back(CellId{static_cast<std::int32_t>(c)});
      ray.moves.push_back(to_integer(move));
    }
    if (displacement_of(ray, form_, direction_) > 0 && check_ray(table_, rooms_, ray))
      return ray;
  }
  return std::nullopt;
}

std::optional<Multipliers> WholeLp::rounded(std::span<const double> duals,
                                            double factor,
                                            int denominator) const {
  count_work(kAttackTouches.rounding_column * std::ssize(duals));
  Multipliers result;
  result.denominator = denominator;
  for (std::size_t r = 0; r < duals.size(); ++r) {
    const auto nearest = nearest_integer(duals[r] * factor);
    if (!nearest)
      return std::nullopt;
    if (*nearest == 0)
      continue;
    result.equations.push_back(EquationId{static_cast<std::int32_t>(r)});
    result.values.push_back(to_integer(*nearest));
  }
  return result;
}

std::optional<Multipliers> WholeLp::basis_proof() const {
  const auto system = basis_system();
  if (!system)
    return std::nullopt;
  std::vector<mpq_class> rhs(system->columns.size());
  for (const Term& term : form_) {
    for (const std::size_t half : {0U, 1U}) {
      const std::int32_t place = system->place[2 * at(term.cell) + half];
      if (place >= 0)
        rhs[at(place)] = sign(direction_) * term.coefficient * (half == 0 ? 1 : -1);
    }
  }
  const auto count = static_cast<std::int32_t>(system->columns.size());
  const auto solved = solve_exactly(transpose(system->matrix, count), rhs);
  if (!solved)
    return std::nullopt;
  Multipliers result;
  const std::vector<Integer> values = to_common_denominator(*solved, result.denominator);
  for (std::size_t i = 0; i < system->rows.size(); ++i) {
    if (values[i] == 0)
      continue;
    result.equations.push_back(EquationId{static_cast<std::int32_t>(system->rows[i])});
    result.values.push_back(values[i]);
  }
  return result;
}

// The engine minimized -s f'z with d = c - M'y; the proof has d = s f - M'g, so g = -y.
std::optional<Multipliers> WholeLp::proof(const Accept& accept) const {
  if (solution_.status != LpStatus::kOptimal)
    return std::nullopt;
  for (const int denominator : kDenominators) {
    auto candidate = rounded(solution_.dual, -denominator, denominator);
    if (candidate && accept(*candidate))
      return candidate;
  }
  for (const int denominator : kFineDenominators) {
    auto candidate = rounded(solution_.dual, -static_cast<double>(denominator), denominator);
    if (candidate && accept(*candidate))
      return candidate;
  }
  auto candidate = basis_proof();
  if (candidate && accept(*candidate))
    return candidate;
  return std::nullopt;
}

// The engine's y has sup { y'M z } < 0 over the rooms; with d = -M'g that is g = -y.
std::optional<Multipliers> WholeLp::emptiness(const Accept& accept) const {
  if (solution_.status != LpStatus::kInfeasible)
    return std::nullopt;
  const double largest = largest_of(solution_.ray);
  for (const int size : kSizes) {
    auto candidate = largest > 0 ? rounded(solution_.ray, -size / largest, 1) : std::nullopt;
    if (candidate && accept(*candidate))
      return candidate;
  }
  return std::nullopt;
}

}  // namespace lacuna::inline attack
