// SPDX-License-Identifier: Apache-2.0
// Some free cells of a view and some of its equations, numbered by themselves, the other cells
// being held at the truth. Over all equations that touch the cells its solutions are witnesses;
// over equations whose free cells are all in, its proofs hold in the table. What is found is
// carried over by number.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "judge/attack/holes.h"
#include "judge/attack/view.h"
#include "lacuna/counts.h"
#include "lacuna/evidence.h"
#include "lacuna/table.h"

namespace lacuna::attack {

class LocalSystem {
 public:
  // Indices of free cells of the view. With a form there is one cell more, the last, that is the
  // value of the form over the others.
  LocalSystem(const AttackView& view,
              std::vector<std::int32_t> free_cells,
              std::vector<EquationId> equations,
              std::span<const Term> form = {});
  // All cells and equations of a small table.
  LocalSystem(const Table& table, std::span<const Slack> slacks);

  std::size_t num_cells() const { return slacks_.size(); }  // that of the form included
  std::size_t num_rows() const { return row_start_.size() - 1; }
  CellId form_cell() const { return CellId{static_cast<std::int32_t>(cells_.size())}; }
  std::span<const Term> row(std::size_t row) const {
    return {terms_.data() + row_start_[row], row_start_[row + 1] - row_start_[row]};
  }
  std::span<const Slack> slacks() const { return slacks_; }
  const Holes& holes() const { return holes_; }
  // The same as a table of displacements, all of them 0: for steps and cases. Made once.
  const Table& table() const;

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
  void add_row(std::span<const Term> terms, std::int32_t own_cell = -1);

  std::vector<CellId> cells_;
  std::vector<EquationId> equations_;
  std::vector<std::size_t> row_start_{0};
  std::vector<Term> terms_;
  std::vector<Slack> slacks_;
  Holes holes_;
  mutable std::optional<Table> table_;
};

// The equations that touch the cells, and the cells of some parts.
std::vector<EquationId> equations_through(const AttackView& view,
                                          std::span<const std::int32_t> free_cells);

}  // namespace lacuna::attack
