// SPDX-License-Identifier: Apache-2.0
#include "judge/attacker/solver.h"

#include "judge/attacker/flow.h"
#include "judge/attacker/lazy.h"
#include "judge/attacker/lp.h"
#include "judge/attacker/tuning.h"

namespace lacuna::attacker {

// A cell of a table with few leaves and many totals moves everything around it: there is nothing
// local that a lazy search could use, and programs over the leaves are small.
std::unique_ptr<AttackerSolver> make_attacker_solver(const AttackerProblem& problem,
                                                     const std::string& engine) {
  if (problem.network() != nullptr)
    return std::make_unique<AttackerFlow>(problem);
  if (problem.has_few_leaves() && problem.leaf_form().leaves.size() <= kTuning.most_leaves)
    return std::make_unique<AttackerLp>(problem, engine);
  return std::make_unique<AttackerLazy>(problem, engine);
}

}  // namespace lacuna::attacker
