// SPDX-License-Identifier: Apache-2.0
#include "judge/attack/integer_kernel.h"

#include <algorithm>
#include <utility>

#include "core/base/index.h"
#include "core/base/rational.h"
#include "core/base/work.h"
#include "judge/attack/touches.h"

namespace lacuna::attack {
namespace {

constexpr Wide kLargest = Wide{1} << 60U;  // products of two stay within 128 bits

Wide size(Wide number) {
  return number < 0 ? -number : number;
}

// a -= times * b; false if a number becomes too large.
bool subtract_from(std::vector<Wide>& a, const std::vector<Wide>& b, Wide times) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (b[i] == 0)
      continue;
    a[i] -= times * b[i];
    if (size(a[i]) > kLargest)
      return false;
  }
  return true;
}

}  // namespace

IntegerKernel::IntegerKernel(const Table& table) {
  if (table.num_cells() > kMostCells)
    return;
  const auto cells = base::at(table.num_cells());
  matrix_.assign(cells, Vector(base::at(table.num_equations())));
  forward_.assign(cells, Vector(cells));
  for (std::size_t c = 0; c < cells; ++c)
    forward_[c][c] = 1;
  for (std::int32_t e = 0; e < table.num_equations(); ++e) {
    for (const Term& term : table.equation(EquationId{e}))
      matrix_[base::at(term.cell)][base::at(e)] = term.coefficient;
  }
  known_ = reduce();
}

bool IntegerKernel::reduce() {
  const std::size_t rows = matrix_.empty() ? 0 : matrix_.front().size();
  for (std::size_t row = 0; row < rows && rank_ < matrix_.size(); ++row) {
    if (!clear_row(row))
      return false;
  }
  return true;
}

// Leaves at most one number in this row beyond the pivots, by Euclid over the columns.
bool IntegerKernel::clear_row(std::size_t row) {
  while (true) {
    std::size_t smallest = matrix_.size();
    std::size_t count = 0;
    for (std::size_t c = rank_; c < matrix_.size(); ++c) {
      if (matrix_[c][row] == 0)
        continue;
      ++count;
      if (smallest == matrix_.size() || size(matrix_[c][row]) < size(matrix_[smallest][row]))
        smallest = c;
    }
    if (count == 0)
      return true;
    if (count == 1) {
      std::swap(matrix_[smallest], matrix_[rank_]);
      std::swap(forward_[smallest], forward_[rank_]);
      pivot_row_.push_back(row);
      ++rank_;
      return true;
    }
    for (std::size_t c = rank_; c < matrix_.size(); ++c) {
      const Wide times = c == smallest ? 0 : matrix_[c][row] / matrix_[smallest][row];
      if (times != 0 && !subtract(c, smallest, times))
        return false;
    }
  }
}

// Column `from` loses `times` the other.
bool IntegerKernel::subtract(std::size_t from, std::size_t column, Wide times) {
  base::count_work(kAttackTouches.kernel_entry * (std::ssize(matrix_[from]) + std::ssize(matrix_)));
  return size(times) <= kLargest && subtract_from(matrix_[from], matrix_[column], times) &&
         subtract_from(forward_[from], forward_[column], times);
}

Integer IntegerKernel::gcd_on_kernel(const std::vector<Integer>& on_columns) const {
  Integer divisor = 0;
  for (std::size_t c = rank_; c < on_columns.size(); ++c)
    divisor = gcd(divisor, on_columns[c]);
  return divisor;
}

// h with h'H = x, on the rows of the pivots: column c of H is zero above its pivot.
Multipliers IntegerKernel::solve(const std::vector<Fraction>& on_columns) const {
  std::vector<std::pair<std::size_t, Fraction>> values(rank_);
  for (std::size_t c = rank_; c-- > 0;) {
    Fraction rest = on_columns[c];
    for (std::size_t later = c + 1; later < rank_; ++later) {
      const Wide entry = matrix_[c][pivot_row_[later]];
      if (entry != 0)
        rest -= base::to_integer(entry) * values[later].second;
    }
    values[c] = {pivot_row_[c], rest / base::to_integer(matrix_[c][pivot_row_[c]])};
  }
  std::vector<Fraction> numbers;
  for (const auto& [row, value] : values)
    numbers.push_back(value);
  Multipliers h;
  const std::vector<Integer> whole = base::to_common_denominator(numbers, h.denominator);
  for (std::size_t c = 0; c < rank_; ++c) {  // pivots are found in the order of the rows
    if (whole[c] == 0)
      continue;
    h.equations.push_back(EquationId{static_cast<std::int32_t>(values[c].first)});
    h.values.push_back(whole[c]);
  }
  return h;
}

std::optional<Step> IntegerKernel::step(std::span<const Term> form) const {
  if (!known_)
    return std::nullopt;
  const std::size_t cells = forward_.size();
  base::count_work(kAttackTouches.kernel_entry * std::ssize(forward_) * (1 + std::ssize(form)));
  std::vector<Integer> on_columns(cells);  // f'U
  for (std::size_t c = 0; c < cells; ++c) {
    for (const Term& term : form)
      on_columns[c] += base::to_integer(forward_[c][base::at(term.cell)]) * term.coefficient;
  }
  Step step;
  step.q = gcd_on_kernel(on_columns);
  if (step.q < 2)
    return std::nullopt;
  // (f/q - w)'U = [f'U / q, 0]: w takes the kernel's part, and only that.
  std::vector<Fraction> rest(rank_);
  for (std::size_t c = 0; c < rank_; ++c)
    rest[c] = base::make_fraction(on_columns[c], step.q);
  step.h = solve(rest);
  return step;
}

}  // namespace lacuna::attack
