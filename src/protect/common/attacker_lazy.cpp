// SPDX-License-Identifier: Apache-2.0
#include "protect/common/attacker_lazy.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/index.h"
#include "base/random.h"
#include "lacuna/tolerance.h"
#include "protect/common/attacker_lp.h"

namespace lacuna::inline common {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();
constexpr double kPrice = 1.0 / 16384;         // of movement, against 1 for falling short
constexpr std::int32_t kLargestBackup = 1500;  // cells
constexpr std::int64_t kFewTries = 8;
constexpr std::int64_t kFailureShare = 4;  // more than one in so many: not worth trying

constexpr LazyTuning kSearchTuning{.feasibility = tol::kNegligible,
                                   .negligible = tol::kNegligible,
                                   .smallest_pivot = tol::kDecision,
                                   .max_steps = 1500,
                                   .refactor_every = 1500,
                                   .largest_basis = 249};

}  // namespace

AttackerLazy::AttackerLazy(const SuppressModel& model, std::string engine)
    : model_(model),
      engine_(std::move(engine)),
      places_(at(model.num_cells()), at(model.num_equations())),
      dual_(at(model.num_cells())),
      moves_(at(model.num_cells())) {
  std::vector<std::size_t> count(at(model.num_cells()) + 1, 0);
  std::size_t entries = 0;
  for (std::int32_t r = 0; r < model.num_equations(); ++r) {
    for (const LocalTerm& term : model.equation(r))
      ++count[at(term.cell) + 1];
    entries += model.equation(r).size();
  }
  for (std::size_t i = 1; i < count.size(); ++i)
    count[i] += count[i - 1];
  column_start_ = count;
  incidents_.resize(entries);
  for (std::int32_t r = 0; r < model.num_equations(); ++r) {
    for (const LocalTerm& term : model.equation(r))
      incidents_[count[at(term.cell)]++] = {r, static_cast<double>(term.coefficient)};
  }
  for (std::int32_t i = 0; i < model.num_cells(); ++i)
    price_.push_back(kPrice * (1 + fixed_noise(i)));
  search_.attach(*this, places_);
}

Piecewise AttackerLazy::column_cost(std::int32_t column) const {
  if (column != last_.cell)
    return Piecewise::around_zero(
        down_[at(column)], up_[at(column)], price_[at(column)], price_[at(column)]);
  const bool high = last_.sign > 0;
  return Piecewise::around_zero(high ? kInfinite : 0, high ? 0 : kInfinite, 1, 1);
}

void AttackerLazy::list_column(std::int32_t column, std::vector<LazyEntry>& rows) const {
  for (std::size_t k = column_start_[at(column)]; k < column_start_[at(column) + 1]; ++k)
    rows.push_back(incidents_[k]);
}

// Most cells have no room where the master withholds few.
bool AttackerLazy::list_row(std::int32_t row, bool, std::vector<LazyEntry>& columns) {
  for (const LocalTerm& term : model_.equation(row)) {
    const std::size_t cell = at(term.cell);
    if (up_[cell] > 0 || down_[cell] > 0 || term.cell == last_.cell || places_.column[cell] >= 0)
      columns.push_back({term.cell, static_cast<double>(term.coefficient)});
  }
  return false;
}

void AttackerLazy::begin() {
  for (std::size_t k = column_start_[at(last_.cell)]; k < column_start_[at(last_.cell) + 1]; ++k)
    search_.add_constant(incidents_[k].index, incidents_[k].coefficient * last_.sign * last_.own);
}

AttackerSolver::Answer AttackerLazy::answer() {
  Answer answer;
  answer.solved = true;
  std::fill(moves_.begin(), moves_.end(), 0.0);
  std::fill(dual_.begin(), dual_.end(), 0.0);
  for (std::size_t item = 0; item < search_.num_items(); ++item)
    moves_[at(search_.column(item))] = search_.value(item);
  const std::int32_t own = places_.column[at(last_.cell)];
  const double missing = -last_.sign * moves_[at(last_.cell)];
  answer.value = last_.own - missing;
  moves_[at(last_.cell)] = last_.sign * answer.value;
  if (own < 0 || search_.basic(at(own)) < 0 || missing <= tol::kNegligible)
    dual_[at(last_.cell)] = last_.sign;  // the cell's own bound is what stops it
  else
    set_dual(at(search_.basic(at(own))));
  answer.dual = dual_;
  answer.moves = moves_;
  return answer;
}

// y'A_p = -s, the price of falling short; d = s e_p + A'y.
void AttackerLazy::set_dual(std::size_t own) {
  const double* multipliers = search_.inverse_row(own);
  for (std::size_t a = 0; a < search_.active_rows().size(); ++a) {
    const double y = -last_.sign * multipliers[a];
    if (std::abs(y) <= tol::kDual)
      continue;
    for (const LocalTerm& term : model_.equation(search_.row(at(search_.active_rows()[a]))))
      dual_[at(term.cell)] += y * term.coefficient;
  }
  dual_[at(last_.cell)] += last_.sign;
}

// Where the lazy search is no use, an engine answers if that does not take too long: a question
// without an answer costs a cut at most.
AttackerSolver::Answer AttackerLazy::ask_engine(const RunContext& run) {
  if (model_.num_cells() > kLargestBackup)
    return {};
  if (!backup_)
    backup_ = std::make_unique<AttackerLp>(model_, engine_);
  return backup_->push(last_, up_, down_, run);
}

bool AttackerLazy::is_worth_trying() const {
  return tries_ < kFewTries || failures_ * kFailureShare < tries_;
}

AttackerSolver::Answer AttackerLazy::search_and_answer(const RunContext& run) {
  ++tries_;
  complete_ = search_.solve(kSearchTuning) == LazyEnding::kOptimal;
  failures_ += complete_ ? 0 : 1;
  return complete_ ? answer() : ask_engine(run);
}

AttackerSolver::Answer AttackerLazy::push(const Target& target,
                                          std::span<const double> up,
                                          std::span<const double> down,
                                          const RunContext& run) {
  ++solves_;
  last_ = target;
  up_ = up;
  down_ = down;
  complete_ = false;
  search_.clear();
  begin();
  return is_worth_trying() ? search_and_answer(run) : ask_engine(run);
}

// The basis stays dual feasible when capacities change: columns at rest go where their pull says.
AttackerSolver::Answer AttackerLazy::push_again(std::span<const double> up,
                                                std::span<const double> down,
                                                const RunContext& run) {
  if (!complete_)
    return push(last_, up, down, run);
  ++solves_;
  up_ = up;
  down_ = down;
  if (!search_.restart(kSearchTuning, LazyChange::kColumns)) {
    search_.clear();
    begin();
  }
  return search_and_answer(run);
}

}  // namespace lacuna::inline common
