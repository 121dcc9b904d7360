// SPDX-License-Identifier: Apache-2.0
// Routes that need no search: a displacement of leaves determines that of every total above them.
//
// Every total is defined once, by an equation in which it stands alone on its side. To move a cell
// p by its level, leaves below p (the one with the most room, or several) move, and for each of
// them another leaf moves the other way: one below a cell that shares an equation with the leaf.
// What both have above them stays; all else above either moves along. Of the possible partners the
// one whose cells cost least to withhold is taken. Such routes are dearer than the cheapest, but
// they exist wherever leaves have room, and improvement replaces them.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "heuristic/board.h"
#include "heuristic/ledger.h"
#include "heuristic/route.h"

namespace lacuna {

class Closure {
 public:
  explicit Closure(const Board& board);

  // A route for the need over cells that are or may be withheld, within the rooms; or nothing.
  std::optional<Steps> find(const Need& need) const;

 private:
  struct Link {
    std::int32_t cell = -1;
    std::int32_t factor = 1;
  };
  using Moves = std::unordered_map<std::int32_t, Wide>;

  void define();
  void set_depths();
  void link();
  bool is_leaf(std::int32_t cell) const { return defined_by_[static_cast<std::size_t>(cell)] < 0; }
  Units room_of(std::int32_t cell, std::int32_t attacker) const;  // the smaller of the two
  // Leaves below the cell, the roomiest first, until they can carry the amount.
  std::vector<std::pair<std::int32_t, Units>> carriers(std::int32_t cell,
                                                       Units amount,
                                                       std::int32_t attacker) const;
  std::int32_t roomiest_below(std::int32_t cell, std::int32_t attacker) const;
  void raise(Moves leaves, Moves& all) const;  // adds what the leaves' moves imply
  double cost_of(const Moves& moves) const;    // infinite if one may not be withheld
  bool fits(const Moves& moves, const Need& need, const Moves& already) const;
  bool pair_up(std::int32_t leaf, Wide amount, const Need& need, Moves& all) const;

  const Board& board_;
  std::vector<std::int32_t> defined_by_;  // by cell: an equation, -1 for leaves
  std::vector<std::int32_t> depth_;       // above the leaves
  std::vector<std::vector<Link>> above_;  // by cell: totals whose definition it is in
};

}  // namespace lacuna
