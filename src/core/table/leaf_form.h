// SPDX-License-Identifier: Apache-2.0
// Leaf form and exact rank of the equations over a set of free cells (all others fixed).
//
// A table is determined by its leaves: with displacements z, an equation in which one cell stands
// alone on its side with coefficient -1 (or 1) defines that cell, z_total = sum of the others. Each
// total is defined once, by an equation whose other cells are leaves or defined already, so the
// defining equations are independent and z = N u with u the leaves. Substituting N into the
// equations not used leaves 0 = 0 for the redundant ones; what does not vanish is a condition on
// the leaves (tables with absent or fixed cells have such conditions), and an independent subset
// of these is kept, found by elimination modulo a large prime. Hence
//   rank = number of definitions + number of conditions.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "lacuna/table.h"

namespace lacuna::table {

struct LeafTerm {
  std::int32_t leaf = 0;  // index into LeafForm::leaves
  std::int64_t coefficient = 0;
  bool operator==(const LeafTerm&) const = default;
};

struct LeafForm {
  std::vector<CellId> leaves;
  std::vector<EquationId> defining;    // one per defined cell, in order of definition
  std::vector<CellId> defined;         // same order
  std::vector<EquationId> conditions;  // independent equations that restrict the leaves
  std::vector<std::size_t> start;      // by cell: expansion[start[c] .. start[c + 1])
  std::vector<LeafTerm> expansion;     // z_c as a sum of leaves, sorted; empty for fixed cells

  std::span<const LeafTerm> of(CellId cell) const {
    const auto c = static_cast<std::size_t>(cell.value);
    return {expansion.data() + start[c], start[c + 1] - start[c]};
  }
  // An equation with every cell written in leaves; by leaf, no zeros.
  std::vector<LeafTerm> on_leaves(const Table& table, EquationId equation) const;
  std::int64_t rank() const {
    return static_cast<std::int64_t>(defining.size() + conditions.size());
  }
};

// Which equation defines a total where several could: the first or the last of the table.
enum class DefineBy : std::uint8_t { kFirst, kLast };

LeafForm leaf_form(const Table& table,
                   const std::vector<bool>& free,
                   DefineBy order = DefineBy::kFirst);

// LeafForm::defining alone, which takes no expansion.
std::vector<EquationId> defining_equations(const Table& table,
                                           const std::vector<bool>& free,
                                           DefineBy order);

// A largest independent set of equations over the free cells, exactly.
std::vector<EquationId> independent_equations(const Table& table, const std::vector<bool>& free);

}  // namespace lacuna::table
