// SPDX-License-Identifier: Apache-2.0
// Linear and mixed-integer models and the interface to the engines that solve them. Knows nothing
// about tables.
//
//   minimize c'x  subject to  row_lower <= A x <= row_upper,  column_lower <= x <= column_upper,
//   and x_j integer where marked.
//
// Duals: for an optimal LP, reduced cost d = c - A'y; y_i >= 0 if row i is at its lower bound,
// <= 0 at its upper; d_j >= 0 at the lower bound of column j, <= 0 at the upper.
// Farkas proof of infeasibility: y with  sup { y'A x : column bounds } < inf { y'r : row bounds }.
// Unboundedness ray: A r within the recession cone of the rows, r of the columns, c'r < 0.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lacuna/export.h"
#include "lacuna/result.h"
#include "lacuna/run_context.h"

namespace LACUNA_API lacuna {

inline constexpr double kLpInfinity = std::numeric_limits<double>::infinity();

struct LpModel {  // columns by index; rows in compressed form
  std::vector<double> column_lower, column_upper, cost;
  std::vector<bool> integer;  // empty means none
  std::vector<double> row_lower, row_upper;
  std::vector<std::int64_t> row_start{0};  // size rows + 1
  std::vector<std::int32_t> row_column;
  std::vector<double> row_value;

  std::int32_t num_columns() const { return static_cast<std::int32_t>(column_lower.size()); }
  std::int32_t num_rows() const { return static_cast<std::int32_t>(row_lower.size()); }
  std::int32_t add_column(double lower,
                          double upper,
                          double column_cost = 0,
                          bool is_integer = false);
  std::int32_t add_row(double lower,
                       double upper,
                       std::span<const std::int32_t> columns,
                       std::span<const double> values);
  // Sizes agree, indices in range, no column twice in a row, bounds ordered, no NaN.
  Status validate() const;
};

enum class LpStatus { kOptimal, kInfeasible, kUnbounded, kLimit, kNumericalTrouble };
std::string_view to_string(LpStatus status);

enum class BasisStatus : std::uint8_t { kBasic, kAtLower, kAtUpper, kFreeAtZero };
struct LpBasis {  // as many kBasic as there are rows
  std::vector<BasisStatus> columns, rows;
  bool empty() const { return columns.empty() && rows.empty(); }
};

struct LpSolution {
  LpStatus status = LpStatus::kNumericalTrouble;
  double objective = std::numeric_limits<double>::quiet_NaN();
  std::vector<double> primal;              // kOptimal; kLimit if feasible values are at hand
  std::vector<double> row_activity;        // with primal
  std::vector<double> dual, reduced_cost;  // kOptimal, LP only
  std::vector<double> ray;      // kUnbounded: primal ray; kInfeasible: Farkas row multipliers
  double bound = -kLpInfinity;  // MIP: proven lower bound on the optimum
  std::int64_t iterations = 0;
};

struct LpOptions {
  bool presolve = false;      // off: warm starts and short solves are the common case
  double feasibility = 1e-9;  // primal and dual feasibility tolerance asked of the engine
  double mip_gap = 0;         // relative; 0 asks for a proof
  int threads = 1;
  bool stays_sparse = false;  // bases have little fill, so that iterations are counted as less work
};

// One engine with one loaded model. Not thread-safe; separate objects are independent.
class LpSolver {
 public:
  virtual ~LpSolver() = default;
  virtual std::string_view engine() const = 0;  // "highs", "clp"
  virtual std::string version() const = 0;
  virtual bool supports_integers() const = 0;

  virtual Status load(const LpModel& model) = 0;  // forgets the basis
  virtual void set_column_bounds(std::int32_t column, double lower, double upper) = 0;
  virtual void set_row_bounds(std::int32_t row, double lower, double upper) = 0;
  virtual void set_cost(std::int32_t column, double cost) = 0;
  virtual void add_rows(const LpModel& rows_of) = 0;  // appends the rows (columns ignored)
  virtual void delete_rows(std::span<const std::int32_t> rows) = 0;  // strictly increasing
  virtual void set_basis(const LpBasis& basis) = 0;                  // start of the next solve
  virtual LpBasis basis() const = 0;  // of the last solve; empty if none

  // Solves from the basis at hand. The result has been re-checked against the model (residuals,
  // bounds, objective, proofs): what does not hold is reported as kNumericalTrouble. Stops at
  // run.deadline and run.stop with kLimit.
  virtual LpSolution minimize(const RunContext& run) = 0;
};

// Engines compiled in, preferred first; never empty.
std::vector<std::string> lp_engines();
// "" means the preferred engine. Unknown names are an error that lists the known ones.
Result<std::unique_ptr<LpSolver>> make_lp_solver(std::string_view engine = "",
                                                 const LpOptions& options = {});

}  // namespace lacuna
