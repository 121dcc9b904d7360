// SPDX-License-Identifier: Apache-2.0
// Clp behind LpEngine, through ClpSimplex (COIN-OR Clp 1.17). Duals have the sign of lacuna/lp.h.
// Deadline and stop token are looked at in the event handler after every iteration, because Clp's
// own time limit counts processor time. The ray Clp keeps for an infeasible model has the costs
// mixed in, so the model is solved again without costs; a claim of unboundedness that comes without
// a direction is repeated by primal simplex.
#include "core/lp/backends/clp/clp_engine.h"

#include <ClpEventHandler.hpp>
#include <ClpSimplex.hpp>
#include <ClpSolve.hpp>
#include <CoinError.hpp>
#include <algorithm>
#include <limits>

#include "core/base/check.h"

namespace lacuna::lp {
namespace {

enum class ClpCode {  // ClpModel::status()
  kUnknown = -1,
  kOptimal = 0,
  kPrimalInfeasible = 1,
  kDualInfeasible = 2,
  kStoppedByLimit = 3,
  kStoppedByErrors = 4,
  kStoppedByEvent = 5,
};

// Clp may stop over an answer it does not trust: the checker decides, so it counts as a claim.
LpStatus claimed_status(ClpCode code) {
  switch (code) {
    case ClpCode::kOptimal:
      return LpStatus::kOptimal;
    case ClpCode::kPrimalInfeasible:
      return LpStatus::kInfeasible;
    case ClpCode::kDualInfeasible:
      return LpStatus::kUnbounded;
    case ClpCode::kStoppedByEvent:
      return LpStatus::kLimit;
    case ClpCode::kStoppedByLimit:  // not one of ours: it has lost its way
    case ClpCode::kStoppedByErrors:
    case ClpCode::kUnknown:
      return LpStatus::kNumericalTrouble;
  }
  return LpStatus::kNumericalTrouble;
}

double to_clp(double bound) {
  if (bound == kLpInfinity) {
    return COIN_DBL_MAX;
  }
  return bound == -kLpInfinity ? -COIN_DBL_MAX : bound;
}

std::vector<double> to_clp(const std::vector<double>& bounds) {
  std::vector<double> converted;
  converted.reserve(bounds.size());
  for (const double bound : bounds) {
    converted.push_back(to_clp(bound));
  }
  return converted;
}

BasisStatus from_clp(ClpSimplex::Status status) {
  switch (status) {
    case ClpSimplex::basic:
      return BasisStatus::kBasic;
    case ClpSimplex::atUpperBound:
      return BasisStatus::kAtUpper;
    case ClpSimplex::atLowerBound:
    case ClpSimplex::isFixed:
      return BasisStatus::kAtLower;
    case ClpSimplex::isFree:
    case ClpSimplex::superBasic:
      return BasisStatus::kFreeAtZero;
  }
  return BasisStatus::kAtLower;
}

ClpSimplex::Status to_clp(BasisStatus status) {
  switch (status) {
    case BasisStatus::kBasic:
      return ClpSimplex::basic;
    case BasisStatus::kAtLower:
      return ClpSimplex::atLowerBound;
    case BasisStatus::kAtUpper:
      return ClpSimplex::atUpperBound;
    case BasisStatus::kFreeAtZero:
      return ClpSimplex::isFree;
  }
  return ClpSimplex::atLowerBound;
}

// Clp clones its handler, so the clones share one place where the current run is found.
class StopHandler final : public ClpEventHandler {
 public:
  explicit StopHandler(const RunContext* const* run) : run_(run) {}
  StopHandler(const StopHandler&) = default;
  StopHandler& operator=(const StopHandler&) = default;

  int event(Event which) override {
    constexpr int kGoOn = -1;
    constexpr int kStop = 0;
    if (which != endOfIteration && which != endOfFactorization) {
      return kGoOn;
    }
    return *run_ != nullptr && (*run_)->braked() ? kStop : kGoOn;
  }
  ClpEventHandler* clone() const override { return new StopHandler(*this); }  // owned by Clp

 private:
  const RunContext* const* run_;
};

class ClpEngine final : public LpEngine {
 public:
  explicit ClpEngine(const LpOptions& options) : options_(options) { prepare(); }

  std::string_view name() const override { return "clp"; }
  std::string version() const override { return CLP_VERSION; }
  bool supports_integers() const override { return false; }

  std::unique_ptr<LpEngine> make_another() const override {
    return std::make_unique<ClpEngine>(options_);
  }

  Status load(const LpModel& model) override;
  void change_column_bounds(const LpModel& model, std::span<const std::int32_t> columns) override;
  void change_row_bounds(const LpModel& model, std::span<const std::int32_t> rows) override;
  void change_costs(const LpModel& model, std::span<const std::int32_t> columns) override;
  void add_rows(const LpModel& rows_of) override;
  void delete_rows(std::span<const std::int32_t> rows) override;
  void set_basis(const LpBasis& basis) override;
  LpBasis basis() const override;
  LpSolution solve(const SolveRecipe& recipe, const RunContext& run) override;

 private:
  void prepare();
  void run_simplex(const SolveRecipe& recipe);
  LpSolution claim();
  void find_farkas_ray(LpSolution& claim);
  void find_unbounded_ray(LpSolution& claim);
  std::vector<double> farkas_ray() const;

  LpOptions options_;
  ClpSimplex clp_;
  const RunContext* run_ = nullptr;
};

void ClpEngine::prepare() {
  clp_.setLogLevel(0);
  clp_.setPrimalTolerance(options_.feasibility);
  clp_.setDualTolerance(options_.feasibility);
  const StopHandler handler(&run_);
  clp_.passInEventHandler(&handler);
}

Status ClpEngine::load(const LpModel& model) {
  clp_ = ClpSimplex();
  prepare();
  const std::vector<CoinBigIndex> starts(model.row_start.begin(), model.row_start.end());
  const CoinPackedMatrix rows(false,
                              model.num_columns(),
                              model.num_rows(),
                              static_cast<CoinBigIndex>(model.row_value.size()),
                              model.row_value.data(),
                              model.row_column.data(),
                              starts.data(),
                              nullptr);
  clp_.loadProblem(rows,
                   to_clp(model.column_lower).data(),
                   to_clp(model.column_upper).data(),
                   model.cost.data(),
                   to_clp(model.row_lower).data(),
                   to_clp(model.row_upper).data());
  return ok_status();
}

void ClpEngine::change_column_bounds(const LpModel& model, std::span<const std::int32_t> columns) {
  for (const std::int32_t column : columns) {
    const auto j = static_cast<std::size_t>(column);
    clp_.setColumnBounds(column, to_clp(model.column_lower[j]), to_clp(model.column_upper[j]));
  }
}

void ClpEngine::change_row_bounds(const LpModel& model, std::span<const std::int32_t> rows) {
  for (const std::int32_t row : rows) {
    const auto i = static_cast<std::size_t>(row);
    clp_.setRowBounds(row, to_clp(model.row_lower[i]), to_clp(model.row_upper[i]));
  }
}

void ClpEngine::change_costs(const LpModel& model, std::span<const std::int32_t> columns) {
  for (const std::int32_t column : columns) {
    clp_.setObjectiveCoefficient(column, model.cost[static_cast<std::size_t>(column)]);
  }
}

void ClpEngine::add_rows(const LpModel& rows_of) {
  const std::vector<CoinBigIndex> starts(rows_of.row_start.begin(), rows_of.row_start.end());
  clp_.addRows(rows_of.num_rows(),
               to_clp(rows_of.row_lower).data(),
               to_clp(rows_of.row_upper).data(),
               starts.data(),
               rows_of.row_column.data(),
               rows_of.row_value.data());
}

void ClpEngine::delete_rows(std::span<const std::int32_t> rows) {
  clp_.deleteRows(static_cast<int>(rows.size()), rows.data());
}

void ClpEngine::set_basis(const LpBasis& basis) {
  clp_.createStatus();
  for (int j = 0; j < clp_.numberColumns(); ++j) {
    clp_.setColumnStatus(j, to_clp(basis.columns[static_cast<std::size_t>(j)]));
  }
  for (int i = 0; i < clp_.numberRows(); ++i) {
    clp_.setRowStatus(i, to_clp(basis.rows[static_cast<std::size_t>(i)]));
  }
}

LpBasis ClpEngine::basis() const {
  LpBasis basis;
  if (!clp_.statusExists()) {
    return basis;
  }
  for (int j = 0; j < clp_.numberColumns(); ++j) {
    basis.columns.push_back(from_clp(clp_.getColumnStatus(j)));
  }
  for (int i = 0; i < clp_.numberRows(); ++i) {
    basis.rows.push_back(from_clp(clp_.getRowStatus(i)));
  }
  return basis;
}

LpSolution ClpEngine::solve(const SolveRecipe& recipe, const RunContext& run) {
  run_ = &run;
  LpSolution answer;
  try {
    run_simplex(recipe);
    answer = claim();
    if (answer.status == LpStatus::kInfeasible) {
      find_farkas_ray(answer);
    } else if (answer.status == LpStatus::kUnbounded) {
      find_unbounded_ray(answer);
    }
  } catch (const CoinError&) {  // no std::exception: nobody further up would catch it
    answer = {};
  }
  run_ = nullptr;
  return answer;
}

void ClpEngine::run_simplex(const SolveRecipe& recipe) {
  constexpr int kScalingOff = 0;
  constexpr int kScalingAutomatic = 3;
  clp_.setNumberIterations(0);
  clp_.setMaximumIterations(static_cast<int>(
      std::min<std::int64_t>(recipe.max_iterations, std::numeric_limits<int>::max())));
  clp_.scaling(recipe.scaling ? kScalingAutomatic : kScalingOff);
  if (recipe.from_scratch) {
    clp_.allSlackBasis(true);
  }
  if (recipe.presolve) {
    ClpSolve how;
    how.setPresolveType(ClpSolve::presolveOn);
    how.setSolveType(recipe.simplex == SimplexKind::kPrimal ? ClpSolve::usePrimal
                                                            : ClpSolve::useDual);
    clp_.initialSolve(how);
  } else if (recipe.simplex == SimplexKind::kPrimal) {
    clp_.primal();
  } else {
    clp_.dual();
  }
}

LpSolution ClpEngine::claim() {
  LpSolution claim;
  claim.status = claimed_status(static_cast<ClpCode>(clp_.status()));
  claim.iterations = clp_.numberIterations();
  const auto columns = static_cast<std::size_t>(clp_.numberColumns());
  const auto rows = static_cast<std::size_t>(clp_.numberRows());
  const std::span x(clp_.primalColumnSolution(), columns);
  claim.primal.assign(x.begin(), x.end());
  if (claim.status == LpStatus::kOptimal) {
    const std::span y(clp_.dualRowSolution(), rows);
    claim.dual.assign(y.begin(), y.end());
    claim.objective = clp_.objectiveValue();
  }
  return claim;
}

std::vector<double> ClpEngine::farkas_ray() const {
  const std::unique_ptr<double[]> ray(clp_.infeasibilityRay());
  if (ray == nullptr) {
    return {};
  }
  const std::span values(ray.get(), static_cast<std::size_t>(clp_.numberRows()));
  return {values.begin(), values.end()};
}

void ClpEngine::find_farkas_ray(LpSolution& claim) {
  const std::span cost(clp_.objective(), static_cast<std::size_t>(clp_.numberColumns()));
  const std::vector<double> saved(cost.begin(), cost.end());
  for (int j = 0; j < clp_.numberColumns(); ++j) {
    clp_.setObjectiveCoefficient(j, 0);
  }
  clp_.setNumberIterations(0);
  clp_.dual();
  claim.iterations += clp_.numberIterations();
  claim.ray = farkas_ray();
  for (int j = 0; j < clp_.numberColumns(); ++j) {
    clp_.setObjectiveCoefficient(j, saved[static_cast<std::size_t>(j)]);
  }
}

void ClpEngine::find_unbounded_ray(LpSolution& answer) {
  std::unique_ptr<double[]> ray(clp_.unboundedRay());
  if (ray == nullptr) {
    const std::int64_t iterations = answer.iterations;
    clp_.setNumberIterations(0);
    clp_.primal();
    answer = claim();
    answer.iterations += iterations;
    ray.reset(clp_.unboundedRay());
  }
  if (answer.status == LpStatus::kInfeasible) {
    find_farkas_ray(answer);
  } else if (ray != nullptr) {
    const std::span values(ray.get(), static_cast<std::size_t>(clp_.numberColumns()));
    answer.ray.assign(values.begin(), values.end());
  }
}

}  // namespace

std::unique_ptr<LpEngine> make_clp_engine(const LpOptions& options) {
  return std::make_unique<ClpEngine>(options);
}

}  // namespace lacuna::lp
