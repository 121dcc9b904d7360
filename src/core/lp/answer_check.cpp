// SPDX-License-Identifier: Apache-2.0
// See answer_check.h for the conditions; duality and Farkas' lemma as in any text on linear
// programming, e.g. Chvatal, Linear Programming (1983), chapters 5, 9 and 10.
#include "core/lp/answer_check.h"

#include <algorithm>
#include <cmath>

#include "lacuna/tolerance.h"

namespace lacuna::lp {
namespace {

std::size_t at(std::int64_t index) {
  return static_cast<std::size_t>(index);
}

struct Sum {
  double value = 0;
  double size = 0;  // sum of the absolute terms

  void add(double term) {
    value += term;
    size += std::abs(term);
  }
};

Sum row_product(const LpModel& model, std::size_t row, const std::vector<double>& x) {
  Sum sum;
  for (auto k = model.row_start[row]; k < model.row_start[row + 1]; ++k) {
    sum.add(model.row_value[at(k)] * x[at(model.row_column[at(k)])]);
  }
  return sum;
}

double scale_of(double number) {
  return std::max(1.0, std::abs(number));
}

bool all_finite(const std::vector<double>& numbers) {
  return std::ranges::all_of(numbers, [](double number) { return std::isfinite(number); });
}

// How far a number lies outside its bounds, and how far it may.
bool within(double number, double lower, double upper, double tolerance, double rounding) {
  if (number < lower) {
    return lower - number <= tolerance * scale_of(lower) + rounding;
  }
  if (number > upper) {
    return number - upper <= tolerance * scale_of(upper) + rounding;
  }
  return !std::isnan(number);
}

// Rounds integers and moves the rest onto the bounds where the engine is off by its tolerance.
bool move_onto_bounds(const LpModel& model, std::vector<double>& x) {
  for (std::size_t j = 0; j < x.size(); ++j) {
    const double lower = model.column_lower[j];
    const double upper = model.column_upper[j];
    if (!within(x[j], lower, upper, tol::kBound, 0)) {
      return false;
    }
    if (!model.integer.empty() && model.integer[j]) {
      const double rounded = std::round(x[j]);
      if (!(std::abs(x[j] - rounded) <= tol::kIntegrality)) {
        return false;
      }
      x[j] = rounded;
    } else {
      x[j] = std::clamp(x[j], lower, upper);
    }
  }
  return true;
}

// A multiplier whose sign needs an infinite bound proves nothing: without it the check of the
// reduced costs decides whether the rest of the proof stands.
void drop_useless_multipliers(const LpModel& model, std::vector<double>& y) {
  for (std::size_t i = 0; i < y.size(); ++i) {
    const double needed = y[i] > 0 ? model.row_lower[i] : model.row_upper[i];
    if (std::isinf(needed)) {
      y[i] = 0;
    }
  }
}

void scale_to_one(std::vector<double>& vector) {
  double largest = 0;
  for (const double number : vector) {
    largest = std::max(largest, std::abs(number));
  }
  if (largest > 0) {
    for (double& number : vector) {
      number /= largest;
    }
  }
}

// A'y and the sum of the absolute terms, per column.
void multiply_rows(const LpModel& model,
                   const std::vector<double>& y,
                   std::vector<double>& sum,
                   std::vector<double>& size) {
  sum.assign(model.column_lower.size(), 0);
  size.assign(model.column_lower.size(), 0);
  for (std::size_t i = 0; i < y.size(); ++i) {
    if (y[i] == 0) {
      continue;
    }
    for (auto k = model.row_start[i]; k < model.row_start[i + 1]; ++k) {
      const double term = model.row_value[at(k)] * y[i];
      const std::size_t j = at(model.row_column[at(k)]);
      sum[j] += term;
      size[j] += std::abs(term);
    }
  }
}

// Whether a direction component respects a bound for ever: no step towards a finite bound.
bool recedes(double step, double lower, double upper, double rounding) {
  const bool falls_too_far = lower > -kLpInfinity && !(step >= -rounding);
  const bool rises_too_far = upper < kLpInfinity && !(step <= rounding);
  return !falls_too_far && !rises_too_far;
}

}  // namespace

bool has_integers(const LpModel& model) {
  return std::ranges::find(model.integer, true) != model.integer.end();
}

bool has_crossed_bounds(const LpModel& model) {
  for (std::size_t j = 0; j < model.column_lower.size(); ++j) {
    if (model.column_lower[j] > model.column_upper[j]) {
      return true;
    }
  }
  for (std::size_t i = 0; i < model.row_lower.size(); ++i) {
    if (model.row_lower[i] > model.row_upper[i]) {
      return true;
    }
  }
  return false;
}

LpSolution AnswerChecker::believe(const LpModel& model, LpSolution claim) {
  if (accept(model, claim)) {
    return claim;
  }
  LpSolution trouble;
  trouble.iterations = claim.iterations;
  return trouble;
}

bool AnswerChecker::accept(const LpModel& model, LpSolution& claim) {
  switch (claim.status) {
    case LpStatus::kOptimal:
      return accept_optimal(model, claim);
    case LpStatus::kInfeasible:
      return accept_infeasible(model, claim);
    case LpStatus::kUnbounded:
      return accept_unbounded(model, claim);
    case LpStatus::kLimit:
      return accept_limit(model, claim);
    case LpStatus::kNumericalTrouble:
      return false;
  }
  return false;
}

bool AnswerChecker::accept_feasible(const LpModel& model, LpSolution& claim) {
  if (claim.primal.size() != model.column_lower.size() || !all_finite(claim.primal) ||
      !move_onto_bounds(model, claim.primal)) {
    return false;
  }
  const std::size_t rows = model.row_lower.size();
  claim.row_activity.resize(rows);
  row_size_.resize(rows);
  for (std::size_t i = 0; i < rows; ++i) {
    const Sum activity = row_product(model, i, claim.primal);
    claim.row_activity[i] = activity.value;
    row_size_[i] = activity.size;
    if (!within(activity.value,
                model.row_lower[i],
                model.row_upper[i],
                tol::kRowResidual,
                tol::kRounding * activity.size)) {
      return false;
    }
  }
  return true;
}

bool AnswerChecker::accept_optimal(const LpModel& model, LpSolution& claim) {
  if (!accept_feasible(model, claim)) {
    return false;
  }
  Sum objective;
  for (std::size_t j = 0; j < claim.primal.size(); ++j) {
    objective.add(model.cost[j] * claim.primal[j]);
  }
  const double tolerance =
      tol::kObjective * scale_of(objective.value) + tol::kRounding * objective.size;
  if (!(std::abs(claim.objective - objective.value) <= tolerance)) {
    return false;
  }
  claim.objective = objective.value;
  claim.ray.clear();
  if (has_integers(model)) {
    return accept_mip_bound(claim);
  }
  claim.bound = claim.objective;
  return accept_duals(model, claim);
}

bool AnswerChecker::accept_mip_bound(LpSolution& claim) const {
  claim.dual.clear();
  claim.reduced_cost.clear();
  const double gap =
      std::max(mip_gap_ * std::abs(claim.objective), tol::kObjective * scale_of(claim.objective));
  if (!(std::abs(claim.objective - claim.bound) <= gap)) {
    return false;
  }
  claim.bound = std::min(claim.bound, claim.objective);
  return true;
}

bool AnswerChecker::accept_duals(const LpModel& model, LpSolution& claim) {
  if (claim.dual.size() != model.row_lower.size() || !all_finite(claim.dual)) {
    return false;
  }
  std::vector<double>& y = claim.dual;
  drop_useless_multipliers(model, y);
  multiply_rows(model, y, column_sum_, column_size_);
  double distance = 0;  // bounds how far the objective may be from the optimum
  double rounding = 0;
  for (std::size_t i = 0; i < y.size(); ++i) {
    if (y[i] != 0) {
      const double bound = y[i] > 0 ? model.row_lower[i] : model.row_upper[i];
      distance += std::abs(y[i]) * std::abs(claim.row_activity[i] - bound);
      rounding += std::abs(y[i]) * row_size_[i];
    }
  }
  claim.reduced_cost.resize(claim.primal.size());
  for (std::size_t j = 0; j < claim.primal.size(); ++j) {
    const double d = model.cost[j] - column_sum_[j];
    const double x = claim.primal[j];
    claim.reduced_cost[j] = d;
    rounding += std::abs(model.cost[j] * x);
    const double noise = tol::kRounding * (std::abs(model.cost[j]) + column_size_[j]);
    const double excess = std::abs(d) - noise;
    if (excess <= 0) {
      continue;
    }
    const double bound = d > 0 ? model.column_lower[j] : model.column_upper[j];
    if (std::isinf(bound)) {
      if (!(excess <= tol::kReducedCost * scale_of(model.cost[j]))) {
        return false;
      }
      distance += excess * std::abs(x);
    } else {
      distance += excess * std::abs(x - bound);
    }
  }
  return distance <= tol::kObjective * scale_of(claim.objective) + tol::kRounding * rounding;
}

bool AnswerChecker::accept_infeasible(const LpModel& model, LpSolution& claim) {
  LpSolution answer;
  answer.status = LpStatus::kInfeasible;
  answer.iterations = claim.iterations;
  answer.bound = kLpInfinity;
  if (has_crossed_bounds(model)) {
    answer.ray.assign(model.row_lower.size(), 0);
  } else if (!(claim.ray.empty() && has_integers(model))) {
    if (claim.ray.size() != model.row_lower.size() || !all_finite(claim.ray)) {
      return false;
    }
    answer.ray = std::move(claim.ray);
    scale_to_one(answer.ray);
    std::vector<double> opposite(answer.ray);
    std::ranges::transform(opposite, opposite.begin(), [](double y) { return -y; });
    drop_useless_multipliers(model, answer.ray);
    if (!proves_infeasibility(model, answer.ray)) {
      drop_useless_multipliers(model, opposite);
      if (!proves_infeasibility(model, opposite)) {
        return false;
      }
      answer.ray = std::move(opposite);
    }
  }
  claim = std::move(answer);
  return true;
}

bool AnswerChecker::proves_infeasibility(const LpModel& model,
                                         const std::vector<double>& multipliers) {
  Sum gap;  // inf { y'r } - sup { y'A x }
  for (std::size_t i = 0; i < multipliers.size(); ++i) {
    const double y = multipliers[i];
    if (y != 0) {
      gap.add(y * (y > 0 ? model.row_lower[i] : model.row_upper[i]));
    }
  }
  multiply_rows(model, multipliers, column_sum_, column_size_);
  for (std::size_t j = 0; j < column_sum_.size(); ++j) {
    const double z = column_sum_[j];
    const double bound = z > 0 ? model.column_upper[j] : model.column_lower[j];
    if (std::isinf(bound)) {
      if (!(std::abs(z) <= tol::kRounding * column_size_[j])) {
        return false;
      }
    } else {
      gap.value -= z * bound;
      gap.size += column_size_[j] * std::abs(bound);
    }
  }
  return gap.value > tol::kRounding * gap.size;
}

bool AnswerChecker::accept_unbounded(const LpModel& model, LpSolution& claim) {
  if (!accept_feasible(model, claim)) {
    return false;
  }
  if (claim.ray.size() != model.column_lower.size() || !all_finite(claim.ray)) {
    return false;
  }
  LpSolution answer;
  answer.status = LpStatus::kUnbounded;
  answer.iterations = claim.iterations;
  answer.ray = std::move(claim.ray);
  scale_to_one(answer.ray);
  if (!is_recession_ray(model, answer.ray)) {
    return false;
  }
  claim = std::move(answer);
  return true;
}

bool AnswerChecker::is_recession_ray(const LpModel& model, const std::vector<double>& ray) const {
  Sum slope;
  for (std::size_t j = 0; j < ray.size(); ++j) {
    slope.add(model.cost[j] * ray[j]);
    if (!recedes(ray[j], model.column_lower[j], model.column_upper[j], tol::kRounding)) {
      return false;
    }
  }
  for (std::size_t i = 0; i < model.row_lower.size(); ++i) {
    const Sum step = row_product(model, i, ray);
    if (!recedes(step.value, model.row_lower[i], model.row_upper[i], tol::kRounding * step.size)) {
      return false;
    }
  }
  return slope.value < -tol::kRounding * slope.size;
}

bool AnswerChecker::accept_limit(const LpModel& model, LpSolution& claim) {
  LpSolution answer;
  answer.status = LpStatus::kLimit;
  answer.iterations = claim.iterations;
  if (has_integers(model) && !std::isnan(claim.bound)) {
    answer.bound = claim.bound;
  }
  if (!claim.primal.empty() && accept_feasible(model, claim)) {
    answer.objective = 0;
    for (std::size_t j = 0; j < claim.primal.size(); ++j) {
      answer.objective += model.cost[j] * claim.primal[j];
    }
    answer.primal = std::move(claim.primal);
    answer.row_activity = std::move(claim.row_activity);
  }
  claim = std::move(answer);
  return true;
}

}  // namespace lacuna::lp
