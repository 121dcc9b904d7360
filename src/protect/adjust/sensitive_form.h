// SPDX-License-Identifier: Apache-2.0
// The L2 problem seen from the sensitive cells alone. Without the bounds of the other cells (which
// rarely bind; dropping them only lowers the optimum) the least cost of given deviations x of the
// sensitive cells is a quadratic form x'Qx: Q is the inverse of the compliance matrix C, where C_st
// says how far s moves if a unit force pulls at t and every cell i resists with w_i. For any
// diagonal D with P = Q - D positive semidefinite
//   x'Qx = x'Px + sum_s d_s x_s^2  >=  x'Px + sum_s d_s hull_s(x_s),
// with hull_s the convex hull of x^2 over x <= -l or x >= u (columns.h): the perspective relaxation
// with weights d in place of w. D = W is the one of the paper; what the equations couple is lost
// in it. The best D maximizes sum_s d_s l_s u_s, a semidefinite program (Frangioni and Gentile
// 2007, "SDP diagonalizations and perspective cuts"), solved here by a barrier method in d:
//   maximize  sum_s k_s d_s + mu log det(Q - D) + mu sum_s log d_s,   mu -> 0.
// A cell whose sense is decided has k_s = 0: its share of D goes to the open ones, so the form is
// worth renewing deeper in the search.
#pragma once

#include <memory>

#include "lacuna/run_context.h"
#include "protect/adjust/kkt.h"
#include "protect/adjust/model.h"
#include "protect/adjust/tuning.h"

namespace lacuna::adjustment {

// Q, or nothing if some weight is zero, the cells are too many, the run should stop, or the numbers
// break down. Q is
// never too large: C is inflated a little before it is inverted.
std::shared_ptr<const Matrix> sensitive_matrix(const Part& part,
                                               KktSystem& system,
                                               const RunContext& run);

struct SensitiveForm {
  Part part;                           // sensitive cells only, weights d, no equations
  std::shared_ptr<const Matrix> form;  // P
};

struct DiagonalOptions {
  double precision = kTuning.sensitive.precision;  // of sum k d, relative
  int max_steps = kTuning.sensitive.max_steps;
};

// `gain` is k; cells with k = 0 keep what is left. A run that should stop ends with what it has:
// every diagonal on the way is admissible.
Vector best_diagonal(const Matrix& q,
                     const Vector& gain,
                     const DiagonalOptions& options,
                     const RunContext& run);

// The relaxation for these senses.
SensitiveForm sensitive_form(const Part& part,
                             const Matrix& q,
                             const Senses& senses,
                             const DiagonalOptions& options,
                             const RunContext& run);

}  // namespace lacuna::adjustment
