// SPDX-License-Identifier: Apache-2.0
// What an engine has to offer to stand behind LpSolver: its raw answers are claims, which
// CheckedSolver puts to AnswerChecker and, where they fail, asks for again by another route.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "lacuna/lp.h"

namespace lacuna::lp {

enum class SimplexKind { kPrimal, kDual };

// One way of solving the loaded model.
struct SolveRecipe {
  bool from_scratch = false;  // forget basis and factorization first
  bool presolve = false;
  bool scaling = true;
  bool tight_integrality = false;  // MIP: ask for integers to within LpOptions::feasibility
  SimplexKind simplex = SimplexKind::kDual;
  // What the work that is left allows. Engines are limited by this and by run.braked(), never by
  // seconds of their own.
  std::int64_t max_iterations = std::numeric_limits<std::int64_t>::max();
};

class LpEngine {
 public:
  virtual ~LpEngine() = default;
  virtual std::string_view name() const = 0;
  virtual std::string version() const = 0;
  virtual bool supports_integers() const = 0;

  // A second engine of the same kind and options with nothing loaded.
  virtual std::unique_ptr<LpEngine> make_another() const = 0;

  virtual Status load(const LpModel& model) = 0;
  // The new numbers are read from the model at the given indices (strictly increasing).
  virtual void change_column_bounds(const LpModel& model,
                                    std::span<const std::int32_t> columns) = 0;
  virtual void change_row_bounds(const LpModel& model, std::span<const std::int32_t> rows) = 0;
  virtual void change_costs(const LpModel& model, std::span<const std::int32_t> columns) = 0;
  virtual void add_rows(const LpModel& rows_of) = 0;
  virtual void delete_rows(std::span<const std::int32_t> rows) = 0;
  virtual void set_basis(const LpBasis& basis) = 0;  // one kBasic per row, no infinite bound active
  virtual LpBasis basis() const = 0;

  // The engine's claim, unchecked. kOptimal brings primal, dual and objective; kInfeasible an LP
  // brings `ray` up to sign and scale; kUnbounded brings `ray` and a feasible `primal`.
  virtual LpSolution solve(const SolveRecipe& recipe, const RunContext& run) = 0;
};

}  // namespace lacuna::lp
