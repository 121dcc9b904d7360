// SPDX-License-Identifier: Apache-2.0
// The attacker's problem: how far can a cell move while others make up for it? With p the cell, s
// the direction and z the displacements of the cells that may move,
//
//   maximize s z_p  subject to  M z = 0,  -down_i <= z_i <= up_i,  0 <= s z_p <= most
//
// (attacker problems of Salazar-Gonzalez 2002, in one form). Here is what all questions share: the
// equations M over a set of cells, by row and by cell, and the two forms that some have: a network
// (core/table/network.h), where the answer is a largest flow, and few leaves with z = N u
// (core/table/leaf_form.h). Slacks come with the question (slacks.h); who answers: solver.h.
#pragma once

#include <cstdint>
#include <mutex>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "core/simplex/lazy_dual.h"
#include "core/table/leaf_form.h"
#include "core/table/network.h"
#include "lacuna/table.h"

namespace lacuna::attacker {

// A cell or an equation, and a number that is not zero.
using CellAmount = std::pair<std::int32_t, double>;  // local cell
using Multiplier = std::pair<EquationId, double>;
// A displacement by cell of the table, ascending.
using Move = std::vector<std::pair<std::int32_t, double>>;

class AttackerProblem;
// Without what is zero.
Move cells_of_table(const AttackerProblem& problem, std::span<const CellAmount> moves);

// Coefficients and multipliers of tables are short fractions: taken as such they have no noise.
double snapped(double value);

class AttackerProblem {
 public:
  using Entry = simplex::LazyEntry;  // of a row by cell, of a cell by row

  // `cells`: those that may move, ascending. The table must outlive the problem.
  AttackerProblem(const Table& table, std::vector<CellId> cells);
  AttackerProblem(const Table& table, const std::vector<bool>& may_move);

  const Table& table() const { return table_; }
  std::int32_t num_cells() const { return static_cast<std::int32_t>(cells_.size()); }
  CellId cell(std::int32_t local) const { return cells_[static_cast<std::size_t>(local)]; }
  std::int32_t local(CellId cell) const;  // -1 if it does not move

  // Rows: every equation that holds one of the cells, ascending.
  std::int32_t num_rows() const { return static_cast<std::int32_t>(equations_.size()); }
  EquationId equation(std::int32_t row) const { return equations_[static_cast<std::size_t>(row)]; }
  std::span<const Entry> row(std::int32_t row) const { return slice(row_start_, by_row_, row); }
  std::span<const Entry> rows_of(std::int32_t cell) const {
    return slice(cell_start_, by_cell_, cell);
  }

  // Made when first asked for:
  const table::LeafForm& leaf_form() const;
  const table::Network* network() const;        // null if the problem is none
  std::vector<EquationId> independent() const;  // rows that imply all others, ascending
  bool has_few_leaves() const;                  // beside the totals
  std::span<const table::LeafTerm> on_leaves(std::int32_t cell) const {
    return leaf_form().of(this->cell(cell));
  }

 private:
  static std::span<const Entry> slice(const std::vector<std::size_t>& start,
                                      const std::vector<Entry>& entries,
                                      std::int32_t i) {
    const auto at = static_cast<std::size_t>(i);
    return {entries.data() + start[at], start[at + 1] - start[at]};
  }
  std::vector<bool> may_move() const;  // by cell of the table

  const Table& table_;
  std::vector<CellId> cells_;
  std::vector<EquationId> equations_;
  std::vector<std::size_t> row_start_{0}, cell_start_;
  std::vector<Entry> by_row_, by_cell_;
  mutable std::once_flag leaf_form_made_, network_made_;
  mutable table::LeafForm leaf_form_;
  mutable std::optional<table::Network> network_;
};

}  // namespace lacuna::attacker
