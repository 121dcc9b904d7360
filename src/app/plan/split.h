// SPDX-License-Identifier: Apache-2.0
// A problem that falls into independent parts, as several problems. With U the cells that may be
// hidden and then move, or must be hidden, all others are published, and an equation
//   sum over U of m_ei y_i  =  b_e - sum over the others of m_ei a_i
// ties cells of U alone. Cells of U that no chain of equations connects are in different parts: the
// values that an attacker cannot rule out are all combinations of those of the parts, so what is
// required of a cell is met or not within its part, and the costs of the parts add up. This holds
// for methods that publish as it is whatever they do not hide (docs/release.md). Parts in which
// nothing must be hidden are published; small ones are put together, since a unit of work should be
// worth its process.
#pragma once

#include <cstdint>
#include <vector>

#include "lacuna/problem.h"
#include "lacuna/protect.h"
#include "lacuna/result.h"

namespace lacuna::plan {

// Whether the parts of a problem can be protected one by one by this method: withheld cells and
// intervals, without a limit on their number, an earlier release or rules of counts.
bool is_separable(const Problem& problem, const ProtectOptions& options);

class SplitProblem {
 public:
  // The problem outlives it. Parts with fewer than `unit_cells` cells are put together up to that.
  SplitProblem(const Problem& whole, std::int64_t unit_cells);

  std::int64_t num_parts() const { return num_parts_; }  // in which something must be hidden
  std::int64_t largest_part() const { return largest_part_; }
  std::size_t num_units() const { return cells_.size(); }
  // Of the whole, ascending: the place of a cell is its number in the problem of the unit.
  const std::vector<CellId>& cells(std::size_t unit) const { return cells_[unit]; }

  // The problem of a unit: its cells, without codes; its equations, with what is published on the
  // right-hand side; the attackers who know of its cells or from whom they are protected. Errors: a
  // sum of published cells that is no number of a table.
  Result<Problem> problem(std::size_t unit) const;

 private:
  void put_together(std::vector<std::vector<CellId>> parts, std::size_t unit_cells);
  void list_attackers();
  Result<Table> table_of(std::size_t unit) const;
  std::vector<EquationId> equations_of(std::size_t unit) const;

  const Problem& whole_;
  std::int64_t num_parts_ = 0, largest_part_ = 0;
  std::vector<std::vector<CellId>> cells_;            // by unit
  std::vector<std::int32_t> unit_of_;                 // by cell of the whole, -1: published
  std::vector<CellId> place_;                         // ... and where it is in its unit
  std::vector<std::vector<std::int32_t>> attackers_;  // by unit, without the outsider; ascending
};

}  // namespace lacuna::plan
