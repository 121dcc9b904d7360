// SPDX-License-Identifier: Apache-2.0
// A question about a whole form, brought into its shortest shape: cells without room drop out, and
// a multiple of an equation is taken off where fewer cells are left, y_g - y_c = sum of the other
// parts of g. As M z = 0, the form stays the same on every table of the attacker:
//   f = form + M'offset  on the cells with room,
// so multipliers g of `form` become g + s offset of f, and a step h becomes h + offset / q. What is
// found is made into evidence about f under the rooms as they were given, with the chain that the
// narrowed rooms came from where it is needed.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "attack/whole_part.h"
#include "attack/whole_tree.h"
#include "attack/whole_view.h"
#include "lacuna/counts.h"
#include "lacuna/evidence.h"

namespace lacuna::inline attack {

// What was found about s f'z: it can reach `witness`, and it cannot pass what chain, then proof or
// tree, then step show (End of lacuna/evidence.h). Bounded if there is a proof or a tree; a
// proof without equations stands for the rooms alone.
struct WholeReach {
  std::optional<Displacement> witness;  // nothing: no more than the truth itself is shown
  bool unbounded = false;               // the witness is a ray
  std::optional<Multipliers> proof;
  std::optional<Step> step;
  std::optional<Chain> chain;
  std::optional<WholeTreeEvidence> tree;
  bool bounded() const { return proof.has_value() || tree.has_value(); }
};

struct WholeGoal {  // s f'z >= level
  LinearForm given, form;
  std::vector<std::pair<EquationId, Integer>> offset;
  Direction direction = Direction::kHigh;
  Units level = 0;
  std::vector<std::int32_t> free;   // indices of the cells of `form`
  std::vector<std::int32_t> parts;  // in which they are, ascending
};

WholeGoal make_goal(const WholeView& view,
                    std::span<const Term> form,
                    Direction direction,
                    Units level);

// The farthest that the narrowed rooms of the form's cells allow; nothing: no end.
std::optional<Wide> room_of(const WholeView& view, const WholeGoal& goal);
// s f'z of a witness.
Integer reached_by(const WholeGoal& goal, const Displacement& witness);

// Evidence about `form` under the narrowed rooms as evidence about f under the given ones.
WholeReach bounded_by(const WholeView& view,
                      const WholeGoal& goal,
                      const Multipliers& proof,
                      const std::optional<Step>& step);
// The same of a tree found in a part.
WholeReach bounded_by(const WholeView& view,
                      const WholeGoal& goal,
                      const SubTable& part,
                      WholeTreeEvidence tree);

}  // namespace lacuna::inline attack
