// SPDX-License-Identifier: Apache-2.0
#include "protect/start/flat_slacks.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "core/base/work.h"
#include "lacuna/tolerance.h"
#include "protect/start/tuning.h"

namespace lacuna::start {
SmallProgram::SmallProgram(std::size_t rows,
                           std::vector<std::size_t> generators,
                           std::vector<double> entries)
    : rows_(rows),
      columns_(generators.size()),
      generators_(std::move(generators)),
      entries_(std::move(entries)),
      bounds_(rows) {}

std::optional<std::vector<double>> SmallProgram::reach(std::size_t row, double sign, double level) {
  if ((sign > 0 ? bounds_[row].up : bounds_[row].down) < level)
    return std::nullopt;
  tableau_ = entries_;
  value_.assign(rows_, 0);
  held_ = generators_;
  is_basic_.assign(rows_, 1);
  for (const std::size_t each : held_)
    is_basic_[each] = 0;
  const std::size_t most = kTuning.flats.steps_per_column * (columns_ + 1);
  for (std::size_t step = 0; step < most && sign * value_[row] < level; ++step) {
    if (!improve(row, sign))
      break;
  }
  if (sign * value_[row] < level * (1 - kTuning.flats.tolerance))
    return std::nullopt;
  const double scale = level / (sign * value_[row]);
  for (double& each : value_)
    each *= scale;
  return value_;
}

// One step of the simplex method; false if there is none.
bool SmallProgram::improve(std::size_t row, double sign) {
  std::size_t best = columns_;
  double most = tol::kNegligible;
  for (std::size_t j = 0; j < columns_; ++j) {
    const double rate = is_basic_[row] != 0 ? at(row, j) : (held_[j] == row ? 1 : 0);
    if (std::abs(rate) > most && slack(held_[j], sign * rate) > 0) {
      most = std::abs(rate);
      best = j;
    }
  }
  if (best == columns_)
    return false;
  const double rate = is_basic_[row] != 0 ? at(row, best) : 1;
  return move(best, sign * rate > 0 ? 1 : -1);
}

// As far as the first bound that is met, the column's own or that of a basic row, which then
// changes places with it.
bool SmallProgram::move(std::size_t column, double direction) {
  double length = slack(held_[column], direction);
  std::size_t leaving = rows_;
  double size = 0;
  for (std::size_t i = 0; i < rows_; ++i) {
    const double rate = is_basic_[i] == 0 ? 0 : direction * at(i, column);
    if (std::abs(rate) <= tol::kNegligible)
      continue;
    const double own = std::max(0.0, slack(i, rate)) / std::abs(rate);
    if (own < length || (own == length && leaving < rows_ && std::abs(rate) > size)) {
      length = own;
      leaving = i;
      size = std::abs(rate);
    }
  }
  base::count_work(2 * rows_);
  if (!std::isfinite(length))
    return false;
  for (std::size_t i = 0; i < rows_; ++i) {
    if (is_basic_[i] != 0)
      value_[i] += direction * length * at(i, column);
  }
  value_[held_[column]] += direction * length;
  if (leaving < rows_)
    exchange(leaving, column);
  return true;
}

void SmallProgram::exchange(std::size_t row, std::size_t column) {
  const double pivot = at(row, column);
  own_.assign(&at(row, 0), &at(row, 0) + columns_);
  for (std::size_t i = 0; i < rows_; ++i) {
    const double factor = is_basic_[i] == 0 ? 0 : at(i, column) / pivot;
    if (factor == 0)
      continue;
    for (std::size_t j = 0; j < columns_; ++j)
      at(i, j) -= factor * own_[j];
    at(i, column) = factor;
  }
  base::count_work(rows_ * columns_);
  const std::size_t entering = std::exchange(held_[column], row);
  is_basic_[row] = 0;
  is_basic_[entering] = 1;
  for (std::size_t j = 0; j < columns_; ++j)
    at(entering, j) = j == column ? 1 / pivot : -own_[j] / pivot;
}

// The slacks and levels of the rows that are left, from those of the classes.
bool FlatSlacks::gather(const FlatContraction& left,
                        const std::vector<FlatGround::Slacks>& slacks) {
  constexpr double kAny = std::numeric_limits<double>::infinity();
  std::vector<std::int32_t> row_of(slacks.size(), -1);
  slacks_.assign(left.rows().size(), {kAny, kAny, 0, 0});
  for (std::size_t r = 0; r < left.rows().size(); ++r)
    row_of[static_cast<std::size_t>(left.rows()[r].number)] = static_cast<std::int32_t>(r);
  base::count_work(10 * slacks.size());
  for (std::size_t c = 0; c < slacks.size(); ++c) {
    const auto place = left.place(static_cast<std::int32_t>(c));
    if (place.number < 0)
      continue;
    const auto factor = residues::number(place.factor);
    if (!factor)
      return false;
    const double size = std::abs(*factor);
    const bool same = *factor > 0;
    FlatGround::Slacks& row =
        slacks_[static_cast<std::size_t>(row_of[static_cast<std::size_t>(place.number)])];
    const FlatGround::Slacks& own = slacks[c];
    row.down = std::min(row.down, (same ? own.down : own.up) / size);
    row.up = std::min(row.up, (same ? own.up : own.down) / size);
    row.low = std::max(row.low, (same ? own.low : own.high) / size);
    row.high = std::max(row.high, (same ? own.high : own.low) / size);
  }
  return true;
}

std::optional<SmallProgram> FlatSlacks::program(const FlatContraction& left) const {
  const std::size_t columns = left.dimension();
  const std::size_t rows = left.rows().size();
  std::vector<double> entries(rows * columns);
  std::vector<std::size_t> generators(columns, rows);
  for (std::size_t r = 0; r < rows; ++r) {
    std::size_t moved = 0;
    std::size_t last = 0;
    for (std::size_t j = 0; j < columns; ++j) {
      const auto number = residues::number(left.entry(r, j));
      if (!number)
        return std::nullopt;
      entries[r * columns + j] = *number;
      moved += static_cast<std::size_t>(*number != 0);
      last = *number != 0 ? j : last;
    }
    if (moved == 1)
      generators[last] = r;
  }
  if (std::find(generators.begin(), generators.end(), rows) != generators.end())
    return std::nullopt;  // an accident
  for (std::size_t j = 0; j < columns; ++j) {
    const double unit = entries[generators[j] * columns + j];
    for (std::size_t r = 0; r < rows; ++r)
      entries[r * columns + j] /= unit;
  }
  base::count_work(4 * entries.size());
  SmallProgram result(rows, std::move(generators), std::move(entries));
  for (std::size_t r = 0; r < rows; ++r)
    result.set_bounds(r, slacks_[r].down, slacks_[r].up);
  return result;
}

std::vector<FlatSlacks::LevelTest> FlatSlacks::questions(const FlatContraction& left) const {
  std::vector<LevelTest> asked;
  for (std::size_t r = 0; r < slacks_.size(); ++r) {
    const std::size_t before = asked.size();
    if (slacks_[r].high > 0)
      asked.push_back({r, 1, slacks_[r].high});
    if (slacks_[r].low > 0)
      asked.push_back({r, -1, slacks_[r].low});
    if (left.rows()[r].number == hard_)
      std::rotate(asked.begin(), asked.begin() + static_cast<std::ptrdiff_t>(before), asked.end());
  }
  return asked;
}

bool FlatSlacks::serve(const FlatContraction& left) {
  for (const auto& slacks : ground_.slacks()) {
    if (!gather(left, slacks))
      return false;
    const std::vector<LevelTest> asked = questions(left);
    for (const LevelTest& each : asked) {
      const FlatGround::Slacks& own = slacks_[each.row];
      if ((each.sign > 0 ? own.up : own.down) < each.level)
        return false;
    }
    auto small = program(left);
    if (!small)
      return false;
    for (const LevelTest& each : asked) {
      if (small->reach(each.row, each.sign, each.level))
        continue;
      hard_ = left.rows()[each.row].number;
      return false;
    }
  }
  return true;
}

}  // namespace lacuna::start
