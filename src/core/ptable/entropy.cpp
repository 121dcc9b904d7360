// SPDX-License-Identifier: Apache-2.0
// Maximum entropy by its dual. With multipliers u (u >= 0 for inequalities) and s = A'u the best p
// for given prices is p = max(l, exp(-1 - s)), and
//
//   minimize f(u) = b'u - sum (p ln p + s p),   gradient b - A p,   Hessian A diag(p if p > l) A'.
//
// The least probabilities are no rows of A: their multipliers would have to grow from where p is
// far too small for Newton's method to tell anything.
// Damped Newton steps on the multipliers that are not held at 0; an inequality is held while it is
// satisfied with multiplier 0, taken up when it is violated and dropped when its multiplier would
// fall below 0 (the projected Newton method of Bertsekas, 1982). f is convex and falls at every
// step, so that no set of active rows comes twice.
#include "core/ptable/entropy.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "core/ptable/tuning.h"

namespace lacuna::ptable {
namespace {

using Eigen::Index;
using Eigen::VectorXd;

class DualNewton {
 public:
  explicit DualNewton(const EntropyProgram& program) : program_(program) {}

  EntropyAnswer solve() {
    u_ = VectorXd::Zero(program_.sides.size());
    u_[0] = std::log(static_cast<double>(program_.rows.cols())) - 1;  // all p alike
    move_to(u_);
    EntropyAnswer best = answer();
    for (int i = 0; i < tuning_.iterations && best.residual > tuning_.solved; ++i) {
      if (!step())
        break;
      // The objective has fewer digits than the residual: take what is better of the two.
      const EntropyAnswer now = answer();
      if (now.residual < best.residual)
        best = now;
    }
    best.solved = best.residual <= tuning_.accepted;
    return best;
  }

 private:
  struct Shares {
    VectorXd p;
    VectorXd moving;   // p where it is above the least, else 0
    double objective;  // f
  };
  Shares shares(const VectorXd& u) const {
    const VectorXd prices = program_.rows.transpose() * u;
    Shares at{(-1 - prices.array()).exp(), {}, program_.sides.dot(u)};
    at.moving = at.p;
    for (Index k = 0; k < at.p.size(); ++k) {
      const double least = program_.least[k];
      if (at.p[k] > least) {
        at.objective += at.p[k];
        continue;
      }
      at.p[k] = least;
      at.moving[k] = 0;
      at.objective -= least * (std::log(least) + prices[k]);
    }
    return at;
  }
  void move_to(const VectorXd& u) {
    u_ = u;
    const Shares at = shares(u_);
    p_ = at.p;
    moving_ = at.moving;
    objective_ = at.objective;
    gradient_ = program_.sides - program_.rows * p_;
  }
  bool is_bounded(Index row) const { return row >= program_.equalities; }

  // An inequality with a multiplier above 0 must hold with equality.
  EntropyAnswer answer() const {
    double residual = 0;
    for (Index row = 0; row < gradient_.size(); ++row) {
      const bool tight = !is_bounded(row) || u_[row] > 0;
      residual = std::max(residual, tight ? std::abs(gradient_[row]) : -gradient_[row]);
    }
    return {p_, residual, false};
  }

  std::vector<Index> moving_rows() const {
    std::vector<Index> rows;
    for (Index row = 0; row < u_.size(); ++row) {
      if (!is_bounded(row) || u_[row] > 0 || gradient_[row] < 0)
        rows.push_back(row);
    }
    return rows;
  }

  VectorXd newton_direction(const std::vector<Index>& moving) const {
    const auto size = static_cast<Index>(moving.size());
    Eigen::MatrixXd part(size, program_.rows.cols());
    VectorXd wanted(size);
    for (Index k = 0; k < size; ++k) {
      part.row(k) = program_.rows.row(moving[static_cast<std::size_t>(k)]);
      wanted[k] = -gradient_[moving[static_cast<std::size_t>(k)]];
    }
    const Eigen::MatrixXd hessian = part * moving_.asDiagonal() * part.transpose();
    const Eigen::LDLT<Eigen::MatrixXd> factors(hessian);
    const VectorXd pivots = factors.vectorD();
    const double least = std::numeric_limits<double>::epsilon() * pivots.cwiseAbs().maxCoeff();
    if (factors.info() == Eigen::Success && pivots.minCoeff() > least)
      return factors.solve(wanted);
    return hessian.completeOrthogonalDecomposition().solve(wanted);  // rows that depend on others
  }

  // Newton's direction among the rows that may move: one that stands at 0 and would go below stays.
  VectorXd direction() const {
    std::vector<Index> moving = moving_rows();
    for (;;) {
      const VectorXd part = newton_direction(moving);
      std::vector<Index> kept;
      VectorXd whole = VectorXd::Zero(u_.size());
      for (std::size_t k = 0; k < moving.size(); ++k) {
        const double move = part[static_cast<Index>(k)];
        if (is_bounded(moving[k]) && u_[moving[k]] <= 0 && move < 0)
          continue;
        kept.push_back(moving[k]);
        whole[moving[k]] = move;
      }
      if (kept.size() == moving.size())
        return whole;
      moving = std::move(kept);
    }
  }

  bool step() {
    const VectorXd along = direction();
    double length = 1;
    for (int i = 0; i < tuning_.halvings; ++i, length /= 2) {
      VectorXd next = u_ + length * along;
      for (Index row = program_.equalities; row < next.size(); ++row)
        next[row] = std::max(next[row], 0.0);
      const double decrease = gradient_.dot(next - u_);
      if (shares(next).objective <=
          objective_ + tuning_.enough_decrease * decrease + tuning_.noise) {
        move_to(next);
        return true;
      }
    }
    return false;
  }

  const EntropyProgram& program_;
  const EntropyTuning tuning_;
  VectorXd u_, p_, moving_, gradient_;
  double objective_ = 0;
};

}  // namespace

EntropyAnswer most_entropy(const EntropyProgram& program) {
  return DualNewton(program).solve();
}

}  // namespace lacuna::ptable
