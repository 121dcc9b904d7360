// SPDX-License-Identifier: Apache-2.0
#include "protect/common/attacker_solver.h"

#include "protect/common/attacker_flow.h"
#include "protect/common/attacker_lazy.h"
#include "protect/common/attacker_lp.h"

namespace lacuna::inline common {

// A cell of a table with few leaves and many totals moves everything around it: there is nothing
// local that a lazy search could use.
std::unique_ptr<AttackerSolver> make_attacker_solver(const SuppressModel& model,
                                                     const std::string& engine) {
  if (const Network* network = model.network())
    return std::make_unique<AttackerFlow>(model, *network);
  if (model.has_few_leaves())
    return std::make_unique<AttackerLp>(model, engine);
  return std::make_unique<AttackerLazy>(model, engine);
}

}  // namespace lacuna::inline common
