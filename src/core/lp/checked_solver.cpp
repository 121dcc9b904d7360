// SPDX-License-Identifier: Apache-2.0
#include "core/lp/checked_solver.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/check.h"
#include "core/base/work.h"
#include "core/lp/certificates.h"
#include "core/lp/row_check.h"
#include "core/lp/trivial.h"

namespace lacuna::lp {
namespace {

std::size_t at(std::int64_t index) {
  return static_cast<std::size_t>(index);
}

// The bounds of one variable may have moved since its status was recorded.
BasisStatus standing_status(BasisStatus status, double lower, double upper) {
  const bool has_lower = lower > -kLpInfinity;
  const bool has_upper = upper < kLpInfinity;
  switch (status) {
    case BasisStatus::kBasic:
      return status;
    case BasisStatus::kAtUpper:
      if (has_upper) {
        return status;
      }
      break;
    case BasisStatus::kAtLower:
    case BasisStatus::kFreeAtZero:
      break;
  }
  if (has_lower) {
    return BasisStatus::kAtLower;
  }
  return has_upper ? BasisStatus::kAtUpper : BasisStatus::kFreeAtZero;
}

std::int64_t count_basic(const LpBasis& basis) {
  return std::ranges::count(basis.columns, BasisStatus::kBasic) +
         std::ranges::count(basis.rows, BasisStatus::kBasic);
}

// Brings the number of basic variables to the number of rows: slacks come in first where there are
// too few and columns go out first where there are too many. Engines repair singularity themselves.
void balance(LpBasis& basis) {
  std::int64_t excess = count_basic(basis) - static_cast<std::int64_t>(basis.rows.size());
  for (auto row = basis.rows.begin(); row != basis.rows.end() && excess < 0; ++row) {
    if (*row != BasisStatus::kBasic) {
      *row = BasisStatus::kBasic;
      ++excess;
    }
  }
  for (auto column = basis.columns.begin(); column != basis.columns.end() && excess > 0; ++column) {
    if (*column == BasisStatus::kBasic) {
      *column = BasisStatus::kAtLower;
      --excess;
    }
  }
  for (auto row = basis.rows.begin(); row != basis.rows.end() && excess > 0; ++row) {
    if (*row == BasisStatus::kBasic) {
      *row = BasisStatus::kAtLower;
      --excess;
    }
  }
}

template <class Vector>
void drop_marked(Vector& vector, const std::vector<bool>& dropped) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < vector.size(); ++i) {
    if (!dropped[i]) {
      vector[kept++] = vector[i];
    }
  }
  vector.resize(kept);
}

void drop_rows(LpModel& model, const std::vector<bool>& dropped) {
  std::size_t entries = 0;
  std::vector<std::int64_t> starts{0};
  for (std::size_t i = 0; i < dropped.size(); ++i) {
    if (dropped[i]) {
      continue;
    }
    for (auto k = model.row_start[i]; k < model.row_start[i + 1]; ++k, ++entries) {
      model.row_column[entries] = model.row_column[at(k)];
      model.row_value[entries] = model.row_value[at(k)];
    }
    starts.push_back(static_cast<std::int64_t>(entries));
  }
  model.row_column.resize(entries);
  model.row_value.resize(entries);
  model.row_start = std::move(starts);
  drop_marked(model.row_lower, dropped);
  drop_marked(model.row_upper, dropped);
}

void append_rows(LpModel& model, const LpModel& rows_of) {
  for (std::size_t i = 0; i < rows_of.row_lower.size(); ++i) {
    const std::size_t begin = at(rows_of.row_start[i]);
    const std::size_t size = at(rows_of.row_start[i + 1]) - begin;
    model.add_row(rows_of.row_lower[i],
                  rows_of.row_upper[i],
                  std::span(rows_of.row_column).subspan(begin, size),
                  std::span(rows_of.row_value).subspan(begin, size));
  }
}

bool has_wide_integers(const LpModel& model) {
  for (std::size_t j = 0; j < model.integer.size(); ++j) {
    if (model.integer[j] && model.column_upper[j] - model.column_lower[j] > 1)
      return true;
  }
  return false;
}

// What a MIP takes: presolve, propagation, cuts and sub-MIPs, which report no iterations of their
// own, are most of it. Measured with HiGHS on masters of 130 to 7,400 columns: 10 ms and 10 us per
// line at least; per iteration 0.2 to 0.5 ms where all integers are binary, 0.3 to 2 ms else.
struct MipTouches {
  std::int64_t solve = 8'000'000;
  std::int64_t line = 10'000;
  std::int64_t iteration = 400'000;
  std::int64_t wide_iteration = 1'000'000;
};
constexpr MipTouches kMipTouches;

// What an LP engine takes, from 16,600 solves of seven runs (HiGHS, 35 to 15,000 columns). How much
// an iteration takes depends on the fill of the basis, which is not known: 12 ns per row where all
// is sparse, 80 where dimensions are many. In between, nine in ten solves are met within a factor
// of 2.5.
struct Touches {
  std::int64_t solve = 110'000;
  std::int64_t solve_line = 650;  // of rows and columns
  std::int64_t iteration = 1500;
  std::int64_t iteration_row = 30;
  std::int64_t sparse_row = 10;
  std::int64_t iteration_entries = 400;  // a thousand of them
};
constexpr Touches kTouches;

}  // namespace

void CheckedSolver::Changes::reset(std::size_t size) {
  marked_.assign(size, false);
  list_.clear();
}

void CheckedSolver::Changes::mark(std::int32_t index) {
  if (!marked_[at(index)]) {
    marked_[at(index)] = true;
    list_.push_back(index);
  }
}

std::span<const std::int32_t> CheckedSolver::Changes::sorted() {
  std::ranges::sort(list_);
  return list_;
}

void CheckedSolver::Changes::clear() {
  for (const std::int32_t index : list_) {
    marked_[at(index)] = false;
  }
  list_.clear();
}

CheckedSolver::CheckedSolver(std::unique_ptr<LpEngine> engine, const LpOptions& options)
    : engine_(std::move(engine)), options_(options), checker_(options.mip_gap) {}

Status CheckedSolver::load(const LpModel& model) {
  LACUNA_RETURN_IF_ERROR(model.validate());
  const bool is_mip = has_integers(model);
  if (is_mip && !engine_->supports_integers()) {
    return Error{ErrorCode::kNoEngine,
                 "The engine cannot solve models with integer columns.",
                 std::string(engine_->name())};
  }
  LACUNA_RETURN_IF_ERROR(engine_->load(model));
  model_ = model;
  is_mip_ = is_mip;
  has_wide_integers_ = is_mip && has_wide_integers(model);
  basis_holder_ = BasisHolder::kNobody;
  last_was_optimal_ = false;
  forget_changes();
  return ok_status();
}

void CheckedSolver::forget_changes() {
  column_bounds_.reset(model_.column_lower.size());
  costs_.reset(model_.column_lower.size());
  row_bounds_.reset(model_.row_lower.size());
}

void CheckedSolver::set_column_bounds(std::int32_t column, double lower, double upper) {
  LACUNA_CHECK(column >= 0 && column < model_.num_columns());
  LACUNA_CHECK(lower < kLpInfinity && upper > -kLpInfinity);  // false for NaN
  if (model_.column_lower[at(column)] == lower && model_.column_upper[at(column)] == upper) {
    return;
  }
  model_.column_lower[at(column)] = lower;
  model_.column_upper[at(column)] = upper;
  column_bounds_.mark(column);
}

void CheckedSolver::set_row_bounds(std::int32_t row, double lower, double upper) {
  LACUNA_CHECK(row >= 0 && row < model_.num_rows());
  LACUNA_CHECK(lower < kLpInfinity && upper > -kLpInfinity);
  if (model_.row_lower[at(row)] == lower && model_.row_upper[at(row)] == upper) {
    return;
  }
  model_.row_lower[at(row)] = lower;
  model_.row_upper[at(row)] = upper;
  row_bounds_.mark(row);
}

void CheckedSolver::set_cost(std::int32_t column, double cost) {
  LACUNA_CHECK(column >= 0 && column < model_.num_columns());
  LACUNA_CHECK(std::isfinite(cost));
  if (model_.cost[at(column)] != cost) {
    model_.cost[at(column)] = cost;
    costs_.mark(column);
  }
}

void CheckedSolver::add_rows(const LpModel& rows_of) {
  LACUNA_CHECK(validate_rows(rows_of, model_.num_columns()));
  LpBasis longer = basis();
  hand_over_changes();
  engine_->add_rows(rows_of);
  append_rows(model_, rows_of);
  row_bounds_.reset(model_.row_lower.size());
  if (!longer.empty()) {
    longer.rows.resize(model_.row_lower.size(), BasisStatus::kBasic);
    hold_basis(std::move(longer));
  }
}

void CheckedSolver::delete_rows(std::span<const std::int32_t> rows) {
  std::vector<bool> dropped(model_.row_lower.size(), false);
  std::int32_t previous = -1;
  for (const std::int32_t row : rows) {
    LACUNA_CHECK(row > previous && row < model_.num_rows());
    dropped[at(row)] = true;
    previous = row;
  }
  if (rows.empty()) {
    return;
  }
  LpBasis shorter = basis();
  hand_over_changes();
  engine_->delete_rows(rows);
  drop_rows(model_, dropped);
  row_bounds_.reset(model_.row_lower.size());
  if (!shorter.empty()) {
    drop_marked(shorter.rows, dropped);
    hold_basis(std::move(shorter));
  }
}

void CheckedSolver::set_basis(const LpBasis& basis) {
  if (basis.empty()) {
    hold_basis(slack_basis(model_));
    return;
  }
  LACUNA_CHECK(basis.columns.size() == model_.column_lower.size());
  LACUNA_CHECK(basis.rows.size() == model_.row_lower.size());
  hold_basis(basis);
}

void CheckedSolver::hold_basis(LpBasis basis) {
  basis_ = std::move(basis);
  balance(basis_);
  basis_holder_ = BasisHolder::kSolver;
}

LpBasis CheckedSolver::basis() const {
  switch (basis_holder_) {
    case BasisHolder::kNobody:
      return {};
    case BasisHolder::kEngine:
      return engine_->basis();
    case BasisHolder::kSolver:
      return basis_;
  }
  return {};
}

void CheckedSolver::hand_over_changes() {
  if (!column_bounds_.empty()) {
    engine_->change_column_bounds(model_, column_bounds_.sorted());
    column_bounds_.clear();
  }
  if (!row_bounds_.empty()) {
    engine_->change_row_bounds(model_, row_bounds_.sorted());
    row_bounds_.clear();
  }
  if (!costs_.empty()) {
    engine_->change_costs(model_, costs_.sorted());
    costs_.clear();
  }
}

void CheckedSolver::hand_over_basis() {
  if (basis_holder_ != BasisHolder::kSolver) {
    return;
  }
  for (std::size_t j = 0; j < basis_.columns.size(); ++j) {
    basis_.columns[j] =
        standing_status(basis_.columns[j], model_.column_lower[j], model_.column_upper[j]);
  }
  for (std::size_t i = 0; i < basis_.rows.size(); ++i) {
    basis_.rows[i] = standing_status(basis_.rows[i], model_.row_lower[i], model_.row_upper[i]);
  }
  engine_->set_basis(basis_);
  basis_holder_ = BasisHolder::kEngine;
}

// After a change of costs alone the last vertex is still feasible: primal simplex goes on from it.
// After a change of bounds or rows it is still dual feasible.
SolveRecipe CheckedSolver::first_recipe() const {
  SolveRecipe recipe;
  recipe.presolve = is_mip_ || options_.presolve;
  const bool still_feasible = last_was_optimal_ && basis_holder_ == BasisHolder::kEngine &&
                              column_bounds_.empty() && row_bounds_.empty() && !costs_.empty();
  recipe.simplex = still_feasible ? SimplexKind::kPrimal : SimplexKind::kDual;
  return recipe;
}

std::vector<SolveRecipe> CheckedSolver::other_recipes() const {
  constexpr auto kPrimal = SimplexKind::kPrimal;
  constexpr auto kDual = SimplexKind::kDual;
  if (is_mip_) {
    return {{.from_scratch = true, .presolve = true, .tight_integrality = true},
            {.from_scratch = true, .presolve = false, .tight_integrality = true}};
  }
  return {{.from_scratch = true, .simplex = kDual},
          {.from_scratch = true, .scaling = false, .simplex = kPrimal},
          {.from_scratch = true, .presolve = true, .simplex = kDual},
          {.from_scratch = true, .scaling = false, .simplex = kDual},
          {.from_scratch = true, .simplex = kPrimal}};
}

LpSolution CheckedSolver::minimize(const RunContext& run) {
  LpSolution answer;
  if (run.should_stop()) {
    answer.status = LpStatus::kLimit;
    return answer;
  }
  if (has_crossed_bounds(model_) || is_trivial(model_)) {
    answer = solve_without_engine();
  } else {
    answer = ask_engine(run);
    const bool has_basis = !is_mip_ && answer.status != LpStatus::kNumericalTrouble;
    basis_holder_ = has_basis ? BasisHolder::kEngine : BasisHolder::kNobody;
  }
  last_was_optimal_ = answer.status == LpStatus::kOptimal;
  return answer;
}

LpSolution CheckedSolver::solve_without_engine() {
  LpSolution claim;
  if (has_crossed_bounds(model_)) {
    claim.status = LpStatus::kInfeasible;
  } else {
    claim = solve_trivial(model_);
    hold_basis(slack_basis(model_));
  }
  return checker_.believe(model_, std::move(claim));
}

LpSolution CheckedSolver::ask_engine(const RunContext& run) {
  const SolveRecipe first = first_recipe();
  hand_over_changes();
  hand_over_basis();
  LpSolution answer = ask_once(first, run);
  if (answer.status != LpStatus::kNumericalTrouble) {
    return answer;
  }
  std::int64_t iterations = answer.iterations;
  for (const SolveRecipe& recipe : other_recipes()) {
    if (run.should_stop()) {
      answer.status = LpStatus::kLimit;
      break;
    }
    answer = ask_once(recipe, run);
    iterations += answer.iterations;
    if (answer.status != LpStatus::kNumericalTrouble) {
      break;
    }
  }
  answer.iterations = iterations;
  return answer;
}

// What a solve takes besides its iterations (new numbers, a factorization, the check of the
// answer), and what an iteration takes.
std::int64_t CheckedSolver::touches_per_solve() const {
  if (is_mip_)
    return kMipTouches.solve + kMipTouches.line * (model_.num_rows() + model_.num_columns());
  return kTouches.solve + kTouches.solve_line * (model_.num_rows() + model_.num_columns());
}

std::int64_t CheckedSolver::touches_per_iteration() const {
  if (is_mip_)
    return has_wide_integers_ ? kMipTouches.wide_iteration : kMipTouches.iteration;
  const std::int64_t row = options_.stays_sparse ? kTouches.sparse_row : kTouches.iteration_row;
  return kTouches.iteration + row * model_.num_rows() +
         kTouches.iteration_entries * std::ssize(model_.row_value) / 1000;
}

std::int64_t CheckedSolver::most_iterations(const RunContext& run) const {
  const std::int64_t left = run.work_left();
  if (left == kNoWorkLimit)
    return std::numeric_limits<std::int64_t>::max();
  const double touches = static_cast<double>(left) * static_cast<double>(base::kTouchesPerUnit);
  return 1 + static_cast<std::int64_t>(touches / static_cast<double>(touches_per_iteration()));
}

LpSolution CheckedSolver::ask_once(SolveRecipe recipe, const RunContext& run) {
  recipe.max_iterations = most_iterations(run);
  LpSolution claim = engine_->solve(recipe, run);
  base::count_work(touches_per_solve() + claim.iterations * touches_per_iteration());
  const LpStatus claimed = claim.status;
  LpSolution answer = checker_.believe(model_, std::move(claim));
  if (answer.status != LpStatus::kNumericalTrouble || !seeks_proofs_) {
    return answer;
  }
  if (claimed == LpStatus::kInfeasible) {
    return prove_infeasible(run);
  }
  return claimed == LpStatus::kUnbounded ? prove_unbounded(run) : answer;
}

LpSolution CheckedSolver::solve_aside(const LpModel& model, const RunContext& run) const {
  CheckedSolver aside(engine_->make_another(), options_);
  aside.seeks_proofs_ = false;
  const Status loaded = aside.load(model);
  return loaded ? aside.minimize(run) : LpSolution{};
}

LpSolution CheckedSolver::prove_infeasible(const RunContext& run) {
  LpSolution elastic = solve_aside(elastic_model(model_), run);
  LpSolution claim;
  claim.iterations = elastic.iterations;
  if (elastic.status == LpStatus::kOptimal) {
    claim.status = LpStatus::kInfeasible;
    claim.ray = std::move(elastic.dual);
  }
  return checker_.believe(model_, std::move(claim));
}

LpSolution CheckedSolver::prove_unbounded(const RunContext& run) {
  LpSolution point = solve_aside(any_point_model(model_), run);
  if (point.status == LpStatus::kNumericalTrouble) {
    return prove_infeasible(run);
  }
  if (point.status != LpStatus::kOptimal) {
    return checker_.believe(model_, std::move(point));
  }
  LpSolution direction = solve_aside(direction_model(model_), run);
  LpSolution claim;
  claim.iterations = point.iterations + direction.iterations;
  if (direction.status == LpStatus::kOptimal) {
    claim.status = LpStatus::kUnbounded;
    claim.primal = std::move(point.primal);
    claim.ray = std::move(direction.primal);
  }
  return checker_.believe(model_, std::move(claim));
}

}  // namespace lacuna::lp
