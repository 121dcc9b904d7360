// SPDX-License-Identifier: Apache-2.0
// Turns the claim of an engine into an answer that can be believed, in O(nonzeros) and doubles.
//
// Notation of lacuna/lp.h. Let T_i = sum_j |a_ij x_j| and S_j = |c_j| + sum_i |a_ij y_i| be the
// sizes of the terms that make up a row activity and a reduced cost. Accepted as
//   feasible    if x, moved onto its bounds where it is off by at most tol::kBound (relative), has
//               every row within tol::kRowResidual max(1, |b|) + tol::kRounding T_i;
//   optimal     if moreover, with y_i = 0 where its sign needs an infinite bound and d = c - A'y,
//               no d_j leans on an infinite bound by more than tol::kReducedCost max(1, |c_j|), and
//                 sum_i |y_i| |a_i x - b_i(y)| + sum_j |d_j| |x_j - bound_j(d)|
//               (which bounds how far c'x is from the optimum) is at most tol::kObjective
//               max(1, |c'x|), each up to tol::kRounding of the terms involved;
//   infeasible  if inf { y'r } - sup { y'A x } exceeds tol::kRounding of its terms;
//   unbounded   if x is feasible and r is a recession direction with c'r < 0, up to rounding.
// For a MIP optimality is the engine's word, bounded below by its `bound`; feasibility and
// integrality are checked after rounding. Infeasibility of a MIP has no short proof and is
// believed. A claim that fails becomes kNumericalTrouble with everything else cleared.
// The tests are written so that NaN fails them.
#pragma once

#include <vector>

#include "lacuna/lp.h"

namespace lacuna::lp {

class AnswerChecker {
 public:
  // Relative gap within which a MIP may be called optimal.
  explicit AnswerChecker(double mip_gap = 0) : mip_gap_(mip_gap) {}

  LpSolution believe(const LpModel& model, LpSolution claim);

 private:
  bool accept(const LpModel& model, LpSolution& claim);
  bool accept_feasible(const LpModel& model, LpSolution& claim);
  bool accept_optimal(const LpModel& model, LpSolution& claim);
  bool accept_duals(const LpModel& model, LpSolution& claim);
  bool accept_mip_bound(LpSolution& claim) const;
  bool accept_infeasible(const LpModel& model, LpSolution& claim);
  bool accept_unbounded(const LpModel& model, LpSolution& claim);
  bool accept_limit(const LpModel& model, LpSolution& claim);

  bool proves_infeasibility(const LpModel& model, const std::vector<double>& multipliers);
  bool is_recession_ray(const LpModel& model, const std::vector<double>& ray) const;

  double mip_gap_;
  std::vector<double> row_size_;     // T_i
  std::vector<double> column_sum_;   // A'y
  std::vector<double> column_size_;  // S_j
};

// True if some column is marked integer.
bool has_integers(const LpModel& model);
// True if some row or column has its lower bound above its upper one.
bool has_crossed_bounds(const LpModel& model);

}  // namespace lacuna::lp
