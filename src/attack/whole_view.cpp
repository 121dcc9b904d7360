// SPDX-License-Identifier: Apache-2.0
#include "attack/whole_view.h"

#include "attack/evidence_check.h"
#include "base/index.h"

namespace lacuna::inline attack {
namespace {

Propagation propagated(const Table& table, const std::vector<Room>& rooms, const Holes& holes) {
  Propagation chain(table, rooms, &holes);
  chain.run();
  return chain;
}

}  // namespace

WholeView::WholeView(const Table& table,
                     std::vector<Room> rooms,
                     const Network* network,
                     Holes holes)
    : table_(table),
      given_(std::move(rooms)),
      holes_(std::move(holes)),
      chain_(propagated(table, given_, holes_)),
      core_(table, {chain_.rooms().begin(), chain_.rooms().end()}, &holes_),
      network_(network) {
  if (network_ != nullptr || core_.free_cells().empty())
    return;
  std::vector<bool> free(given_.size(), false);
  for (const AttackView::FreeCell& cell : core_.free_cells())
    free[at(cell.cell)] = true;
  own_network_ = network_form(table, free);
  if (own_network_)
    network_ = &*own_network_;
}

bool WholeView::admits(const Displacement& witness) const {
  return check_displacement(table_, core_.rooms(), witness).has_value() && holes_.admit(witness);
}

}  // namespace lacuna::inline attack
