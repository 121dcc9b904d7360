// SPDX-License-Identifier: Apache-2.0
// A bound without a linear program, for tables of any size: dual ascent (Wong 1984 for Steiner
// trees; Erlenkotter 1978). Every need is met by what is paid for already, or an attacker problem
// over the cells that are paid for gives a capacity constraint they do not satisfy,
//
//   sum_i c_i x_i >= R   hence, T being what is paid for,   sum_{i not in T} min(c_i, R') x_i >=
//   R', R' = R - sum_{i in T} c_i   (Carr, Fleischer, Leung, Phillips 2000).
//
// Its multiplier grows until the reduced cost of a cell is used up; that cell is then paid for. The
// constraints and their multipliers are a dual solution of the master: the bound is evaluated from
// them as the master's is, and the constraints are good first rows of it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "judge/attacker/solver.h"
#include "lacuna/run_context.h"
#include "protect/suppression_model/capacities.h"
#include "protect/suppression_model/cuts/cut.h"
#include "protect/suppression_model/questions.h"
#include "protect/suppression_model/suppress_model.h"

namespace lacuna::suppression_model {

class DualAscent {
 public:
  DualAscent(const SuppressModel& model, const std::string& engine);

  void climb(const RunContext& run);

  double bound() const;  // of the columns' weight
  const std::vector<double>& reduced_costs() const { return reduced_; }
  const std::vector<Cut>& cuts() const { return cuts_; }

 private:
  struct Goal {
    std::int32_t probe = 0;
    int sign = 1;
    double level = 0;
  };
  void list_goals();
  void reach_by_equations(const Goal& goal);
  void reach_by_equation(std::int32_t probe, std::int32_t equation);
  void reach(const Goal& goal, const RunContext& run);
  // False if the cells that are paid for satisfy the constraint.
  bool raise(Cut cut);

  const SuppressModel& model_;
  Questions questions_;
  std::unique_ptr<attacker::AttackerSolver> solver_;
  std::vector<Goal> goals_;
  std::vector<double> reduced_;  // by column
  std::vector<double> paid_;     // by column: 1 or 0
  std::vector<Cut> cuts_;
  std::vector<double> multipliers_;
};

}  // namespace lacuna::suppression_model
