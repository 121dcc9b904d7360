// SPDX-License-Identifier: Apache-2.0
// The whole interval problem at once, nearly solved: the compact model (Figure 6 of Salazar-Gonzalez
// 2002) over a basis B of the displacements,
//
//   minimize w'z  over z and f_d = B y_d,  f_d,p = s L_d,  -z- <= f_d <= z+   for every goal d,
//                                                                                         (1)
// by the alternating direction method of multipliers (Boyd et al. 2011, sections 5 and 7.3; over-
// relaxed, 3.4.3). With copies x_d of f_d and multipliers v_d, in turn
//   f_d  the point of {B y : (B y)_p = s L_d} nearest to x_d - v_d;                       (2)
//   x, z the cheapest slacks with their copies, which is one equation per end,
//        sum_d r_d (a_d - z_e)+ = w_e,  a_d the part of f_d + v_d towards e;              (3)
//   v_d  grows by f_d - x_d.                                                              (4)
// Distances are weighed by r_d w_i, r_d = 1 / L_d: prices are about w_i and moves about L_d. So the
// matrix G = B'WB is the same for all goals and rounds, and is factored once; with b_p the row
// of the need's cell in B, (2) is
//   y = G^-1 B'W (x_d - v_d) + t G^-1 b_p,   t such that b_p'y = s L_d.                   (5)
//
// Nothing here has to be exact. Of every goal, c_d = r_d W (f_d - x_d + v_d) is orthogonal to all
// displacements that leave the need's cell where it is: c_d / (s t r_d) is a cut (cut.h).     (6)
// The cuts together give a bound that is near the optimum if the rounds are many, and z is near
// slacks that are safe; the cutting planes go on from both.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "lacuna/run_context.h"
#include "protect/interval/cut.h"
#include "protect/interval/master.h"
#include "protect/interval/model.h"

namespace lacuna::interval {

class Splitting {
 public:
  // Nothing if the basis is not found or large, or if a few hundred rounds take more than a share
  // of the run.
  static std::unique_ptr<Splitting> make(const Model& model,
                                         std::span<const Goal> goals,
                                         int threads,
                                         const RunContext& run);
  ~Splitting();

  // Rounds until value and bound seem to be no more than `gap` apart, that no longer changes, or a
  // share of the run's work is done.
  void run(double gap, const RunContext& run);

  Point point() const;            // slacks and shares that are nearly safe and nearly optimal
  std::vector<Cut> cuts() const;  // one per goal

 private:
  class Rounds;
  explicit Splitting(std::unique_ptr<Rounds> rounds);
  std::unique_ptr<Rounds> rounds_;
};

}  // namespace lacuna::interval
