// SPDX-License-Identifier: Apache-2.0
#include "attack/local_lp.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

#include "attack/evidence_check.h"
#include "attack/touches.h"
#include "base/check.h"
#include "base/exact_linear.h"
#include "base/rational.h"
#include "base/work.h"
#include "lacuna/tolerance.h"

namespace lacuna::inline attack {
namespace {

// The nearest integer of a double, or nothing if it is too large to be meant as one.
std::optional<Wide> nearest_integer(double value) {
  constexpr double kLargest = 9.0e30;  // below 2^103, so that sums stay within 128 bits
  if (!(std::abs(value) < kLargest))
    return std::nullopt;
  return static_cast<Wide>(std::nearbyint(value));
}

}  // namespace

LocalLp::LocalLp(const AttackView& view,
                 std::vector<std::int32_t> cells,
                 std::vector<EquationId> rows,
                 LpSolver& solver)
    : view_(view), cells_(std::move(cells)), rows_(std::move(rows)), solver_(solver) {
  std::sort(cells_.begin(), cells_.end());
  std::sort(rows_.begin(), rows_.end());
  std::int64_t terms = 0;
  row_terms_.resize(rows_.size());
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    terms += std::ssize(view_.table().equation(rows_[r]));
    for (const Term& term : view_.table().equation(rows_[r])) {
      const std::int32_t free = view_.free_index(term.cell);
      if (free < 0)
        continue;
      const auto at = std::lower_bound(cells_.begin(), cells_.end(), free);
      if (at == cells_.end() || *at != free)
        continue;
      row_terms_[r].emplace_back(static_cast<std::int32_t>(at - cells_.begin()), term.coefficient);
    }
  }
  count_work(kAttackTouches.model_term * (terms + std::ssize(cells_)));
}

Units LocalLp::limit(std::size_t column) const {
  const Room& room = view_.free_cell(cells_[column / 2]).room;
  const Units side = column % 2 == 0 ? room.up : room.down;
  if (recession_)
    return side == kUnboundedAbove ? 1 : 0;
  const Units capped = std::min(side, cap_);
  const bool is_target = static_cast<std::int32_t>(column) == target_column_;
  return is_target ? std::min(capped, target_.stop_at) : capped;
}

double LocalLp::scaled_limit(std::size_t column) const {
  const Units units = limit(column);
  return units == kUnboundedAbove ? kLpInfinity : static_cast<double>(units) / scale_;
}

void LocalLp::load(Units cap, double scale) {
  if (loaded_ && !recession_ && cap == cap_ && scale == scale_)
    return;
  recession_ = false;
  cap_ = cap;
  scale_ = scale;
  load_model();
}

void LocalLp::restart() {
  LpBasis basis;
  basis.columns.assign(num_columns(), BasisStatus::kAtLower);
  basis.rows.assign(rows_.size(), BasisStatus::kBasic);
  solver_.set_basis(basis);
}

void LocalLp::load_recession() {
  recession_ = true;
  cap_ = kUnboundedAbove;
  scale_ = 1;
  load_model();
}

void LocalLp::load_model() {
  target_column_ = -1;
  LpModel model;
  for (std::size_t column = 0; column < num_columns(); ++column)
    model.add_column(0, scaled_limit(column));
  std::vector<std::int32_t> columns;
  std::vector<double> values;
  for (const auto& terms : row_terms_) {
    columns.clear();
    values.clear();
    for (const auto& [cell, coefficient] : terms) {
      columns.push_back(2 * cell);
      values.push_back(coefficient);
      columns.push_back(2 * cell + 1);
      values.push_back(-coefficient);
    }
    model.add_row(0, 0, columns, values);
  }
  const Status status = solver_.load(model);
  LACUNA_CHECK(status.has_value());
  loaded_ = true;
  count_work(kAttackTouches.model_term * std::ssize(model.row_value));
}

double LocalLp::maximize(const Target& target, const RunContext& run) {
  LACUNA_CHECK(loaded_);
  if (target_column_ >= 0) {  // undo what the last target changed
    const std::int32_t last = target_column_;
    target_column_ = -1;
    solver_.set_cost(last, 0);
    solver_.set_cost(last ^ 1, 0);
    if (target_.stop_at != kUnboundedAbove)
      solver_.set_column_bounds(last, 0, scaled_limit(static_cast<std::size_t>(last)));
  }
  const auto at = std::lower_bound(cells_.begin(), cells_.end(), target.cell);
  LACUNA_CHECK(at != cells_.end() && *at == target.cell);
  target_ = target;
  target_column_ = 2 * static_cast<std::int32_t>(at - cells_.begin()) +
                   (target.direction == Direction::kHigh ? 0 : 1);
  const auto column = static_cast<std::size_t>(target_column_);
  if (target_.stop_at != kUnboundedAbove)
    solver_.set_column_bounds(target_column_, 0, scaled_limit(column));
  solver_.set_cost(target_column_, -1);
  solver_.set_cost(target_column_ ^ 1, 1);
  solution_ = solver_.minimize(run);
  if (solution_.status == LpStatus::kUnbounded)
    return kLpInfinity;
  if (solution_.status != LpStatus::kOptimal)
    return std::numeric_limits<double>::quiet_NaN();
  basis_ = solver_.basis();
  return optimum();
}

double LocalLp::optimum() const {
  const auto column = static_cast<std::size_t>(target_column_);
  return (solution_.primal[column] - solution_.primal[column ^ 1U]) * scale_;
}

template <class Number>
bool LocalLp::balanced(const std::vector<Number>& moves) const {
  for (const auto& terms : row_terms_) {
    Number sum = 0;
    for (const auto& [cell, coefficient] : terms)
      sum += moves[static_cast<std::size_t>(cell)] * coefficient;
    if (sum != 0)
      return false;
  }
  return true;
}

template <class Number>
Number number_of(Units units) {
  if constexpr (std::is_same_v<Number, Integer>) {
    return to_integer(units);
  } else {
    return Number{units};
  }
}

template <class Number>
bool LocalLp::consistent(const std::vector<Number>& moves, const Number& denominator) const {
  for (std::size_t c = 0; c < moves.size(); ++c) {
    const Room& room = view_.free_cell(cells_[c]).room;
    if (room.up != kUnboundedAbove && moves[c] > number_of<Number>(room.up) * denominator)
      return false;
    if (room.down != kUnboundedAbove && -moves[c] > number_of<Number>(room.down) * denominator)
      return false;
  }
  return balanced(moves);
}

Displacement LocalLp::displacement(const std::vector<Integer>& moves,
                                   const Integer& denominator) const {
  Displacement result;
  Integer divisor = denominator;
  for (std::size_t c = 0; c < moves.size(); ++c) {
    if (moves[c] == 0)
      continue;
    result.cells.push_back(view_.free_cell(cells_[c]).cell);
    result.moves.push_back(moves[c]);
    if (divisor != 1)
      divisor = gcd(divisor, moves[c]);
  }
  for (Integer& move : result.moves)
    move /= divisor;
  result.denominator = denominator / divisor;
  return result;
}

Displacement LocalLp::displacement(const std::vector<Wide>& moves, Wide denominator) const {
  std::vector<Integer> integers;
  integers.reserve(moves.size());
  for (const Wide move : moves)
    integers.push_back(to_integer(move));
  return displacement(integers, to_integer(denominator));
}

std::optional<Displacement> LocalLp::rounded_witness(int denominator) const {
  count_work(kAttackTouches.rounding_column * std::ssize(solution_.primal));
  std::vector<Wide> moves(cells_.size());
  for (std::size_t column = 0; column < num_columns(); ++column) {
    const BasisStatus status = basis_.empty() ? BasisStatus::kBasic : basis_.columns[column];
    if (status == BasisStatus::kAtLower)
      continue;
    Wide move = 0;
    if (status == BasisStatus::kAtUpper && limit(column) != kUnboundedAbove) {
      move = Wide{limit(column)} * denominator;
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

std::optional<BasisSystem> LocalLp::basis_system() const {
  return attack::basis_system(basis_, [&](std::size_t row, auto&& add) {
    for (const auto& [cell, coefficient] : row_terms_[row])
      add(static_cast<std::size_t>(cell), coefficient);
  });
}

std::optional<Displacement> LocalLp::basis_witness() const {
  const auto system = basis_system();
  if (!system)
    return std::nullopt;
  std::vector<mpq_class> values(cells_.size());  // of the cells, basic columns not yet in
  for (std::size_t column = 0; column < num_columns(); ++column) {
    if (basis_.columns[column] != BasisStatus::kAtUpper)
      continue;
    if (limit(column) == kUnboundedAbove)
      return std::nullopt;
    const mpz_class bound = to_integer(limit(column));
    if (column % 2 == 0) {
      values[column / 2] += bound;
    } else {
      values[column / 2] -= bound;
    }
  }
  std::vector<mpq_class> rhs(system->rows.size());
  for (std::size_t i = 0; i < system->rows.size(); ++i) {
    for (const auto& [cell, coefficient] : row_terms_[system->rows[i]]) {
      const mpq_class& value = values[static_cast<std::size_t>(cell)];
      if (value != 0)
        rhs[i] -= coefficient * value;
    }
  }
  const auto solved = solve_exactly(system->matrix, rhs);
  if (!solved)
    return std::nullopt;
  for (std::size_t i = 0; i < system->columns.size(); ++i) {
    const std::size_t column = system->columns[i];
    if (column % 2 == 0) {
      values[column / 2] += (*solved)[i];
    } else {
      values[column / 2] -= (*solved)[i];
    }
  }
  Integer denominator;
  const std::vector<Integer> moves = to_common_denominator(values, denominator);
  if (!consistent(moves, denominator))
    return std::nullopt;
  return displacement(moves, denominator);
}

bool LocalLp::reaches_optimum(const Displacement& witness) const {
  const Fraction reached =
      displacement_of(witness, view_.free_cell(target_.cell).cell, target_.direction);
  return tol::compare(reached.to_double(), optimum()) != tol::Order::kSurelyLess;
}

std::optional<Displacement> LocalLp::witness() const {
  if (solution_.primal.size() != num_columns())
    return std::nullopt;
  std::optional<Displacement> shorter;  // consistent, but rounding took it off the optimum
  for (const int denominator : kDenominators) {
    auto found = rounded_witness(denominator);
    if (found && reaches_optimum(*found))
      return found;
    if (found && !shorter)
      shorter = std::move(found);
  }
  auto exact = basis_witness();
  return exact ? exact : shorter;
}

std::optional<Displacement> LocalLp::ray() const {
  if (solution_.status != LpStatus::kUnbounded || solution_.ray.size() != num_columns())
    return std::nullopt;
  std::vector<double> direction(cells_.size());
  double largest = 0;
  for (std::size_t c = 0; c < cells_.size(); ++c) {
    direction[c] = solution_.ray[2 * c] - solution_.ray[2 * c + 1];
    largest = std::max(largest, std::abs(direction[c]));
  }
  // Rays of table matrices are combinations of few cells with small integer ratios.
  for (const int size : {1, 2, 3, 4, 6, 12, 24, 60}) {
    std::vector<Wide> moves(cells_.size());
    bool possible = largest > 0;
    for (std::size_t c = 0; c < cells_.size() && possible; ++c) {
      const auto nearest = nearest_integer(direction[c] / largest * size);
      moves[c] = nearest.value_or(0);
      const Room& room = view_.free_cell(cells_[c]).room;
      possible = nearest && (moves[c] <= 0 || room.up == kUnboundedAbove) &&
                 (moves[c] >= 0 || room.down == kUnboundedAbove);
    }
    const bool moves_target =
        possible &&
        moves[static_cast<std::size_t>(target_column_ / 2)] * sign(target_.direction) > 0;
    if (moves_target && balanced(moves))
      return displacement(moves, 1);
  }
  return std::nullopt;
}

std::optional<Multipliers> LocalLp::rounded_proof(int denominator) const {
  if (solution_.dual.size() != rows_.size())
    return std::nullopt;
  // The engine minimized -s z_p with d = c - M'y; the proof has d = s e_p - M'g, so g = -y.
  count_work(kAttackTouches.rounding_column * std::ssize(rows_));
  Multipliers result;
  result.denominator = denominator;
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    const auto nearest = nearest_integer(-solution_.dual[r] * denominator);
    if (!nearest)
      return std::nullopt;
    if (*nearest == 0)
      continue;
    result.equations.push_back(rows_[r]);
    result.values.push_back(to_integer(*nearest));
  }
  return result;
}

std::optional<Multipliers> LocalLp::basis_proof() const {
  const auto system = basis_system();
  if (!system)
    return std::nullopt;
  std::vector<mpq_class> rhs(system->columns.size());
  // Costs of s z_p: 1 on the target's column, -1 on the opposite one.
  const auto column = static_cast<std::size_t>(target_column_);
  if (system->place[column] >= 0)
    rhs[static_cast<std::size_t>(system->place[column])] = 1;
  if (system->place[column ^ 1U] >= 0)
    rhs[static_cast<std::size_t>(system->place[column ^ 1U])] = -1;
  const auto count = static_cast<std::int32_t>(system->columns.size());
  const auto solved = solve_exactly(transpose(system->matrix, count), rhs);
  if (!solved)
    return std::nullopt;
  Multipliers result;
  const std::vector<Integer> values = to_common_denominator(*solved, result.denominator);
  for (std::size_t i = 0; i < system->rows.size(); ++i) {
    if (values[i] == 0)
      continue;
    result.equations.push_back(rows_[system->rows[i]]);
    result.values.push_back(values[i]);
  }
  return result;
}

}  // namespace lacuna::inline attack
