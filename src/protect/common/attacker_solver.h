// SPDX-License-Identifier: Apache-2.0
// The attacker problem at a point x of the master, in doubles, for separation. For cell p, sign s
// and level L, all displacements divided by L:
//
//   maximize s z_p  subject to  M z = 0,  -down_i <= z_i <= up_i,  0 <= s z_p <= own
//
// with up_i = min(UB_i / L, 1) x_i and down_i likewise. Its dual is a vector d = s e_p - M'g with
// s z_p = d'z for every displacement; the capacity constraint is made of d (cuts/capacity.h).
// Capping the room at the level makes the violation that of the strengthened constraint where d is
// 0, 1 or -1. The answers are hints: cuts are made from d with the true rooms.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "lacuna/run_context.h"
#include "protect/common/suppress_model.h"

namespace lacuna::inline common {

class AttackerSolver {
 public:
  virtual ~AttackerSolver() = default;

  struct Target {
    std::int32_t cell = 0;  // local
    int sign = 1;
    double own = 1;  // how far the cell itself may move that way; not at all the other way
  };
  struct Answer {
    bool solved = false;
    double value = 0;               // the largest s z_p
    std::span<const double> dual;   // d, by local cell
    std::span<const double> moves;  // z, by local cell
  };
  // Capacities by local cell; those of the target do not count. The spans of an answer hold until
  // the next push.
  virtual Answer push(const Target& target,
                      std::span<const double> up,
                      std::span<const double> down,
                      const RunContext& run) = 0;

  // The same target with other capacities.
  virtual Answer push_again(std::span<const double> up,
                            std::span<const double> down,
                            const RunContext& run) {
    return push(last_, up, down, run);
  }

  std::int64_t solves() const { return solves_; }

 protected:
  std::int64_t solves_ = 0;
  Target last_;  // set by push
};

// Flows if the part is a network, else the lazy simplex or, where leaves are few, linear programs.
std::unique_ptr<AttackerSolver> make_attacker_solver(const SuppressModel& model,
                                                     const std::string& engine);

}  // namespace lacuna::inline common
