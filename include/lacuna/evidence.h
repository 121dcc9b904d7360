// SPDX-License-Identifier: Apache-2.0
// Evidence that anyone can check with additions and multiplications of integers, without a solver.
// With a the true table and z = y - a the displacement of another table y:
//   a witness is a displacement z: M z = 0 and a + z lies within what the attacker knows, so the
//   attacker cannot rule out the value a_p + z_p;
//   a proof is a vector of multipliers g, one per equation: for sign s = +1 (how high) or -1 (how
//   low), with d = s e_p - M'g every such z has  s z_p = d'z <= sum_i max(d_i up_i, -d_i down_i),
//   where down_i and up_i are the attacker's slack below and above a_i (LP duality; (7) and (8) of
//   Salazar-Gonzalez 2002).
#pragma once

#include <cstdint>
#include <vector>

#include "lacuna/export.h"
#include "lacuna/integer.h"
#include "lacuna/units.h"

namespace LACUNA_API lacuna {

struct Displacement {          // z_i = moves / denominator units for the cells listed, else 0
  std::vector<CellId> cells;   // strictly increasing
  std::vector<Integer> moves;  // not zero
  Integer denominator = 1;     // positive
  bool operator==(const Displacement&) const = default;
};

struct Multipliers {                  // g_j = values / denominator for the equations listed, else 0
  std::vector<EquationId> equations;  // strictly increasing
  std::vector<Integer> values;
  Integer denominator = 1;  // positive
  bool operator==(const Multipliers&) const = default;
};

enum class Direction : std::int8_t { kLow = -1, kHigh = 1 };
inline int sign(Direction direction) {
  return direction == Direction::kHigh ? 1 : -1;
}

// Evidence of whole numbers (docs/counts.md). With q > 1 and h such that f/q - M'h is whole on
// every cell with slack, f'z is a multiple of q for every whole z of the attacker: a bound beta of
// f'z becomes q floor(beta / q). A step of 1 needs no evidence.
struct Step {
  Integer q = 1;
  Multipliers h;
  bool operator==(const Step&) const = default;
};

// Bounds passed on from cell to cell: each line is recomputed from the ends so far,
// m_p y_p = b - sum of m_i y_i with the present ends of the others, divided and rounded inward.
struct ChainLine {
  CellId cell;
  Direction side = Direction::kHigh;
  EquationId equation;
  Units value = 0;  // the new end of y, not of z
  bool operator==(const ChainLine&) const = default;
};
using Chain = std::vector<ChainLine>;

// A case distinction: an inner node says z_cell <= at (low) or z_cell >= at + 1 (high); a leaf is
// settled by multipliers (with or without a step) or by a chain under the slacks tightened on the
// way: it bounds the form, or it is empty (the chain leaves a cell no number, or the multipliers
// have sum_i max(d_i up_i, -d_i down_i) < 0 for d = -M'g). A leaf with both a chain and multipliers
// has the chain first.
struct TreeNode {
  CellId cell{-1};  // -1: a leaf
  Units at = 0;
  std::int32_t low = -1, high = -1;  // nodes of the same tree
  std::int32_t proof = -1, step = -1, chain = -1;
  bool empty = false;
  bool operator==(const TreeNode&) const = default;
};
using IntegerTree = std::vector<TreeNode>;  // the first is the root

struct Evidence {  // the lists that ends, and leaves of trees, name by number
  std::vector<Displacement> witnesses;
  std::vector<Multipliers> proofs;
  std::vector<Step> steps;
  std::vector<Chain> chains;
  std::vector<IntegerTree> trees;
};

// One end of the range of a form f, as a distance from its true value. In whole numbers every
// distance is whole, and what is named shows the bound in this order: the chain narrows the slacks;
// under these a proof, a tree or, without both, the slacks of the cells of f bound s f'z; the step
// rounds that bound down. In rational numbers there are witnesses and proofs alone.
struct End {
  Fraction reached;           // confirmed: the attacker cannot rule this out
  std::int32_t witness = -1;  // -1: the truth itself (0)
  bool unbounded = false;     // the witness is a ray: there is no end
  bool has_bound = false;
  Fraction bound;  // confirmed: the attacker can rule out anything beyond
  std::int32_t proof = -1, step = -1, chain = -1, tree = -1;
  bool exact() const { return unbounded || (has_bound && reached == bound); }
};

}  // namespace lacuna
