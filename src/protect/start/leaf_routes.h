// SPDX-License-Identifier: Apache-2.0
// Routes that need no search: a displacement of leaves determines that of every total above them.
//
// Every total is defined once, by an equation in which it stands alone on its side. To move a cell
// p by its level, leaves below p (the one with the most slack, or several) move, and for each of
// them another leaf moves the other way: one below a cell that shares an equation with the leaf,
// or with a total above the leaf. What both have above them stays; all else above either moves
// along. A second pair, moving against the first, keeps the totals that both have above
// them: with (r, a) and (r', a) the cells (r, b) and (r', b). Of the possible partners those whose
// cells cost least to withhold are taken. Such routes are more expensive than the cheapest, but
// they exist wherever leaves have slack, and improvement replaces them.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "protect/start/pattern_state.h"
#include "protect/start/route.h"
#include "protect/start/route_assignment.h"

namespace lacuna::start {

class LeafRoutes {
 public:
  explicit LeafRoutes(const PatternState& pattern_state);

  // Any route will do, or one that is looked for among more.
  enum class Care : std::uint8_t { kHasty, kUsual };
  // A route for the goal over cells that are or may be withheld, within the slacks; or nothing.
  std::optional<Route> find(const RouteGoal& goal, Care care = Care::kUsual) const;

 private:
  std::optional<Route> find_for(const RouteGoal& goal, Care care) const;
  struct Link {
    std::int32_t cell = -1;
    std::int32_t factor = 1;
  };
  using Moves = std::unordered_map<std::int32_t, Wide>;

  void define();
  void set_depths();
  void link();
  bool is_leaf(std::int32_t cell) const { return defined_by_[static_cast<std::size_t>(cell)] < 0; }
  Units slack_of(std::int32_t cell, std::int32_t attacker) const;  // the smaller of the two
  // Leaves below the cell that have slack, the roomiest first.
  std::vector<std::int32_t> carriers(std::int32_t cell, std::int32_t attacker) const;
  // Down the parts with the most slack left by what moves already; need not be the roomiest leaf.
  std::int32_t roomiest_below(std::int32_t cell, std::int32_t attacker, const Moves& already) const;
  std::vector<std::int32_t> totals_above(std::int32_t leaf) const;
  void raise(Moves leaves, Moves& all) const;  // adds what the leaves' moves imply
  // Of withholding what moves and does not move already; infinite if that may not be.
  double cost_of(const Moves& moves, const Moves& already) const;
  bool fits(const Moves& moves, const RouteGoal& goal, const Moves& already) const;
  // What one leaf is to do, and the way to make up for it that costs least per unit.
  struct Pairing {
    std::int32_t leaf = -1;
    Wide wanted = 0;
    Wide least = 1;  // no partner for less
    const RouteGoal& goal;
    const Moves& already;
    Care care = Care::kUsual;
    Moves moves{};
    double cost = std::numeric_limits<double>::infinity();  // per unit
  };
  void pair_up(Pairing& pairing) const;
  // Leaves below cells that share an equation with this one, the cheapest of each equation first.
  std::vector<std::int32_t> partners_at(std::int32_t cell,
                                        std::size_t most,
                                        const Pairing& pairing) const;
  // These leaves move along, or against, as far as all can. The cost per unit.
  double consider(const std::vector<std::int32_t>& along,
                  const std::vector<std::int32_t>& against,
                  Pairing& pairing) const;
  void add_second_pair(std::int32_t other, Pairing& pairing) const;
  Wide slack_left(std::int32_t cell, std::int32_t attacker, const Moves& already) const;

  const PatternState& pattern_state_;
  std::vector<std::int32_t> defined_by_;  // by cell: an equation, -1 for leaves
  std::vector<std::int32_t> depth_;       // above the leaves
  std::vector<std::vector<Link>> above_;  // by cell: totals whose definition it is in
};

}  // namespace lacuna::start
