// SPDX-License-Identifier: Apache-2.0
// The attacker problem at a point x of the master, in doubles, for separation. For cell p, sign s
// and level L, all displacements divided by L:
//
//   maximize s z_p  subject to  M z = 0,  -down_i <= z_i <= up_i,  0 <= s z_p <= own
//
// with up_i = min(UB_i / L, 1) x_i and down_i likewise. Its dual is a vector d = s e_p - M'g with
// s z_p = d'z for every displacement; the capacity constraint is made of d (cuts/capacity.h).
// Two forms of the same problem, whichever has fewer rows:
//   equations: one column per cell, one row per independent equation; d are the reduced costs;
//   leaves: z = N u, and the dual is solved, min sum up_i d_i^+ + down_i d_i^- over d^+, d^- >= 0
//     with one row per leaf, N'(d^+ - d^-) + C'g = s N'e_p where C u = 0 are conditions on the
//     leaves; u are the row duals. Another target only changes the right-hand side.
// Capping the room at the level makes the violation that of the strengthened constraint where d is
// 0, 1 or -1. The answers are hints: cuts are made from d with the true rooms.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "lacuna/lp.h"
#include "lacuna/run_context.h"
#include "protect/suppress/model.h"

namespace lacuna {

class AttackerLp {
 public:
  AttackerLp(const SuppressModel& model, const std::string& engine);
  ~AttackerLp();

  struct Answer {
    bool solved = false;
    double value = 0;               // the largest s z_p
    std::span<const double> dual;   // d, by local cell
    std::span<const double> moves;  // z, by local cell
  };

  struct Target {
    std::int32_t cell = 0;
    int sign = 1;
    double own = 1;  // how far the cell itself may move that way; not at all the other way
  };
  // Capacities by local cell; those of the target do not count.
  Answer push(const Target& target,
              std::span<const double> up,
              std::span<const double> down,
              const RunContext& run);
  std::int64_t solves() const { return solves_; }

  // Cells times rows of the smaller form: how hard one solve is.
  static double work(const SuppressModel& model);

 private:
  void load_equations();
  void load_leaves();
  Answer push_equations(const Target& target,
                        std::span<const double> up,
                        std::span<const double> down,
                        const RunContext& run);
  Answer push_leaves(const Target& target,
                     std::span<const double> up,
                     std::span<const double> down,
                     const RunContext& run);
  void set_target(const Target& target);

  const SuppressModel& model_;
  std::unique_ptr<LpSolver> solver_;
  bool leaves_ = false;
  std::int32_t target_ = -1;
  std::vector<double> dual_, moves_;
  std::int64_t solves_ = 0;
};

}  // namespace lacuna
