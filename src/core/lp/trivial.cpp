// SPDX-License-Identifier: Apache-2.0
#include "core/lp/trivial.h"

#include <algorithm>
#include <cmath>

namespace lacuna::lp {
namespace {

struct Range {
  double lower, upper;
};

Range column_range(const LpModel& model, std::size_t j) {
  if (!model.integer.empty() && model.integer[j]) {
    return {std::ceil(model.column_lower[j]), std::floor(model.column_upper[j])};
  }
  return {model.column_lower[j], model.column_upper[j]};
}

// With no cost any point will do: the one nearest to zero.
double better_end(const Range& range, double cost) {
  if (cost > 0) {
    return range.lower;
  }
  return cost < 0 ? range.upper : std::clamp(0.0, range.lower, range.upper);
}

LpSolution infeasible(std::vector<double> multipliers) {
  LpSolution solution;
  solution.status = LpStatus::kInfeasible;
  solution.ray = std::move(multipliers);
  return solution;
}

// Every row activity is zero.
std::vector<double> proof_from_one_row(const LpModel& model) {
  const std::size_t rows = model.row_lower.size();
  for (std::size_t i = 0; i < rows; ++i) {
    if (model.row_lower[i] > 0 || model.row_upper[i] < 0) {
      std::vector<double> multipliers(rows, 0);
      multipliers[i] = model.row_lower[i] > 0 ? 1 : -1;
      return multipliers;
    }
  }
  return {};
}

}  // namespace

bool is_trivial(const LpModel& model) {
  return std::ranges::all_of(model.row_value, [](double value) { return value == 0; });
}

LpSolution solve_trivial(const LpModel& model) {
  if (std::vector<double> proof = proof_from_one_row(model); !proof.empty()) {
    return infeasible(std::move(proof));
  }
  const std::size_t columns = model.column_lower.size();
  LpSolution solution;
  solution.status = LpStatus::kOptimal;
  solution.objective = 0;
  solution.primal.resize(columns);
  solution.dual.assign(model.row_lower.size(), 0);
  for (std::size_t j = 0; j < columns; ++j) {
    const Range range = column_range(model, j);
    if (range.lower > range.upper) {
      return infeasible({});  // an integer column between two integers
    }
    solution.primal[j] = better_end(range, model.cost[j]);
    if (std::isinf(solution.primal[j])) {
      solution.status = LpStatus::kUnbounded;
      solution.ray.resize(columns, 0);
      solution.ray[j] = solution.primal[j] > 0 ? 1 : -1;
      solution.primal[j] = better_end(range, 0);
    }
    solution.objective += model.cost[j] * solution.primal[j];
  }
  solution.bound = solution.objective;
  return solution;
}

LpBasis slack_basis(const LpModel& model) {
  LpBasis basis;
  basis.rows.assign(model.row_lower.size(), BasisStatus::kBasic);
  basis.columns.reserve(model.column_lower.size());
  for (std::size_t j = 0; j < model.column_lower.size(); ++j) {
    const bool has_lower = model.column_lower[j] > -kLpInfinity;
    const bool has_upper = model.column_upper[j] < kLpInfinity;
    if (has_upper && (model.cost[j] < 0 || !has_lower)) {
      basis.columns.push_back(BasisStatus::kAtUpper);
    } else {
      basis.columns.push_back(has_lower ? BasisStatus::kAtLower : BasisStatus::kFreeAtZero);
    }
  }
  return basis;
}

}  // namespace lacuna::lp
