// SPDX-License-Identifier: Apache-2.0
// The linear systems of the interior point method, in the space of the cells. With theta_i > 0 the
// inverse curvature of the columns of cell i and P a quadratic form that is not separable (zero for
// most systems), find
//   dv - theta dg = b,   M dv = 0,   dg + 2 P dv  a combination of the equations.
// Equation form (normal equations): M Theta M' dy = -M b, dg = M'dy; no form P.
// Leaf form (null space): dv = N du, N'(1/Theta) N du = N'(b / Theta), a dense system of the size
// of the leaves.
// Dense form: no equations, all in P (sensitive_form.h): (1/Theta + 2P) dv = b / Theta.
// Which of the first two is cheaper is a matter of structure: flat tables have few equations, deep
// hierarchies in three dimensions few leaves.
#pragma once

#include <Eigen/Dense>
#include <memory>

#include "protect/adjust/model.h"

namespace lacuna::adjustment {

using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;

class KktSystem {
 public:
  virtual ~KktSystem() = default;
  virtual std::unique_ptr<KktSystem> clone() const = 0;  // for another thread
  // False if the factorization broke down.
  virtual bool factor(const Vector& theta) = 0;
  virtual void solve(const Vector& b, Vector& dv, Vector& dg) = 0;
  // Makes g + 2 P v a combination of the equations up to rounding, by changing g.
  virtual void project(const Vector& v, Vector& g) const = 0;
  virtual double form(const Vector&) const { return 0; }  // P(v)
  // How the cells move if a unit force pulls at cell i; after factor().
  virtual Vector response(std::int32_t cell) = 0;
  // The move of the cell itself.
  virtual double compliance(std::int32_t cell) = 0;
  virtual double flops() const = 0;  // of one factorization, in dense operations
};

std::unique_ptr<KktSystem> make_equation_system(const Part& part);
std::unique_ptr<KktSystem> make_leaf_system(const Part& part);
std::unique_ptr<KktSystem> make_dense_system(std::shared_ptr<const Matrix> form);
// The cheaper of the first two.
std::unique_ptr<KktSystem> make_kkt_system(const Part& part);

}  // namespace lacuna::adjustment
