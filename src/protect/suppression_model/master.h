// SPDX-License-Identifier: Apache-2.0
// The master: the LP relaxation of the cuts found so far,
//
//   minimize w'x  subject to  A x >= b,  l <= x <= u  (0 <= l <= u <= 1).
//
// Its bound does not rest on the engine: for any y >= 0,
//   w'x >= b'y + sum_j min(l_j r_j, u_j r_j) with r = w - A'y   (Neumaier and Shcherbina 2004),
// evaluated here from the row duals; a dual infeasible by rounding costs a little, never the truth.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <unordered_set>
#include <vector>

#include "lacuna/lp.h"
#include "lacuna/run_context.h"
#include "protect/suppression_model/cuts/cut.h"
#include "protect/suppression_model/suppress_model.h"

namespace lacuna::suppression_model {

class Master {
 public:
  Master(const SuppressModel& model, const std::string& engine);

  void add(std::span<const SharedCut> cuts);
  // Takes out the rows that `keep` does not hold and adds those that are missing.
  void match(std::span<const SharedCut> keep);
  const std::vector<SharedCut>& rows() const { return rows_; }

  void set_bounds(std::int32_t column, double lower, double upper);
  double lower(std::int32_t column) const { return lower_[static_cast<std::size_t>(column)]; }
  double upper(std::int32_t column) const { return upper_[static_cast<std::size_t>(column)]; }

  struct Start {  // where a solve can begin: the basis, with the rows it was made for
    LpBasis basis;
    std::vector<SharedCut> rows;
  };
  Start start() const;
  void begin_at(const Start& start);

  enum class Outcome : std::uint8_t { kSolved, kInfeasible, kStopped };
  Outcome solve(const RunContext& run);
  // Of the last solve:
  const std::vector<double>& x() const { return solution_.primal; }
  double bound() const { return bound_; }  // of the columns' weight
  const std::vector<double>& reduced_costs() const { return reduced_; }
  // Of the rows that were there, in units of weight; none is negative.
  std::vector<double> row_prices() const;
  // Of the rows, where the last solve found that there is no solution: none is negative, and
  // together they cannot be met; empty if the engine has none.
  std::vector<double> infeasible_rows() const;
  void add_tight_rows(std::unordered_set<const Cut*>& tight) const;  // those with a dual

  std::int64_t solves() const { return solves_; }

 private:
  void evaluate_bound();

  const SuppressModel& model_;
  std::unique_ptr<LpSolver> solver_;
  double scale_ = 1;  // of the costs the engine sees: weights span many orders of magnitude
  std::vector<SharedCut> rows_;
  std::vector<double> lower_, upper_;
  LpSolution solution_;
  std::vector<double> reduced_;
  double bound_ = 0;
  std::int64_t solves_ = 0;
};

}  // namespace lacuna::suppression_model
