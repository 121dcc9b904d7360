// SPDX-License-Identifier: Apache-2.0
// A primal-dual interior point method (Mehrotra's predictor and corrector) for
//   minimize  sum_k c_k x_k + q_k x_k^2 / 2 + P(v)                                          (1)
//   such that v_i = sum of the columns of cell i,  M v = 0,  l_k <= x_k <= u_k,
// where each column belongs to one cell. With multipliers g_i of the sums, zl and zu of the bounds,
// and a target mu > 0 that falls to zero, it follows the solutions of
//   c_k + q_k x_k - g_i = zl_k - zu_k,   g + 2 P v a combination of the equations,          (2)
//   zl_k (x_k - l_k) = mu,   zu_k (u_k - x_k) = mu.                                         (3)
// A cell's columns share one multiplier g_i, so the linear systems of Newton's steps have the size
// of the cells, not of the columns (kkt.h): with
//   theta_k = 1 / (q_k + zl_k / (x_k - l_k) + zu_k / (u_k - x_k)),   Theta_i = their sum,   (4)
//   dx_k = theta_k (dg_i + r_k),                                                            (5)
//   r_k = g_i - c_k - q_k x_k + (mu - e_k al_k) / (x_k - l_k) - (mu + e_k au_k) / (u_k - x_k),
//   dv - Theta dg = b,   b_i = sum of x_k + theta_k r_k over cell i, less v_i,              (6)
//   dzl_k = (mu - e_k al_k - zl_k dx_k) / (x_k - l_k) - zl_k,                               (7)
//   dzu_k = (mu + e_k au_k + zu_k dx_k) / (u_k - x_k) - zu_k.
// The predictor has mu = 0 and e = al = au = 0. The corrector has its dx, dzl, dzu in their place
// (the term of second order) and, with the mean product of (3) as it is and as the longest step of
// the predictor would leave it,
//   mu = (mean ahead / mean now)^3 mean now.                                                (8)
//
// Bounds are certified: for any g whose combination with the equations vanishes (kkt.h, project),
//   sum_k min_x { c_k x + q_k x^2 / 2 - g_i x }  <=  the optimum                            (9)
// by weak duality; a form P is first replaced by its tangent at the current v, which lies below it
// because P is convex on M v = 0: the bound is then the sum above less P(v), with g + 2 P v
// vanishing on M v = 0.
// The bound is taken at every step, so a node is pruned as soon as any step proves it, and an
// infeasible node is one whose bound passes every limit.
#pragma once

#include <algorithm>
#include <memory>

#include "lacuna/run_context.h"
#include "protect/adjust/columns.h"
#include "protect/adjust/kkt.h"
#include "protect/adjust/model.h"
#include "protect/adjust/tuning.h"

namespace lacuna::adjustment {

struct PointOptions {
  double precision =
      kTuning.point.precision;  // relative difference of value and bound at which to stop
  int max_steps = kTuning.point.max_steps;
  double cutoff = kInfinity;  // stop once the bound reaches this
  double start = 1;           // how far from the boundary to start, relative to the usual
  double step_back = kTuning.point.step_back;  // largest part of the way to the boundary
};

enum class PointStatus : std::uint8_t { kSolved, kCutOff, kStalled };

struct Point {
  PointStatus status = PointStatus::kStalled;
  double bound = -kInfinity;    // certified
  double value = kInfinity;     // of the columns at the last step; an estimate
  double residual = kInfinity;  // largest |v - sum x| relative to the scale of the cells
  Vector v;                     // M v = 0 up to rounding
  Vector g;
  int steps = 0;
};

class InteriorPoint {
 public:
  InteriorPoint(const Part& part, AdjustNorm norm, std::unique_ptr<KktSystem> system);

  Point solve(const Senses& senses, const PointOptions& options, const RunContext& run);

  // After solve(): how far each open cell moves under a unit force, for branching.
  // 0 if a stop came before anything was factorized.
  double compliance(std::int32_t cell) { return factored_ ? kkt_->compliance(cell) : 0; }
  // What the bound of the last solve becomes if the cell takes this sense, same multipliers.
  double bound_if(std::int32_t cell, Sense sense, const Point& point) const;

  const Part& part() const { return part_; }
  KktSystem& system() { return *kkt_; }

 private:
  struct Steps {
    double primal = 1, dual = 1;
    double shortest() const { return std::min(primal, dual); }
    double longest() const { return std::max(primal, dual); }
  };
  struct Iterate {     // or a change of one
    Vector x, zl, zu;  // by column
    Vector v, g;       // by cell
  };
  struct System {          // of Newton's step
    Vector theta;          // by column
    Vector cell_theta, b;  // by cell
  };

  void start(double distance);
  void update_bound(Point& point) const;
  double predicted_complementarity(Steps steps) const;
  bool keep_best(const PointOptions& options, Point& point);
  double value() const;
  template <class Primal, class Lower, class Upper>
  double mean_product(Primal&& x, Lower&& zl, Upper&& zu) const;
  double complementarity() const;
  void make_theta();
  Steps predict_and_correct(double mu, const PointOptions& options);
  void directions(double target, double correct);
  void set_right_side(double target, double correct);
  Steps longest_steps(double most) const;
  void move(Steps steps);
  void restore_centrality();

  const Part& part_;
  AdjustNorm norm_;
  std::unique_ptr<KktSystem> kkt_;
  bool factored_ = false;

  double best_error_ = 0;
  double size_ = 1;  // typical deviation
  Columns columns_;
  std::vector<std::int32_t> cell_of_;  // by column
  Iterate now_;
  Iterate change_;     // the direction at hand
  Iterate predictor_;  // e, al and au of (5): its direction; by column alone
  System system_;
};

}  // namespace lacuna::adjustment
