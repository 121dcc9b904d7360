// SPDX-License-Identifier: Apache-2.0
// What one attacker does not know of a table of counts, reduced to its core: the rooms as given are
// narrowed by propagation (whole_chain.h), once, and the view of what is left has its free cells,
// parts and perhaps a network, in which all ends are whole by themselves. Searches of several
// threads share it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "attack/holes.h"
#include "attack/view.h"
#include "attack/whole_chain.h"
#include "lacuna/table.h"
#include "table/network.h"

namespace lacuna::inline attack {

class WholeView {
 public:
  // Rooms of all cells, whole numbers around the truth, no end of them in a hole. `network`: the
  // table's, if it is one; else the core is asked whether it is one.
  WholeView(const Table& table,
            std::vector<Room> rooms,
            const Network* network = nullptr,
            Holes holes = {});
  WholeView(const WholeView&) = delete;
  WholeView& operator=(const WholeView&) = delete;

  const Table& table() const { return table_; }
  std::span<const Room> rooms() const { return given_; }  // before the chain
  const AttackView& core() const { return core_; }        // after it
  const Propagation& chain() const { return chain_; }
  const Network* network() const { return network_; }
  const Holes& holes() const { return holes_; }
  // Whether the attacker cannot rule out a whole displacement.
  bool admits(const Displacement& witness) const;

 private:
  const Table& table_;
  std::vector<Room> given_;
  Holes holes_;
  Propagation chain_;
  AttackView core_;
  std::optional<Network> own_network_;
  const Network* network_ = nullptr;
};

}  // namespace lacuna::inline attack
