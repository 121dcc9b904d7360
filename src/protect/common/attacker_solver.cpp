// SPDX-License-Identifier: Apache-2.0
#include "protect/common/attacker_solver.h"

#include <algorithm>

#include "base/index.h"
#include "base/work.h"
#include "protect/common/attacker_flow.h"
#include "protect/common/attacker_lazy.h"
#include "protect/common/attacker_lp.h"
#include "protect/common/tuning.h"

namespace lacuna::inline common {

RealRoom Capacities::of(std::int32_t cell) const {
  const double share = this->share(cell);
  if (attacker_ < 0)
    return {share, share};
  const RealRoom room = model_.room(cell, attacker_);
  return {std::min(room.down / level_, 1.0) * share, std::min(room.up / level_, 1.0) * share};
}

void Capacities::write(std::vector<double>& up, std::vector<double>& down) const {
  up.resize(at(model_.num_cells()));
  down.resize(up.size());
  count_work(5 * up.size());
  for (std::int32_t i = 0; i < model_.num_cells(); ++i) {
    const RealRoom room = of(i);
    up[at(i)] = room.up;
    down[at(i)] = room.down;
  }
}

// A cell of a table with few leaves and many totals moves everything around it: there is nothing
// local that a lazy search could use, and programs over the leaves are small.
std::unique_ptr<AttackerSolver> make_attacker_solver(const SuppressModel& model,
                                                     const std::string& engine) {
  if (const Network* network = model.network())
    return std::make_unique<AttackerFlow>(model, *network);
  if (model.has_few_leaves() && model.leaf_form().leaves.size() <= kTuning.separator.most_leaves)
    return std::make_unique<AttackerLp>(model, engine);
  return std::make_unique<AttackerLazy>(model, engine);
}

}  // namespace lacuna::inline common
