// SPDX-License-Identifier: Apache-2.0
// A problem with more cells and equations than its table publishes: what readers have beside the
// table, as linear equations and inequalities over its cells (docs/derived.md, docs/periods.md).
// An inequality
//   sum of m_i y_i >= k     is     sum of m_i y_i - r = 0,   r >= k,                           (1)
// with a cell r that nobody publishes (unpublished.h) and whose bound everybody knows. If all cells
// of it but one are known to everyone, it is a bound of that cell instead, rounded inward, as
// values are whole numbers of units. Cells and equations of the given problem keep their numbers,
// and those that are added come after them.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "lacuna/counts.h"
#include "lacuna/problem.h"
#include "lacuna/result.h"
#include "lacuna/table.h"

namespace lacuna::table {

struct WideTerm {
  CellId cell;
  Wide coefficient = 0;
};

class Appendix {
 public:
  explicit Appendix(const Problem& given);

  std::int32_t num_cells() const { return static_cast<std::int32_t>(cells_.size()); }
  const Cell& cell(CellId cell) const { return cells_[static_cast<std::size_t>(cell.value)]; }

  // A cell that nobody publishes, with the codes of another for messages.
  CellId add_cell(Units value, Bounds prior, CellId like);
  // Such a cell may be published or withheld, as the method likes.
  void leave_open(CellId cell) { cells_[index(cell)].status = CellStatus::kFree; }
  void withhold(CellId cell);  // it is no choice any more
  void add_equation(std::vector<Term> terms, Units rhs = 0);
  // A cell t that says whether readers have the inequalities that are added `unless` it is
  // withheld: (1) with t - 1 on the left, t >= 1 and in truth 1. Who knows t has the inequality,
  // and to all others it says nothing, as t may be as large as one likes.
  CellId add_switch(double weight, CellId like);
  // (1). Errors: numbers that do not fit 62 bits; the truth does not meet it.
  Status add_at_least(const std::vector<WideTerm>& terms,
                      Wide least,
                      CellId like,
                      CellId unless = CellId{-1});
  // What everyone knows of the cell besides. Errors: it is not true.
  Status narrow(CellId cell, Bounds bounds);

  // The attacker of that name, who is added if there is none.
  std::int32_t attacker(const std::string& name);
  void know(std::int32_t attacker, Knowledge known);
  void require(const Requirement& need);  // of a cell that was added, which becomes a primary
  void ask(CountQuestion question);       // of a table of counts

  // Errors: parts that do not fit each other.
  Result<Problem> build() &&;

 private:
  std::size_t index(CellId cell) const { return static_cast<std::size_t>(cell.value); }
  Status bound_last(const std::vector<WideTerm>& terms, std::size_t open, Wide least);
  Status add_split(std::vector<Term>& terms, const WideTerm& term, CellId like);
  Status add_switched(std::vector<WideTerm> terms, std::size_t open, Wide least, CellId unless);

  const Problem& given_;
  std::vector<Cell> cells_;
  std::vector<CellId> like_;  // of those that were added
  std::vector<std::pair<std::vector<Term>, Units>> equations_;
  std::vector<Attacker> attackers_;
  std::vector<Requirement> requirements_;
  std::vector<CountQuestion> questions_;
};

}  // namespace lacuna::table
