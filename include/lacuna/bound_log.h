// SPDX-License-Identifier: Apache-2.0
// A log of the bound of a suppression: why no safe pattern of withheld cells weighs less than it
// says, in whole numbers that anyone can check without a solver (docs/proof.md, equations (20) to
// (27)). With x_i = 1 if cell i is withheld, every step states an inequality sum c_i x_i >= b:
//   a need        a requirement is met only if enough of the cells that bound it are withheld;
//   bridgeless    a cell that can be computed from others is not worth withholding alone;
//   a sum         of steps before it, divided and rounded up;
//   a tree        cases x_i = 0 and x_i = 1, each of them closed by a sum of steps before it.
// The last step is the bound itself.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "lacuna/evidence.h"
#include "lacuna/export.h"
#include "lacuna/integer.h"
#include "lacuna/units.h"

namespace LACUNA_API lacuna {

// The two cells move by multiples of each other: one is withheld if and only if the other is.
struct BoundTie {
  CellId cell, with;
  Multipliers sum;  // of equations, in which no other cell that may be withheld is left
  bool operator==(const BoundTie&) const = default;
};

enum class BoundSide : std::uint8_t { kHigh, kLow, kBoth };

struct NeedStep {
  std::int32_t requirement = 0;
  BoundSide side = BoundSide::kHigh;
  Multipliers high, low;  // proofs (9) of how far the cell can move; the other side's is empty
  bool operator==(const NeedStep&) const = default;
};

struct BridgelessStep {
  CellId cell;
  Multipliers sum;  // of equations: if all other cells in it are published, so may this one be
  bool operator==(const BridgelessStep&) const = default;
};

struct SumStep {
  std::vector<std::int32_t> steps;
  std::vector<Integer> times;  // none negative
  std::vector<CellId> capped;  // -x_i >= -1, so many times
  std::vector<Integer> by;
  Integer divisor = 1;  // positive
  bool operator==(const SumStep&) const = default;
};

// A leaf is closed by a sum of steps; a node "settled" draws the conclusions of one on single cells
// and goes on with the node after it; a case has two nodes after it, published and withheld.
struct BoundNode {
  enum class Kind : std::uint8_t { kLeaf, kSettled, kCase };
  Kind kind = Kind::kLeaf;
  CellId cell{-1};       // of a case
  Integer weight = 0;    // of what the tree is about
  std::vector<std::int32_t> steps;
  std::vector<Integer> times;  // none negative
  bool operator==(const BoundNode&) const = default;
};

struct TreeStep {
  std::vector<CellId> cells;  // sum of values times x is at least ...
  std::vector<Integer> values;
  Integer at_least = 0;
  std::vector<BoundNode> nodes;  // in the order of the cases, a node before those after it
  bool operator==(const TreeStep&) const = default;
};

using BoundStep = std::variant<NeedStep, BridgelessStep, SumStep, TreeStep>;

struct BoundLog {
  std::string weights;         // the formula of the weights (--weights)
  Fraction unit = 1;           // what one unit of the numbers below weighs
  std::vector<CellId> cells;   // that may be published or withheld, ascending,
  std::vector<Integer> values;  // and their weights, none negative
  std::vector<BoundTie> ties;
  std::vector<BoundStep> steps;
  Integer at_least = 0;  // of these cells, in units; what is always withheld comes on top
  bool operator==(const BoundLog&) const = default;
};

}  // namespace lacuna
