// SPDX-License-Identifier: Apache-2.0
// Models and independent proof checks for the conformance tests of the LP engines. The proofs are
// checked here in a few lines of their own, not with the checker the solver uses.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <initializer_list>
#include <memory>
#include <string>
#include <vector>

#include "core/base/random.h"
#include "lacuna/lp.h"

namespace lacuna::test {

struct Entry {
  std::int32_t column;
  double value;
};

inline void add_row(LpModel& model, double lower, double upper, std::vector<Entry> entries) {
  std::vector<std::int32_t> columns;
  std::vector<double> values;
  for (const Entry& entry : entries) {
    columns.push_back(entry.column);
    values.push_back(entry.value);
  }
  model.add_row(lower, upper, columns, values);
}

inline std::unique_ptr<LpSolver> make_solver(const std::string& engine,
                                             const LpOptions& options = {}) {
  auto solver = make_lp_solver(engine, options);
  EXPECT_TRUE(solver) << (solver ? "" : solver.error().text());
  return std::move(solver).value();
}

inline LpSolution solve_fresh(const std::string& engine, const LpModel& model) {
  auto solver = make_solver(engine);
  const Status loaded = solver->load(model);
  EXPECT_TRUE(loaded) << (loaded ? "" : loaded.error().text());
  return solver->minimize({});
}

inline std::vector<double> row_products(const LpModel& model, const std::vector<double>& x) {
  std::vector<double> products;
  for (std::size_t i = 0; i + 1 < model.row_start.size(); ++i) {
    double sum = 0;
    for (auto k = static_cast<std::size_t>(model.row_start[i]);
         k < static_cast<std::size_t>(model.row_start[i + 1]);
         ++k) {
      sum += model.row_value[k] * x[static_cast<std::size_t>(model.row_column[k])];
    }
    products.push_back(sum);
  }
  return products;
}

inline std::vector<double> column_products(const LpModel& model, const std::vector<double>& y) {
  std::vector<double> products(model.column_lower.size(), 0);
  for (std::size_t i = 0; i < y.size(); ++i) {
    for (auto k = static_cast<std::size_t>(model.row_start[i]);
         k < static_cast<std::size_t>(model.row_start[i + 1]);
         ++k) {
      products[static_cast<std::size_t>(model.row_column[k])] += model.row_value[k] * y[i];
    }
  }
  return products;
}

inline double dot(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    sum += a[i] * b[i];
  }
  return sum;
}

inline void expect_feasible(const LpModel& model, const std::vector<double>& x, double tolerance) {
  ASSERT_EQ(x.size(), model.column_lower.size());
  for (std::size_t j = 0; j < x.size(); ++j) {
    EXPECT_GE(x[j], model.column_lower[j]);
    EXPECT_LE(x[j], model.column_upper[j]);
  }
  const auto activity = row_products(model, x);
  for (std::size_t i = 0; i < activity.size(); ++i) {
    EXPECT_GE(activity[i], model.row_lower[i] - tolerance * std::max(1.0, std::abs(activity[i])));
    EXPECT_LE(activity[i], model.row_upper[i] + tolerance * std::max(1.0, std::abs(activity[i])));
  }
}

// sup { y'A x } < inf { y'r }, entries of A'y below 1e-9 counting as zero on infinite bounds.
inline void expect_farkas_proof(const LpModel& model, const std::vector<double>& y) {
  ASSERT_EQ(y.size(), model.row_lower.size());
  double gap = 0;
  for (std::size_t i = 0; i < y.size(); ++i) {
    if (y[i] != 0) {
      gap += y[i] * (y[i] > 0 ? model.row_lower[i] : model.row_upper[i]);
    }
  }
  const auto z = column_products(model, y);
  for (std::size_t j = 0; j < z.size(); ++j) {
    const double bound = z[j] > 0 ? model.column_upper[j] : model.column_lower[j];
    if (std::isinf(bound)) {
      EXPECT_NEAR(z[j], 0, 1e-9);
    } else {
      gap -= z[j] * bound;
    }
  }
  EXPECT_GT(gap, 1e-9);
}

inline void expect_ray(const LpModel& model, const std::vector<double>& ray) {
  ASSERT_EQ(ray.size(), model.column_lower.size());
  for (std::size_t j = 0; j < ray.size(); ++j) {
    EXPECT_TRUE(ray[j] >= -1e-9 || std::isinf(model.column_lower[j]));
    EXPECT_TRUE(ray[j] <= 1e-9 || std::isinf(model.column_upper[j]));
  }
  const auto step = row_products(model, ray);
  for (std::size_t i = 0; i < step.size(); ++i) {
    EXPECT_TRUE(step[i] >= -1e-9 || std::isinf(model.row_lower[i]));
    EXPECT_TRUE(step[i] <= 1e-9 || std::isinf(model.row_upper[i]));
  }
  EXPECT_LT(dot(model.cost, ray), -1e-9);
}

// Strong duality of a bounded optimum: c'x = sum of multipliers times the bounds they name.
inline void expect_duality(const LpModel& model, const LpSolution& solution) {
  ASSERT_EQ(solution.status, LpStatus::kOptimal);
  const auto z = column_products(model, solution.dual);
  double dual_objective = 0;
  for (std::size_t i = 0; i < solution.dual.size(); ++i) {
    const double y = solution.dual[i];
    if (std::abs(y) > 1e-9) {
      dual_objective += y * (y > 0 ? model.row_lower[i] : model.row_upper[i]);
    }
  }
  for (std::size_t j = 0; j < z.size(); ++j) {
    const double d = model.cost[j] - z[j];
    EXPECT_NEAR(d, solution.reduced_cost[j], 1e-7);
    if (std::abs(d) > 1e-9) {
      dual_objective += d * (d > 0 ? model.column_lower[j] : model.column_upper[j]);
    }
  }
  EXPECT_NEAR(solution.objective, dual_objective, 1e-6 * std::max(1.0, std::abs(dual_objective)));
  EXPECT_NEAR(solution.objective,
              dot(model.cost, solution.primal),
              1e-9 * std::max(1.0, std::abs(dual_objective)));
}

// Sparse, small integers; feasible, infeasible and unbounded models all occur.
inline LpModel random_model(base::Random& random, std::int64_t max_columns, std::int64_t max_rows) {
  LpModel model;
  const std::int64_t columns = random.between(1, max_columns);
  const std::int64_t rows = random.between(1, max_rows);
  for (std::int64_t j = 0; j < columns; ++j) {
    const double lower = random.chance(1, 8) ? -kLpInfinity : double(random.between(-5, 2));
    const double upper = random.chance(1, 4)
                             ? kLpInfinity
                             : (std::isinf(lower) ? 0 : lower) + double(random.between(0, 10));
    model.add_column(lower, upper, static_cast<double>(random.between(-9, 9)));
  }
  for (std::int64_t i = 0; i < rows; ++i) {
    std::vector<Entry> entries;
    for (std::int32_t j = 0; j < columns; ++j) {
      if (random.chance(2, 5)) {
        entries.push_back({j, static_cast<double>(random.between(-4, 4))});
      }
    }
    const auto middle = static_cast<double>(random.between(-8, 8));
    const auto width = static_cast<double>(random.between(0, 6));
    const std::int64_t kind = random.between(0, 3);
    add_row(model,
            kind == 0 ? -kLpInfinity : middle,
            kind == 1 ? kLpInfinity : middle + (kind == 3 ? 0 : width),
            entries);
  }
  return model;
}

}  // namespace lacuna::test
