// SPDX-License-Identifier: Apache-2.0
// Capacity constraints (Fischetti and Salazar-Gonzalez 2001; (3.18) of the thesis). For any g let
// d = s e_p - M'g. Every displacement has s z_p = d'z, hence
//
//   (1 - s d_p) s z_p = sum_{i != p} d_i z_i <= sum_{i != p} c_i x_i,
//   c_i = d_i UB_i if d_i > 0, -d_i LB_i if d_i < 0,
//
// and a pattern in which p can move by its level L satisfies sum c_i x_i >= (1 - s d_p) L = R.
// Cells that are always withheld move to the right-hand side, and because x is 0 or 1 no
// coefficient need be larger than what is left there: sum min(c_i, R) x_i >= R. A sliding level
// asks for both ends together: the constraints of the two directions are added. If the level is
// asked only of a withheld cell, R x_p stands on the right.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "protect/suppression_model/cuts/cut.h"
#include "protect/suppression_model/suppress_model.h"

namespace lacuna::suppression_model {

// sum of |d_i| over slack, collected over one or two directions, then closed into a constraint.
class CapacityBuilder {
 public:
  CapacityBuilder(const SuppressModel& model, const Need& need);

  // One direction whose level is `level`; d by local cell. Without entries nothing is known (a
  // question that was not answered), and there is no constraint: a cell that moves has a d.
  void add(std::span<const double> d, int sign, double level);
  using Entry = std::pair<std::int32_t, double>;  // local cell, d
  void add(std::span<const Entry> d, int sign, double level);
  // The same from one equation through the cell alone: d_i = -s m_i / m_p.
  void add_equation(std::int32_t equation, int sign, double level);
  // One end of a sliding level: the cell's own slack counts.
  void add_end(std::span<const double> d, int sign);
  void add_end(std::span<const Entry> d, int sign);
  void ask(double level) { asked_ += level; }  // of both ends together

  // Nothing if the constraint holds whatever is withheld. An empty constraint (0 >= 1) means that
  // no pattern meets the level.
  std::optional<Cut> finish();

 private:
  void add_cell(std::int32_t cell, double d);
  // All but the need's own cell, whose d is returned.
  double add_others(std::span<const double> d);
  double add_others(std::span<const Entry> d);
  void add_own_end(double own, int sign);
  void remember(int sign, std::vector<Entry> d);

  const SuppressModel& model_;
  const Need& need_;
  bool unknown_ = false;                                // some direction has no d
  double given_ = 0;                                    // by cells that are always withheld
  double asked_ = 0;                                    // right-hand side, before `given_`
  std::vector<std::pair<std::int32_t, double>> terms_;  // column, c_i
  std::shared_ptr<CutOrigin> origin_;
};

}  // namespace lacuna::suppression_model
