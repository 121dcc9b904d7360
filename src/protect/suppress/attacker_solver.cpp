// SPDX-License-Identifier: Apache-2.0
#include "protect/suppress/attacker_solver.h"

#include "protect/suppress/attacker_flow.h"
#include "protect/suppress/attacker_lazy.h"
#include "protect/suppress/attacker_lp.h"

namespace lacuna {
namespace {

bool has_few_leaves(const SuppressModel& model) {
  constexpr std::size_t kTotalsPerLeaf = 2;
  const LeafForm& form = model.leaf_form();
  return form.leaves.size() * kTotalsPerLeaf < static_cast<std::size_t>(form.rank());
}

}  // namespace

// A cell of a table with few leaves and many totals moves everything around it: there is nothing
// local that a lazy search could use.
std::unique_ptr<AttackerSolver> make_attacker_solver(const SuppressModel& model,
                                                     const std::string& engine) {
  if (const Network* network = model.network())
    return std::make_unique<AttackerFlow>(model, *network);
  if (has_few_leaves(model))
    return std::make_unique<AttackerLp>(model, engine);
  return std::make_unique<AttackerLazy>(model, engine);
}

}  // namespace lacuna
