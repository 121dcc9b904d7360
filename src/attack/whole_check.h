// SPDX-License-Identifier: Apache-2.0
// The checker of whole-number evidence: integers only, no solver, nothing taken on trust. With
// whole z, M z = 0, -down <= z <= up, a whole form f and a direction s:
//   witness    denominator 1: f'z is reached;
//   chain      an equation and the ends of its other cells give an end of a cell p,
//              |m_p| s z_p <= sum_{i != p} max over the room of  -s sgn(m_p) m_i z_i, rounded down;
//   proof      s f'z <= beta = sum_i max(d_i up_i, -d_i down_i),  d = s f - M'g;
//   step       f/q - M'h whole on every cell with room: f'z is a multiple of q, so that
//              s f'z <= q floor(beta / q); q = 1 needs no evidence;
//   tree       z_i <= k or z_i >= k + 1, and each leaf has a chain, a proof, a step, or is empty.
// docs/counts.md; trees in the manner of VIPR (Cheung, Gleixner, Steffy 2017). A room may exclude
// the truth inside a tree: down or up is then below zero, and it is empty if down + up < 0. A
// reader who can rule out numbers inside a room (holes.h) rules out witnesses that take them, and
// every end that a chain or a case sets moves inward past a hole.
#pragma once

#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "attack/holes.h"
#include "attack/view.h"
#include "lacuna/counts.h"
#include "lacuna/evidence.h"
#include "lacuna/result.h"
#include "lacuna/table.h"

namespace lacuna::inline attack {

bool is_empty(const Room& room);

Status check_form(const Table& table, std::span<const Term> form);
Status check_whole_witness(const Table& table,
                           std::span<const Room> rooms,
                           const Displacement& witness,
                           const Holes& holes = {});
Status check_step(const Table& table,
                  std::span<const Room> rooms,
                  std::span<const Term> form,
                  const Step& step);

// What multipliers prove of s f'z in whole numbers, with a step that was checked or without one;
// nothing if there is no bound.
std::optional<Integer> proven_whole_bound(const Table& table,
                                          std::span<const Room> rooms,
                                          std::span<const Term> form,
                                          Direction direction,
                                          const Multipliers& proof,
                                          const Step* step = nullptr);

// The rooms after a chain; the error names the first line that does not follow.
Result<std::vector<Room>> check_chain(const Table& table,
                                      std::span<const Room> rooms,
                                      const Chain& chain,
                                      const Holes& holes = {});

// One attacker's rooms, narrowed and restored while evidence is checked, so that an end costs what
// its evidence costs and not a copy of the table.
class WholeChecker {
 public:
  WholeChecker(const Table& table, std::span<const Room> rooms, Holes holes = {});

  // Fills in what the evidence named by the end shows of f'z in this direction. Evidence that does
  // not hold is an error; an end without evidence shows nothing but the truth itself.
  Status confirm(std::span<const Term> form,
                 Direction direction,
                 const Evidence& evidence,
                 End& end);
  // The bound that the leaves of a tree show together.
  Result<Integer> check_tree(std::span<const Term> form,
                             Direction direction,
                             const WholeTree& tree,
                             const Evidence& evidence);

 private:
  struct Question {
    std::span<const Term> form;
    Direction direction;
    const Evidence& evidence;
  };
  struct Settled {  // what a leaf or an end shows
    bool empty = false;
    Integer bound;
  };
  Status confirm_reached(const Question& question, End& end);
  Status narrow(const Chain& chain);
  void set(CellId cell, const Room& room);
  void restore(std::size_t mark);
  Result<Settled> settle(const Question& question, const TreeNode& leaf);
  Result<Settled> settle_here(const Question& question, const TreeNode& leaf);
  Result<Integer> bound_here(const Question& question, const TreeNode& leaf);
  Status walk(const Question& question, const WholeTree& tree, std::optional<Integer>& bound);

  const Table& table_;
  std::vector<Room> rooms_;
  Holes holes_;
  std::vector<std::pair<CellId, Room>> undo_;
};

// The same for a single end.
Status confirm_whole_end(const Table& table,
                         std::span<const Room> rooms,
                         std::span<const Term> form,
                         Direction direction,
                         const Evidence& evidence,
                         End& end);

}  // namespace lacuna::inline attack
