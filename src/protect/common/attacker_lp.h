// SPDX-License-Identifier: Apache-2.0
// The attacker problem of attacker_solver.h as a linear program,
//
//   maximize s z_p  subject to  M z = 0,  -down_i <= z_i <= up_i,  0 <= s z_p <= own
//
// Two forms of the same problem, whichever has fewer rows:
//   equations: one column per cell, one row per independent equation; d are the reduced costs;
//   leaves: z = N u, and the dual is solved, min sum up_i d_i^+ + down_i d_i^- over d^+, d^- >= 0
//     with one row per leaf, N'(d^+ - d^-) + C'g = s N'e_p where C u = 0 are conditions on the
//     leaves; u are the row duals. Another target only changes the right-hand side.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "lacuna/lp.h"
#include "lacuna/run_context.h"
#include "protect/common/attacker_solver.h"
#include "protect/common/suppress_model.h"

namespace lacuna::inline common {

class AttackerLp : public AttackerSolver {
 public:
  AttackerLp(const SuppressModel& model, const std::string& engine);

  Answer push(const Target& target, const Capacities& capacities, const RunContext& run) override;

 private:
  void load_equations();
  void load_leaves();
  Answer push_equations(const Target& target, const RunContext& run);
  Answer push_leaves(const Target& target, const RunContext& run);
  void set_target(const Target& target);
  void add_entries(std::int32_t cell, double dual, double move);

  const SuppressModel& model_;
  std::unique_ptr<LpSolver> solver_;
  bool leaves_ = false;
  std::int32_t target_ = -1;
  std::vector<double> up_, down_;
};

}  // namespace lacuna::inline common
