// SPDX-License-Identifier: Apache-2.0
// Witnesses of a system that would be a network but for inequalities, as of derived columns
// (core/table/appendix.h): m_1 y_1 + ... + m_k y_k - r = 0, where r stands in no other equation.
// Some cells are held where they are (z = 0), such as the common denominator of a row's
// percentages, until at most one cell x of every inequality can still move. Then the inequality
// says no more than how far x moves, and r follows:
//   z_r = m z_x,   -down_r <= m z_x <= up_r,   rounded inward to whole numbers.                (1)
// If what is left is a network, a largest flow in it is a whole witness of the system at hand once
// the followers have moved, too. It proves nothing, since the held cells could have moved.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/table/network.h"
#include "judge/attack/view.h"
#include "lacuna/evidence.h"
#include "lacuna/table.h"

namespace lacuna::attack {

class HeldNetwork {
 public:
  // Null if the view has no such inequality, or what is left is no network.
  static std::unique_ptr<const HeldNetwork> make(const AttackView& view);

  const AttackView& view() const { return *view_; }  // of what is left; cells keep their numbers
  const table::Network& network() const { return network_; }
  // A displacement or ray of what is left, with what follows.
  Displacement with_followers(const Displacement& left) const;

 private:
  struct Follower {
    CellId cell, leader;
    std::int32_t factor = 0;
  };
  friend class HeldNetworkMaker;

  std::vector<Follower> followers_;  // by leader
  std::unique_ptr<Table> table_;
  std::unique_ptr<AttackView> view_;
  table::Network network_;
};

}  // namespace lacuna::attack
