// SPDX-License-Identifier: Apache-2.0
// A log of the bound: why no safe release of its kind costs less than it says, in whole numbers that
// anyone can check without a solver (docs/proof.md). Of a suppression, equations (20) to (27): with
// x_i = 1 if cell i is withheld, every step states an inequality sum c_i x_i >= b:
//   a need        a requirement is met only if enough of the cells that bound it are withheld;
//   bridgeless    a cell that can be computed from others is not worth withholding alone;
//   a sum         of steps before it, divided and rounded up;
//   a tree        cases x_i = 0 and x_i = 1, each of them closed by a sum of steps before it.
// The last step is the bound itself. Of intervals (28) and of adjusted tables (29) it has multipliers
// of the equations instead, which weak duality turns into a bound.
#pragma once

#include <cstdint>
#include <optional>
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

// Of intervals: how far requirements need their cells to move, and which ends have to give way for
// it. A need says of each side how often it is taken (the denominators of its proofs).
struct IntervalBound {
  Integer weight = 1;           // the ends pay so many times what they cost,
  std::vector<NeedStep> needs;  // to one need after the other
  bool operator==(const IntervalBound&) const = default;
};

// A leaf has multipliers of the equations; a case has two nodes after it, in which a sensitive cell
// falls and rises.
struct SenseNode {
  CellId cell{-1};     // of a case; -1: a leaf
  Integer weight = 1;  // of the distance
  Multipliers sum;     // its denominator is not used
  bool operator==(const SenseNode&) const = default;
};

// Cells that no equation ties to others that may move.
struct TableTree {
  std::vector<CellId> cells;
  Integer at_least = 0;          // their part of the distance, in units
  std::vector<SenseNode> nodes;  // in the order of the cases, a node before those after it
  bool operator==(const TableTree&) const = default;
};

// Of adjusted tables: the distance is the sum of values times |move|^norm.
struct TableBound {
  std::int32_t norm = 2;
  std::vector<TableTree> trees;
  bool operator==(const TableBound&) const = default;
};

struct BoundLog {
  std::string weights;         // the formula of the weights (--weights)
  Fraction unit = 1;           // what one unit of the numbers below costs
  std::vector<CellId> cells;   // that need not be published as they are, ascending,
  std::vector<Integer> values;  // and their weights, none negative
  std::vector<BoundTie> ties;
  std::vector<BoundStep> steps;
  std::optional<IntervalBound> intervals;  // in place of ties and steps
  std::optional<TableBound> tables;        // likewise
  Integer at_least = 0;  // of these cells, in units; cells that are always withheld come on top
  bool operator==(const BoundLog&) const = default;
};

}  // namespace lacuna
