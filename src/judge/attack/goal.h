// SPDX-License-Identifier: Apache-2.0
// What is asked of a form, brought into its shortest shape: cells without slack drop out, and a
// multiple of an equation is taken off where fewer cells are left, y_g - y_c = sum of the other
// parts of g. As M z = 0, the form stays the same on every table of the attacker:
//   f = form + M'offset  on the cells with slack,
// so multipliers g of `form` become g + s offset of f, and a step h becomes h + offset / q. What is
// found is made into evidence about f under the slacks as they were given: in fractions by taking
// determined cells out of the multipliers, in whole numbers with the chain that the narrowed slacks
// came from where it is needed.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "judge/attack/local_system.h"
#include "judge/attack/reach.h"
#include "judge/attack/view.h"
#include "lacuna/counts.h"
#include "lacuna/evidence.h"

namespace lacuna::attack {

struct Goal {  // s f'z >= level
  LinearForm given, form;
  std::vector<std::pair<EquationId, Integer>> offset;
  Direction direction = Direction::kHigh;
  Units level = 0;
  std::vector<std::int32_t> free;   // indices of the cells of `form`
  std::vector<std::int32_t> parts;  // in which they are, ascending
};

Goal make_goal(const AttackView& view,
               std::span<const Term> form,
               Direction direction,
               Units level);

// The farthest that the slacks of the cells of a form allow; nothing: no end.
std::optional<Wide> slack_of(const AttackView& view,
                             std::span<const Term> form,
                             Direction direction);
// s f'z of a witness.
Fraction reached_by(const Goal& goal, const Displacement& witness);

// Evidence about `form` under the narrowed slacks as evidence about f under the given ones. The
// step is of whole numbers alone.
Reach bounded_by(const AttackView& view,
                 const Goal& goal,
                 const Multipliers& proof,
                 const std::optional<Step>& step = std::nullopt);
// The same of a tree found in a part.
Reach bounded_by(const AttackView& view,
                 const Goal& goal,
                 const LocalSystem& part,
                 IntegerTreeEvidence tree);

// A proof found over the free cells says nothing of determined cells in the same equations. Each
// was fixed by an equation in which all else was free of doubt, so going back in that order, a
// multiple of that equation takes the cell out: g_j = d_i / m_ji.
Multipliers without_determined(const AttackView& view,
                               std::span<const Term> form,
                               Direction direction,
                               const Multipliers& proof);

}  // namespace lacuna::attack
