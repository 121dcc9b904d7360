// SPDX-License-Identifier: Apache-2.0
// Who answers the attacker's problem (problem.h), whatever its structure:
//
//   maximize s z_p  subject to  M z = 0,  -down_i <= z_i <= up_i,  0 <= s z_p <= most
//
// An answer has a displacement that gets so far and, for any slacks, a proof that nothing gets
// farther: d with d'z = s z_p for every z with M z = 0, so that
//
//   s z_p <= most max(s d_p, 0) + sum_{i != p} up_i d_i^+ + down_i d_i^-
//
// or multipliers g of the equations with d = s e_p - M'g. In networks the problem is a largest flow
// and d a smallest cut (Cox 1980): flow.h. Else by a dual simplex that looks only where it must
// (lazy.h, repair_simplex.h) or by linear programs over equations or over leaves (lp.h). All of it
// in doubles; what has to hold is made of d or z by the caller.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "judge/attacker/problem.h"
#include "judge/attacker/slacks.h"
#include "lacuna/run_context.h"
#include "lacuna/tolerance.h"

namespace lacuna::attacker {

class AttackerSolver {
 public:
  virtual ~AttackerSolver() = default;

  struct Query {
    std::int32_t cell = 0;  // local
    int sign = 1;
    // How far the cell itself may move that way, maybe without end; not at all the other way.
    double most = 1;
    double negligible = tol::kNegligible;  // in the same numbers: moves that do not count in a flow
  };
  using Entry = CellAmount;
  struct Answer {
    bool solved = false;
    double value = 0;  // the largest s z_p
    // z; in another order than ascending, and a number may be zero. If there is no end, a ray: it
    // stays within slacks without end and moves the cell towards s.
    std::span<const Entry> moves;
    bool endless = false;
    // g if there are multipliers, else d, zero where it does not stand. Where the search was cut
    // off (not solved), what it has come to, which proves something less, or nothing at all.
    std::span<const Entry> dual;
    std::span<const Multiplier> multipliers;
  };
  // The slack of the cell itself does not count. The spans of an answer hold until the next push.
  virtual Answer push(const Query& query, const Slacks& slacks, const RunContext& run) = 0;

  // The same question with other slacks, none of them without an end that had one: a basis that
  // rests within such a slack would not be dual feasible.
  virtual Answer push_again(const Slacks& slacks, const RunContext& run) {
    return push(last_, slacks, run);
  }

  // The question once more, which was not answered, in a way that takes longer.
  virtual Answer insist(const Slacks&, const RunContext&) { return {}; }

  std::int64_t solves() const { return solves_; }

 protected:
  Answer answer(bool solved, double value) const {
    return {solved, value, moves_, false, dual_, {}};
  }

  std::int64_t solves_ = 0;
  Query last_;  // set by push
  std::vector<Entry> dual_, moves_;
};

// A flow if the problem is a network; where leaves are few, linear programs; else the lazy simplex.
// Every one of them insists where it can. The engine, "" for the preferred one, must be known.
std::unique_ptr<AttackerSolver> make_attacker_solver(const AttackerProblem& problem,
                                                     const std::string& engine);

}  // namespace lacuna::attacker
