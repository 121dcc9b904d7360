// SPDX-License-Identifier: Apache-2.0
#include "judge/attacker/lazy.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/index.h"
#include "core/base/random.h"
#include "judge/attacker/tuning.h"
#include "lacuna/tolerance.h"

namespace lacuna::attacker {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();
constexpr double kPrice = 1.0 / 16384;  // of movement, against 1 for falling short

// A basis of 250 left 3,017 of 3,037 questions of a table of 12,555 cells open; of 1,000, none of
// 2,112 over withheld cells.
constexpr simplex::LazyTuning kSearchTuning{.feasibility = tol::kNegligible,
                                            .negligible = tol::kNegligible,
                                            .smallest_pivot = tol::kDecision,
                                            .max_steps = 4000,
                                            .refactor_every = 1500,
                                            .largest_basis = 1000};

// In a large table a question that hangs together with all of it takes 0.2 s that way; a search
// that is cut off sooner gives a constraint as well.
constexpr simplex::LazyTuning short_tuning() {
  simplex::LazyTuning tuning = kSearchTuning;
  tuning.max_steps = 600;
  tuning.largest_basis = 200;
  return tuning;
}

}  // namespace

AttackerLazy::AttackerLazy(const AttackerProblem& problem, std::string engine)
    : problem_(problem),
      engine_(std::move(engine)),
      tuning_(problem.num_cells() > kTuning.largest_lp ? short_tuning() : kSearchTuning),
      places_(base::at(problem.num_cells()), base::at(problem.num_rows())),
      sums_(base::at(problem.num_cells()), 0.0) {
  for (std::int32_t i = 0; i < problem.num_cells(); ++i)
    price_.push_back(kPrice * (1 + base::fixed_noise(i)));
  search_.attach(*this, places_);
}

simplex::Piecewise AttackerLazy::column_cost(std::int32_t column) const {
  if (column != last_.cell) {
    const RealSlack slack = slacks_->of(column);
    return simplex::Piecewise::around_zero(
        slack.down, slack.up, price_[base::at(column)], price_[base::at(column)]);
  }
  const bool high = last_.sign > 0;
  return simplex::Piecewise::around_zero(high ? kInfinite : 0, high ? 0 : kInfinite, 1, 1);
}

void AttackerLazy::list_column(std::int32_t column, std::vector<simplex::LazyEntry>& rows) const {
  for (const simplex::LazyEntry& entry : problem_.rows_of(column)) {
    if (!confined_ || places_.row[base::at(entry.index)] >= 0)
      rows.push_back(entry);
  }
}

// Most cells have no slack where the master withholds few.
bool AttackerLazy::list_row(std::int32_t row, bool, std::vector<simplex::LazyEntry>& columns) {
  for (const simplex::LazyEntry& entry : problem_.row(row)) {
    if (entry.index == last_.cell || places_.column[base::at(entry.index)] >= 0 ||
        slacks_->has_slack(entry.index))
      columns.push_back(entry);
  }
  return false;
}

void AttackerLazy::begin() {
  for (const simplex::LazyEntry& entry : problem_.rows_of(last_.cell))
    search_.add_constant(entry.index, entry.coefficient * last_.sign * last_.most);
}

AttackerSolver::Answer AttackerLazy::answer_of_search() {
  moves_.clear();
  double missing = 0;
  for (std::size_t item = 0; item < search_.num_items(); ++item) {
    const double move = search_.value(item);
    if (search_.column(item) == last_.cell)
      missing = -last_.sign * move;
    else if (move != 0)
      moves_.emplace_back(search_.column(item), move);
  }
  moves_.emplace_back(last_.cell, last_.sign * (last_.most - missing));
  dual_.clear();
  if (missing <= tol::kNegligible)
    dual_.emplace_back(last_.cell, last_.sign);  // the cell's own bound is what stops it
  else
    set_dual();
  return answer(complete_, last_.most - missing);
}

void AttackerLazy::add_dual(std::int32_t cell, double d) {
  if (sums_[base::at(cell)] == 0)
    touched_.push_back(cell);
  sums_[base::at(cell)] += d;
}

// y'A_p = -s, the price of falling short; d = s e_p + A'y.
void AttackerLazy::set_dual() {
  const std::int32_t own = places_.column[base::at(last_.cell)];
  add_dual(last_.cell, last_.sign);
  if (own >= 0 && search_.basic(base::at(own)) >= 0) {
    const double* multipliers = search_.inverse_row(base::at(search_.basic(base::at(own))));
    for (std::size_t a = 0; a < search_.active_rows().size(); ++a) {
      const double y = -last_.sign * multipliers[a];
      if (std::abs(y) <= tol::kDual)
        continue;
      for (const simplex::LazyEntry& entry :
           problem_.row(search_.row(base::at(search_.active_rows()[a]))))
        add_dual(entry.index, y * entry.coefficient);
    }
  }
  for (const std::int32_t cell : touched_) {
    if (sums_[base::at(cell)] != 0)  // a cell may be listed twice
      dual_.emplace_back(cell, sums_[base::at(cell)]);
    sums_[base::at(cell)] = 0;
  }
  touched_.clear();
}

AttackerSolver::Answer AttackerLazy::search(const RunContext& run) {
  complete_ = search_.solve(tuning_, &run) == simplex::LazyEnding::kOptimal;
  return answer_of_search();
}

AttackerSolver::Answer AttackerLazy::push(const Query& query,
                                          const Slacks& slacks,
                                          const RunContext& run) {
  if (std::isinf(query.most)) {
    last_ = query;
    return insist(slacks, run);
  }
  ++solves_;
  last_ = query;
  slacks_ = &slacks;
  confined_ = false;
  search_.clear();
  begin();
  return search(run);
}

// The basis stays dual feasible when slacks change: columns at rest go where their pull says.
// In a large table a little slack on every cell opens all of it to the search: then the equations
// that the first answer looked at are all there are, and the multipliers of the others zero.
AttackerSolver::Answer AttackerLazy::push_again(const Slacks& slacks, const RunContext& run) {
  if (!complete_)
    return push(last_, slacks, run);
  ++solves_;
  slacks_ = &slacks;
  confined_ = problem_.num_cells() > kTuning.whole_again;
  if (!search_.restart(tuning_, simplex::LazyChange::kColumns)) {
    confined_ = false;
    search_.clear();
    begin();
  }
  return search(run);
}

AttackerSolver::Answer AttackerLazy::insist(const Slacks& slacks, const RunContext& run) {
  if (!backup_)
    backup_ = std::make_unique<AttackerLp>(problem_, engine_);
  complete_ = false;
  return backup_->push(last_, slacks, run);
}

}  // namespace lacuna::attacker
