// SPDX-License-Identifier: Apache-2.0
// A primal-dual interior point method (Mehrotra's predictor and corrector) for
//   minimize  sum_k c_k x_k + q_k x_k^2 / 2 + P(v)
//   such that v_i = sum of the columns of cell i,  M v = 0,  l_k <= x_k <= u_k,
// where each column belongs to one cell. A cell's columns share one multiplier g_i, so the linear
// systems have the size of the cells, not of the columns (kkt.h).
//
// Bounds are certified: for any g whose combination with the equations vanishes (kkt.h, project),
//   sum_k min_x { c_k x + q_k x^2 / 2 - g_i x }  <=  the optimum
// by weak duality; a form P is first replaced by its tangent at the current v, which lies below it
// because P is convex on M v = 0: the bound is then the sum above less P(v), with g + 2 P v
// vanishing on M v = 0.
// The bound is taken at every step, so a node is pruned as soon as any step proves it, and an
// infeasible node is one whose bound passes every limit.
#pragma once

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
  double compliance(std::int32_t cell) { return factored_ ? system_->compliance(cell) : 0; }
  // What the bound of the last solve becomes if the cell takes this sense, same multipliers.
  double bound_if(std::int32_t cell, Sense sense, const Point& point) const;

  const Part& part() const { return part_; }
  KktSystem& system() { return *system_; }

 private:
  void start(double distance);
  void update_bound(Point& point) const;
  struct Steps {
    double primal = 1, dual = 1;
  };
  double predicted_complementarity(Steps steps) const;
  bool keep_best(const PointOptions& options, Point& point);
  double value() const;
  template <class Primal, class Lower, class Upper>
  double mean_product(Primal&& x, Lower&& zl, Upper&& zu) const;
  double complementarity() const;
  void make_theta();
  void directions(double target, double correct);
  Steps longest_steps(double most) const;
  void move(Steps steps);
  void restore_centrality();

  const Part& part_;
  AdjustNorm norm_;
  std::unique_ptr<KktSystem> system_;
  bool factored_ = false;

  double best_error_ = 0;
  double size_ = 1;  // typical deviation
  Columns columns_;
  std::vector<std::int32_t> cell_of_;
  Vector x_, zl_, zu_, dx_, dzl_, dzu_, theta_, ax_, azl_, azu_;
  Vector v_, g_, dv_, dg_, cell_theta_, b_;
};

}  // namespace lacuna::adjustment
