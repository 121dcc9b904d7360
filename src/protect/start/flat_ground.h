// SPDX-License-Identifier: Apache-2.0
// All displacements of a table as columns of residues (kernel_tableau.h), one row per class of
// cells that can only move in proportion: with y_j the moves of the cells that generate them,
//
//   z_i = sum_j t_ij y_j,   one column j per generator.
//
// Cells are parallel if their rows are proportional, told by two random displacements
// (series_classes.h). Publishing a class means that only displacements are left that do not move
// it: one column fewer.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/base/random.h"
#include "judge/presolve/kernel_tableau.h"
#include "lacuna/run_context.h"
#include "protect/start/pattern_state.h"
#include "protect/start/route_assignment.h"

namespace lacuna::start {

using Residue = presolve::KernelTableau::Residue;

// Columns one after the other, so that long loops run over neighbours.
class ResidueColumns {
 public:
  ResidueColumns() = default;
  ResidueColumns(std::size_t rows, std::size_t columns)
      : rows_(rows), entries_(rows * columns, 0) {}
  std::size_t rows() const { return rows_; }
  std::size_t columns() const { return rows_ == 0 ? 0 : entries_.size() / rows_; }
  std::span<Residue> column(std::size_t j) { return std::span(entries_).subspan(j * rows_, rows_); }
  std::span<const Residue> column(std::size_t j) const {
    return std::span(entries_).subspan(j * rows_, rows_);
  }

 private:
  std::size_t rows_ = 0;
  std::vector<Residue> entries_;
};

namespace residues {
// to -= factor * from, entry by entry.
void subtract_multiple(std::span<Residue> to, Residue factor, std::span<const Residue> from);
// The inverses of all, none of which is 0 (Montgomery 1987: one division for all of them).
void invert_all(std::span<const Residue> values, std::vector<Residue>& inverses);
Residue draw(base::Random& random);  // not 0
// The number that a residue stands for, if it is a small fraction; else nothing.
std::optional<double> number(Residue value);
}  // namespace residues

class FlatGround {
 public:
  struct Member {
    CellId cell;
    Residue residue = 1;  // z of the cell is that many times z of the class
    double factor = 1;    // the same as a number
  };
  struct Class {
    std::vector<Member> members;
    double cost = 0;      // of withholding it: what is withheld anyway costs nothing
    bool needed = false;  // has a cell that must not be exposed
  };
  // What the cells of a class leave one attacker, in moves of the class, and what is asked of it.
  struct Slacks {
    double down = 0, up = 0;
    double low = 0, high = 0;  // levels
  };

  // Of these cells; the others do not move. Nothing if a goal's cell cannot move, if proportions
  // are wild, or if the columns would have more entries than that.
  static std::optional<FlatGround> make(const PatternState& pattern_state,
                                        const std::vector<RouteGoal>& goals,
                                        std::span<const CellId> cells,
                                        std::size_t most_entries,
                                        const RunContext& run);

  const std::vector<Class>& classes() const { return classes_; }
  const ResidueColumns& columns() const { return columns_; }
  // By column: the class whose moves it stands for.
  const std::vector<std::int32_t>& generators() const { return generators_; }
  // Attackers of whom something is asked: by attacker and class.
  const std::vector<std::vector<Slacks>>& slacks() const { return slacks_; }

 private:
  using Prints = std::vector<std::array<Residue, 2>>;  // by cell
  bool group(const PatternState& pattern_state,
             const presolve::KernelTableau& tableau,
             std::span<const CellId> cells);
  void fill(const presolve::KernelTableau& tableau);
  bool settle(const PatternState& pattern_state, const std::vector<RouteGoal>& goals);
  bool add_slacks(const PatternState& pattern_state, const std::vector<RouteGoal>& goals);

  std::vector<Class> classes_;
  std::vector<std::int32_t> class_of_;  // by cell, -1
  ResidueColumns columns_;
  std::vector<std::int32_t> generators_;
  std::vector<std::vector<Slacks>> slacks_;
};

}  // namespace lacuna::start
