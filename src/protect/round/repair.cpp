// SPDX-License-Identifier: Apache-2.0
#include "protect/round/repair.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/work.h"
#include "protect/round/tuning.h"

namespace lacuna::rounding {
namespace {

double size_of(Units units) {
  return static_cast<double>(units < 0 ? -units : units);
}

}  // namespace

Repair::Repair(const System& system,
               std::span<const double> excess,
               const RepairOptions& options,
               std::uint64_t seed)
    : system_(system),
      excess_(excess),
      options_(options),
      random_(seed),
      price_(system.scale * options.penalty),
      touches_per_cell_(kTuning.touches.moved_cell +
                        kTuning.touches.moved_entry * system.column_row.size() /
                            std::max<std::size_t>(1, system.num_cells())) {}

Units Repair::step_of(std::int32_t cell, std::int32_t to) const {
  const std::size_t from = first(cell);
  const auto now = static_cast<std::size_t>(choice_[static_cast<std::size_t>(cell)]);
  return system_.deviation[from + static_cast<std::size_t>(to)] - system_.deviation[from + now];
}

double Repair::score(std::int32_t cell, std::int32_t to) const {
  const Units step = step_of(cell, to);
  const auto c = static_cast<std::size_t>(cell);
  double violation = 0;
  for (std::size_t k = system_.column_start[c]; k < system_.column_start[c + 1]; ++k) {
    const auto e = static_cast<std::size_t>(system_.column_row[k]);
    const Units before = residual_[e];
    violation += weight_[e] * (size_of(before + system_.column_factor[k] * step) - size_of(before));
  }
  return violation / static_cast<double>(system_.step) * price_ +
         (excess_of(cell, to) - excess_of(cell, choice_[c]));
}

void Repair::set_violated(std::size_t equation, bool violated) {
  const bool listed = where_[equation] >= 0;
  if (listed == violated)
    return;
  if (violated) {
    where_[equation] = static_cast<std::int32_t>(violated_.size());
    violated_.push_back(static_cast<std::int32_t>(equation));
    return;
  }
  const auto place = static_cast<std::size_t>(where_[equation]);
  violated_[place] = violated_.back();
  where_[static_cast<std::size_t>(violated_[place])] = static_cast<std::int32_t>(place);
  violated_.pop_back();
  where_[equation] = -1;
}

void Repair::flip(std::int32_t cell, std::int32_t to) {
  const Units step = step_of(cell, to);
  const auto c = static_cast<std::size_t>(cell);
  choice_[c] = to;
  last_flip_[c] = flips_;
  for (std::size_t k = system_.column_start[c]; k < system_.column_start[c + 1]; ++k) {
    const auto e = static_cast<std::size_t>(system_.column_row[k]);
    residual_[e] += system_.column_factor[k] * step;
    set_violated(e, residual_[e] != 0);
  }
}

// The neighbouring choices that bring the equation nearer to zero.
Repair::Move Repair::best_move(std::size_t equation) {
  Move best, rested;
  best.score = rested.score = std::numeric_limits<double>::infinity();
  std::int64_t equal = 0;
  base::count_work((system_.row_start[equation + 1] - system_.row_start[equation]) *
                   touches_per_cell_);
  for (std::size_t k = system_.row_start[equation]; k < system_.row_start[equation + 1]; ++k) {
    const std::int32_t cell = system_.row_cell[k];
    const auto c = static_cast<std::size_t>(cell);
    const bool up = (residual_[equation] < 0) == (system_.row_factor[k] > 0);
    const std::int32_t to = choice_[c] + (up ? 1 : -1);
    if (to < 0 || to >= choices(cell))
      continue;
    const double value = score(cell, to);
    if (flips_ - last_flip_[c] <= kTuning.repair.tabu) {
      if (value < rested.score)
        rested = {cell, to, value};
      continue;
    }
    if (value < best.score) {
      best = {cell, to, value};
      equal = 1;
    } else if (value == best.score && random_.chance(1, ++equal)) {
      best = {cell, to, value};
    }
  }
  if (best.cell < 0 || rested.score < std::min(best.score, 0.0))
    return rested.cell >= 0 ? rested : best;
  return best;
}

bool Repair::walk(std::int64_t most_flips, const RunContext& run) {
  std::int64_t stuck = 0;
  while (!violated_.empty() && flips_ < most_flips) {
    if (flips_ % kTuning.repair.check_every == 0 && run.should_stop())
      return false;
    const auto pick = static_cast<std::size_t>(
        random_.between(0, static_cast<std::int64_t>(violated_.size()) - 1));
    const auto equation = static_cast<std::size_t>(violated_[pick]);
    const Move move = best_move(equation);
    ++flips_;
    if (move.cell < 0) {
      weight_[equation] += 1;
      if (++stuck > 1000 * static_cast<std::int64_t>(violated_.size()))
        return false;  // none of these equations has a cell left that could move
      continue;
    }
    stuck = 0;
    if (move.score >= 0)
      weight_[equation] += options_.growth;
    flip(move.cell, move.to);
  }
  return violated_.empty();
}

bool Repair::solve(std::vector<std::int32_t> choice,
                   std::int64_t most_flips,
                   const RunContext& run) {
  choice_ = std::move(choice);
  residual_.assign(system_.num_equations(), 0);
  weight_.assign(system_.num_equations(), 1);
  where_.assign(system_.num_equations(), -1);
  violated_.clear();
  last_flip_.assign(choice_.size(), -kTuning.repair.tabu - 1);
  flips_ = 0;
  for (std::size_t e = 0; e < system_.num_equations(); ++e) {
    for (std::size_t k = system_.row_start[e]; k < system_.row_start[e + 1]; ++k) {
      const std::int32_t cell = system_.row_cell[k];
      const auto now = static_cast<std::size_t>(choice_[static_cast<std::size_t>(cell)]);
      residual_[e] += system_.row_factor[k] * system_.deviation[first(cell) + now];
    }
    set_violated(e, residual_[e] != 0);
  }
  return walk(most_flips, run);
}

}  // namespace lacuna::rounding
