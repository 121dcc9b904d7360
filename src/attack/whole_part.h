// SPDX-License-Identifier: Apache-2.0
// Some free cells of a view and some of its equations as a small table of displacements: its cells
// have the value 0, its equations are those of the table over the cells that were taken, the others
// being held at the truth. Over all equations that touch the cells its solutions are witnesses;
// over equations whose free cells are all in, its proofs hold in the table. What is found is
// carried over by number.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "attack/holes.h"
#include "attack/view.h"
#include "lacuna/counts.h"
#include "lacuna/evidence.h"
#include "lacuna/table.h"

namespace lacuna::inline attack {

class SubTable {
 public:
  // Indices of free cells of the view.
  SubTable(const AttackView& view,
           std::vector<std::int32_t> free_cells,
           std::vector<EquationId> equations);
  // The same with one cell more, the last, that is the value of a form over the others.
  SubTable(const AttackView& view,
           std::vector<std::int32_t> free_cells,
           std::vector<EquationId> equations,
           std::span<const Term> form);

  std::size_t cells() const { return cells_.size(); }
  CellId form_cell() const { return CellId{static_cast<std::int32_t>(cells_.size())}; }
  const Table& table() const { return table_; }
  std::span<const Room> rooms() const { return rooms_; }
  const Holes& holes() const { return holes_; }
  CellId cell(CellId local) const { return cells_[static_cast<std::size_t>(local.value)]; }
  EquationId equation(EquationId local) const {
    return equations_[static_cast<std::size_t>(local.value)];
  }
  CellId local(CellId cell) const;  // -1 if it was not taken
  // The terms of a form whose cells were taken.
  LinearForm local(std::span<const Term> form) const;

  Displacement lift(Displacement local) const;  // a move of the form's cell is left out
  Multipliers lift(Multipliers local) const;
  Step lift(Step local) const { return {local.q, lift(std::move(local.h))}; }
  Chain lift(Chain local, const Table& whole) const;

 private:
  std::vector<CellId> cells_;
  std::vector<EquationId> equations_;
  std::vector<Room> rooms_;
  Holes holes_;
  Table table_;
};

// The equations that touch the cells, and the cells of some parts.
std::vector<EquationId> equations_through(const AttackView& view,
                                          std::span<const std::int32_t> free_cells);

}  // namespace lacuna::inline attack
