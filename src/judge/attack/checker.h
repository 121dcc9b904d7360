// SPDX-License-Identifier: Apache-2.0
// The checker of evidence for one end of a question: integers only, no solver, nothing taken on
// trust. With M z = 0, -down <= z <= up, a form f with whole coefficients and a direction s:
//   witness    f'z is reached; in whole numbers its denominator is 1;
//   proof      s f'z <= beta = sum_i max(d_i up_i, -d_i down_i),  d = s f - M'g;
// and of whole z besides
//   chain      an equation and the ends of its other cells give an end of a cell p,
//              |m_p| s z_p <= sum_{i != p} max over the slack of  -s sgn(m_p) m_i z_i, rounded
//              down;
//   step       f/q - M'h whole on every cell with slack: f'z is a multiple of q, so that
//              s f'z <= q floor(beta / q); q = 1 needs no evidence;
//   tree       z_i <= k or z_i >= k + 1, and each leaf has a chain, a proof, a step, or is empty.
// docs/counts.md; trees in the manner of VIPR (Cheung, Gleixner, Steffy 2017). A slack may exclude
// the truth inside a tree: down or up is then below zero, and it is empty if down + up < 0. A
// reader who can rule out numbers inside a slack (holes.h) rules out witnesses that take them, and
// every end that a chain or a case sets moves inward past a hole.
#pragma once

#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "judge/attack/holes.h"
#include "judge/attack/view.h"
#include "lacuna/evidence.h"
#include "lacuna/question.h"
#include "lacuna/result.h"
#include "lacuna/table.h"

namespace lacuna::attack {

// One attacker's slacks, narrowed and restored while evidence is checked, so that an end costs what
// its evidence costs and not a copy of the table.
class Checker {
 public:
  Checker(const Table& table, std::vector<Slack> slacks, Domain domain, Holes holes = {});

  // Other slacks of some cells, until the next call; those before it are as they were given.
  void know(const std::vector<KnownSlack>& slacks);

  std::span<const Slack> slacks() const { return slacks_; }
  const Holes& holes() const { return holes_; }

  // Fills in what the evidence named by the end shows of f'z in this direction. Evidence that does
  // not hold is an error; an end without evidence shows nothing but the truth itself.
  Status confirm(std::span<const Term> form,
                 Direction direction,
                 const Evidence& evidence,
                 End& end);

 private:
  struct Sought {
    std::span<const Term> form;
    Direction direction;
    const Evidence& evidence;
  };
  struct Settled {  // what a leaf or an end shows
    bool empty = false;
    Fraction bound;
  };
  Status confirm_reached(const Sought& sought, End& end);
  Status narrow(const Chain& chain);
  void set(CellId cell, const Slack& slack);
  void restore(std::size_t mark);
  Result<Settled> settle(const Sought& sought, const TreeNode& leaf);
  Result<Settled> settle_here(const Sought& sought, const TreeNode& leaf);
  Result<Fraction> bound_here(const Sought& sought, const TreeNode& leaf);
  // The bound that the leaves of a tree show together.
  Result<Fraction> check_tree(const Sought& sought, const IntegerTree& tree);
  Status walk(const Sought& sought, const IntegerTree& tree, std::optional<Fraction>& bound);

  const Table& table_;
  std::vector<Slack> slacks_;
  Domain domain_;
  Holes holes_;
  std::vector<std::pair<CellId, Slack>> undo_;
};

}  // namespace lacuna::attack
