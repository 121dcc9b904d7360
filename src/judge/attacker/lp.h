// SPDX-License-Identifier: Apache-2.0
// The attacker's problem as a linear program, in one of two forms, whichever has fewer rows:
//   equations: one column per cell, one row per independent equation; d are the reduced costs;
//   leaves: z = N u, and the dual is solved, min sum up_i d_i^+ + down_i d_i^- over d^+, d^- >= 0
//     with one row per leaf, N'(d^+ - d^-) + C'g = s N'e_p where C u = 0 are conditions on the
//     leaves; u are the row duals. Another target only changes the right-hand side.
// Is there no end to where the cell may go? Then it moves, too, where slacks without end are 1 and
// all others 0 (the recession cone of the slacks).
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "judge/attacker/solver.h"
#include "lacuna/lp.h"

namespace lacuna::attacker {

// The rows of a dual program in leaf form, one per leaf: N'd + C'g = 0, where d_i is a sum of
// columns of its own with the given signs. `lp` has signs.size() columns for each cell, cell after
// cell. Adds a free column for each condition, then the rows.
void add_leaf_rows(const AttackerProblem& problem, const std::vector<double>& signs, LpModel& lp);

enum class LpForm : std::uint8_t { kFewerRows, kEquations, kLeaves };

class AttackerLp : public AttackerSolver {
 public:
  AttackerLp(const AttackerProblem& problem,
             const std::string& engine,
             LpForm form = LpForm::kFewerRows);

  Answer push(const Query& query, const Slacks& slacks, const RunContext& run) override;

 private:
  void load_equations();
  void load_leaves();
  Answer solve(const Query& query, const RunContext& run);
  Answer solve_equations(const Query& query, const RunContext& run);
  Answer solve_leaves(const Query& query, const RunContext& run);
  void set_side(std::int32_t cell, double factor);
  void set_price(std::int32_t column, double slack);
  void add_entries(std::int32_t cell, double dual, double move);

  const AttackerProblem& problem_;
  std::unique_ptr<LpSolver> solver_;
  bool leaves_ = false;
  std::int32_t target_ = -1;
  std::vector<RealSlack> slacks_;
  std::vector<bool> shut_;  // by column, over leaves: may not be used, its slack has no end
};

}  // namespace lacuna::attacker
