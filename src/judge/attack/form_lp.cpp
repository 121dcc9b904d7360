// SPDX-License-Identifier: Apache-2.0
#include "judge/attack/form_lp.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>
#include <utility>

#include "core/base/check.h"
#include "core/base/index.h"
#include "core/base/rational.h"
#include "core/base/work.h"
#include "judge/attack/evidence_check.h"
#include "judge/attack/touches.h"
#include "lacuna/tolerance.h"

namespace lacuna::attack {
namespace {

constexpr int kDenominators[] = {1, 2, 3, 4, 6, 12};
// Of whole numbers multipliers need not be those of the basis: rounded finely they lose little
// where slacks have ends, and elimination in fractions, which takes longer than the linear program,
// is spared.
constexpr int kFineDenominators[] = {60, 5040, 1 << 20, 1 << 30};
// Rays of table matrices are combinations of few cells with small integer ratios: the largest
// entry.
constexpr int kRaySizes[] = {1, 2, 3, 4, 6, 12, 24, 60};

// The nearest integer of a double, or nothing if it is too large to be meant as one.
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

template <class Number>
Number number_of(Units units) {
  if constexpr (std::is_same_v<Number, Integer>)
    return base::to_integer(units);
  else
    return Number{units};
}

// In lowest terms.
Displacement displacement(const std::vector<Integer>& moves, const Integer& denominator) {
  Displacement result;
  Integer divisor = denominator;
  for (std::size_t c = 0; c < moves.size(); ++c) {
    if (moves[c] == 0)
      continue;
    result.cells.push_back(CellId{static_cast<std::int32_t>(c)});
    result.moves.push_back(moves[c]);
    if (divisor != 1)
      divisor = gcd(divisor, moves[c]);
  }
  for (Integer& move : result.moves)
    move /= divisor;
  result.denominator = denominator / divisor;
  return result;
}

Displacement displacement(const std::vector<Wide>& moves, Wide denominator) {
  std::vector<Integer> integers;
  integers.reserve(moves.size());
  for (const Wide move : moves)
    integers.push_back(base::to_integer(move));
  return displacement(integers, base::to_integer(denominator));
}

}  // namespace

FormLp::FormLp(const LocalSystem& system, Domain domain, LpSolver& solver)
    : system_(system),
      domain_(domain),
      solver_(solver),
      slacks_(system.slacks().begin(), system.slacks().end()) {}

const Holes* FormLp::holes() const {
  return system_.holes().empty() ? nullptr : &system_.holes();
}

std::int32_t FormLp::stopped_column() const {
  if (form_.size() != 1 || stop_ == kUnboundedAbove)
    return -1;
  const bool up = (form_.front().coefficient > 0) == (direction_ == Direction::kHigh);
  return 2 * form_.front().cell.value + (up ? 0 : 1);
}

Units FormLp::upper(std::size_t column) const {
  const Slack& slack = slacks_[column / 2];
  const Units side = column % 2 == 0 ? slack.up : slack.down;
  if (recession_)
    return side == kUnboundedAbove ? 1 : 0;
  const bool stops = static_cast<std::int32_t>(column) == stopped_column();
  return std::max<Units>(0, std::min({side, cap_, stops ? stop_ : kUnboundedAbove}));
}

Units FormLp::lower(std::size_t column) const {
  const Slack& slack = slacks_[column / 2];
  const Units opposite = column % 2 == 0 ? slack.down : slack.up;
  return opposite < 0 && !recession_ ? -opposite : 0;
}

double FormLp::scaled(Units units) const {
  return units == kUnboundedAbove ? kLpInfinity : static_cast<double>(units) / scale_;
}

void FormLp::load(Units cap, double scale) {
  if (loaded_ && !recession_ && cap == cap_ && scale == scale_)
    return;
  recession_ = false;
  cap_ = cap;
  scale_ = scale;
  load_model();
}

void FormLp::load_recession() {
  recession_ = true;
  cap_ = kUnboundedAbove;
  scale_ = 1;
  load_model();
}

void FormLp::load_model() {
  form_.clear();
  stop_ = kUnboundedAbove;
  LpModel model;
  for (std::size_t column = 0; column < num_columns(); ++column)
    model.add_column(scaled(lower(column)), scaled(upper(column)));
  std::vector<std::int32_t> columns;
  std::vector<double> values;
  for (std::size_t row = 0; row < system_.num_rows(); ++row) {
    columns.clear();
    values.clear();
    for (const Term& term : system_.row(row)) {
      columns.push_back(2 * term.cell.value);
      values.push_back(term.coefficient);
      columns.push_back(2 * term.cell.value + 1);
      values.push_back(-term.coefficient);
    }
    model.add_row(0, 0, columns, values);
  }
  const Status status = solver_.load(model);
  LACUNA_CHECK(status.has_value());
  loaded_ = true;
  base::count_work(kAttackTouches.model_term * std::ssize(model.row_value));
}

void FormLp::restart() {
  LpBasis basis;
  basis.columns.assign(num_columns(), BasisStatus::kAtLower);
  basis.rows.assign(system_.num_rows(), BasisStatus::kBasic);
  solver_.set_basis(basis);
}

void FormLp::send_bounds(std::size_t column) {
  solver_.set_column_bounds(
      static_cast<std::int32_t>(column), scaled(lower(column)), scaled(upper(column)));
}

void FormLp::set_slack(CellId cell, const Slack& slack) {
  slacks_[base::at(cell)] = slack;
  send_bounds(2 * base::at(cell));
  send_bounds(2 * base::at(cell) + 1);
}

void FormLp::set_costs(int factor) {
  for (const Term& term : form_) {
    const double cost = -factor * sign(direction_) * static_cast<double>(term.coefficient);
    solver_.set_cost(2 * term.cell.value, cost);
    solver_.set_cost(2 * term.cell.value + 1, -cost);
  }
}

double FormLp::maximize(std::span<const Term> form,
                        Direction direction,
                        Units stop,
                        const RunContext& run) {
  LACUNA_CHECK(loaded_);
  set_costs(0);  // undo what the last question changed
  const std::int32_t last = stopped_column();
  stop_ = kUnboundedAbove;
  if (last >= 0)
    send_bounds(base::at(last));
  form_.assign(form.begin(), form.end());
  direction_ = direction;
  stop_ = stop;
  if (const std::int32_t column = stopped_column(); column >= 0)
    send_bounds(base::at(column));
  set_costs(1);
  solution_ = solver_.minimize(run);
  basis_ = solution_.status == LpStatus::kOptimal ? solver_.basis() : LpBasis{};
  if (solution_.status == LpStatus::kUnbounded)
    return kLpInfinity;
  if (solution_.status == LpStatus::kInfeasible)
    return -kLpInfinity;
  if (solution_.status != LpStatus::kOptimal)
    return std::numeric_limits<double>::quiet_NaN();
  return optimum();
}

double FormLp::value(CellId cell) const {
  return (solution_.primal[2 * base::at(cell)] - solution_.primal[2 * base::at(cell) + 1]) * scale_;
}

double FormLp::optimum() const {
  double sum = 0;
  for (const Term& term : form_)
    sum += sign(direction_) * static_cast<double>(term.coefficient) * value(term.cell);
  return sum;
}

bool FormLp::reaches_optimum(const Displacement& witness) const {
  const Fraction reached = displacement_of(witness, form_, direction_);
  return tol::compare(reached.to_double(), optimum()) != tol::Order::kSurelyLess;
}

template <class Number>
bool FormLp::balanced(const std::vector<Number>& moves) const {
  for (std::size_t row = 0; row < system_.num_rows(); ++row) {
    Number sum = 0;
    for (const Term& term : system_.row(row))
      sum += moves[base::at(term.cell)] * term.coefficient;
    if (sum != 0)
      return false;
  }
  return true;
}

template <class Number>
bool FormLp::consistent(const std::vector<Number>& moves, const Number& denominator) const {
  for (std::size_t c = 0; c < moves.size(); ++c) {
    const Slack& slack = slacks_[c];
    if (slack.up != kUnboundedAbove && moves[c] > number_of<Number>(slack.up) * denominator)
      return false;
    if (slack.down != kUnboundedAbove && -moves[c] > number_of<Number>(slack.down) * denominator)
      return false;
  }
  return balanced(moves);
}

// Columns at a bound are where the bound is, the others at the nearest multiple.
std::optional<Displacement> FormLp::rounded_witness(int denominator) const {
  base::count_work(kAttackTouches.rounding_column * std::ssize(solution_.primal));
  std::vector<Wide> moves(slacks_.size());
  for (std::size_t column = 0; column < num_columns(); ++column) {
    const BasisStatus status = basis_.empty() ? BasisStatus::kBasic : basis_.columns[column];
    Wide move = 0;
    if (status == BasisStatus::kAtLower) {
      move = Wide{lower(column)} * denominator;
    } else if (status == BasisStatus::kAtUpper && upper(column) != kUnboundedAbove) {
      move = Wide{upper(column)} * denominator;
    } else {
      const auto nearest = nearest_integer(solution_.primal[column] * scale_ * denominator);
      if (!nearest)
        return std::nullopt;
      move = *nearest;
    }
    moves[column / 2] += column % 2 == 0 ? move : -move;
  }
  if (!consistent<Wide>(moves, denominator))
    return std::nullopt;
  return displacement(moves, denominator);
}

std::optional<FormLp::BasisSystem> FormLp::basis_system() const {
  if (basis_.empty())
    return std::nullopt;
  BasisSystem basis;
  basis.place.assign(basis_.columns.size(), -1);
  for (std::size_t column = 0; column < basis_.columns.size(); ++column) {
    if (basis_.columns[column] != BasisStatus::kBasic)
      continue;
    basis.place[column] = static_cast<std::int32_t>(basis.columns.size());
    basis.columns.push_back(column);
  }
  for (std::size_t r = 0; r < basis_.rows.size(); ++r) {
    if (basis_.rows[r] != BasisStatus::kBasic)
      basis.rows.push_back(r);
  }
  if (basis.rows.size() != basis.columns.size())
    return std::nullopt;
  basis.matrix.resize(basis.rows.size());
  for (std::size_t i = 0; i < basis.rows.size(); ++i) {
    for (const Term& term : system_.row(basis.rows[i])) {
      if (const std::int32_t up = basis.place[2 * base::at(term.cell)]; up >= 0)
        basis.matrix[i].push_back({up, term.coefficient});
      if (const std::int32_t down = basis.place[2 * base::at(term.cell) + 1]; down >= 0)
        basis.matrix[i].push_back({down, -term.coefficient});
    }
  }
  return basis;
}

std::optional<Displacement> FormLp::basis_witness() const {
  const auto basis = basis_system();
  if (!basis)
    return std::nullopt;
  std::vector<mpq_class> values(slacks_.size());  // of the cells, basic columns not yet in
  for (std::size_t column = 0; column < num_columns(); ++column) {
    if (basis_.columns[column] == BasisStatus::kBasic)
      continue;
    const bool high = basis_.columns[column] == BasisStatus::kAtUpper;
    const Units bound = high ? upper(column) : lower(column);
    if (bound == kUnboundedAbove)
      return std::nullopt;
    if (bound != 0)
      values[column / 2] += base::to_integer(column % 2 == 0 ? bound : -bound);
  }
  std::vector<mpq_class> rhs(basis->rows.size());
  for (std::size_t i = 0; i < basis->rows.size(); ++i) {
    for (const Term& term : system_.row(basis->rows[i])) {
      const mpq_class& value = values[base::at(term.cell)];
      if (value != 0)
        rhs[i] -= term.coefficient * value;
    }
  }
  const auto solved = base::solve_exactly(basis->matrix, rhs);
  if (!solved)
    return std::nullopt;
  for (std::size_t i = 0; i < basis->columns.size(); ++i) {
    const std::size_t column = basis->columns[i];
    if (column % 2 == 0)
      values[column / 2] += (*solved)[i];
    else
      values[column / 2] -= (*solved)[i];
  }
  Integer denominator;
  const std::vector<Integer> moves = base::to_common_denominator(values, denominator);
  if (!consistent(moves, denominator))
    return std::nullopt;
  return displacement(moves, denominator);
}

std::optional<Displacement> FormLp::witness(bool by_basis) const {
  if (!has_values())
    return std::nullopt;
  std::optional<Displacement> shorter;  // consistent, but rounding took it off the optimum
  for (const int denominator : kDenominators) {
    auto found = rounded_witness(denominator);
    if (found && reaches_optimum(*found))
      return found;
    if (found && !shorter)
      shorter = std::move(found);
  }
  auto exact = by_basis ? basis_witness() : std::nullopt;
  return exact ? exact : shorter;
}

std::optional<Displacement> FormLp::integer_witness() const {
  if (!has_values())
    return std::nullopt;
  auto found = rounded_witness(1);
  return !found || system_.holes().admit(*found) ? found : std::nullopt;
}

std::optional<Displacement> FormLp::ray() const {
  if (solution_.status != LpStatus::kUnbounded || solution_.ray.size() != num_columns())
    return std::nullopt;
  std::vector<double> direction(slacks_.size());
  for (std::size_t c = 0; c < slacks_.size(); ++c)
    direction[c] = solution_.ray[2 * c] - solution_.ray[2 * c + 1];
  const double largest = largest_of(direction);
  for (const int size : kRaySizes) {
    std::vector<Wide> moves(slacks_.size());
    bool possible = largest > 0;
    for (std::size_t c = 0; c < slacks_.size() && possible; ++c) {
      const auto nearest = nearest_integer(direction[c] / largest * size);
      moves[c] = nearest.value_or(0);
      possible = nearest && (moves[c] <= 0 || slacks_[c].up == kUnboundedAbove) &&
                 (moves[c] >= 0 || slacks_[c].down == kUnboundedAbove);
    }
    Wide along = 0;
    for (const Term& term : form_)
      along += moves[base::at(term.cell)] * term.coefficient * sign(direction_);
    if (possible && along > 0 && balanced(moves))
      return displacement(moves, 1);
  }
  return std::nullopt;
}

std::optional<Multipliers> FormLp::rounded_proof(std::span<const double> duals,
                                                 double factor,
                                                 int denominator) const {
  if (duals.size() != system_.num_rows())
    return std::nullopt;
  base::count_work(kAttackTouches.rounding_column * std::ssize(duals));
  Multipliers result;
  result.denominator = denominator;
  for (std::size_t r = 0; r < duals.size(); ++r) {
    const auto nearest = nearest_integer(duals[r] * factor);
    if (!nearest)
      return std::nullopt;
    if (*nearest == 0)
      continue;
    result.equations.push_back(EquationId{static_cast<std::int32_t>(r)});
    result.values.push_back(base::to_integer(*nearest));
  }
  return result;
}

std::optional<Multipliers> FormLp::basis_proof() const {
  const auto basis = basis_system();
  if (!basis)
    return std::nullopt;
  std::vector<mpq_class> rhs(basis->columns.size());
  for (const Term& term : form_) {
    for (const std::size_t half : {0U, 1U}) {
      const std::int32_t place = basis->place[2 * base::at(term.cell) + half];
      if (place >= 0)
        rhs[base::at(place)] = sign(direction_) * term.coefficient * (half == 0 ? 1 : -1);
    }
  }
  const auto count = static_cast<std::int32_t>(basis->columns.size());
  const auto solved = base::solve_exactly(base::transpose(basis->matrix, count), rhs);
  if (!solved)
    return std::nullopt;
  Multipliers result;
  const std::vector<Integer> values = base::to_common_denominator(*solved, result.denominator);
  for (std::size_t i = 0; i < basis->rows.size(); ++i) {
    if (values[i] == 0)
      continue;
    result.equations.push_back(EquationId{static_cast<std::int32_t>(basis->rows[i])});
    result.values.push_back(values[i]);
  }
  return result;
}

// The engine minimized -s f'z with d = c - M'y; the proof has d = s f - M'g, so g = -y.
std::optional<Multipliers> FormLp::proof(const Accept& accept) const {
  if (solution_.status != LpStatus::kOptimal)
    return std::nullopt;
  const auto rounded = [&](std::span<const int> denominators) -> std::optional<Multipliers> {
    for (const int denominator : denominators) {
      auto candidate =
          rounded_proof(solution_.dual, -static_cast<double>(denominator), denominator);
      if (candidate && accept(*candidate))
        return candidate;
    }
    return std::nullopt;
  };
  if (auto found = rounded(kDenominators))
    return found;
  if (domain_ == Domain::kInteger) {
    if (auto found = rounded(kFineDenominators))
      return found;
  }
  auto candidate = basis_proof();
  if (candidate && accept(*candidate))
    return candidate;
  return std::nullopt;
}

// The engine's y has sup { y'M z } < 0 over the slacks; with d = -M'g that is g = -y.
std::optional<Multipliers> FormLp::emptiness(const Accept& accept) const {
  if (solution_.status != LpStatus::kInfeasible)
    return std::nullopt;
  const double largest = largest_of(solution_.ray);
  for (const int size : kRaySizes) {
    auto candidate = largest > 0 ? rounded_proof(solution_.ray, -size / largest, 1) : std::nullopt;
    if (candidate && accept(*candidate))
      return candidate;
  }
  return std::nullopt;
}

}  // namespace lacuna::attack
