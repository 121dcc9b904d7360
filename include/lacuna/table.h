// SPDX-License-Identifier: Apache-2.0
// The one exact model of a table: cells and linear equations among them (M y = b), whatever the
// number of dimensions, hierarchies or linked tables. Notation of Salazar-Gonzalez (2002): a_i the
// value, lb_i and ub_i what every outsider knows anyway, w_i the information lost if withheld.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "lacuna/dimension.h"
#include "lacuna/export.h"
#include "lacuna/result.h"
#include "lacuna/units.h"

namespace LACUNA_API lacuna {

enum class CellStatus : std::uint8_t {
  kFree,         // may be published or withheld
  kPrimary,      // sensitive: may not be published as it is
  kSecondary,    // not sensitive, but withheld already (a secondary of an earlier run)
  kMustPublish,  // must be published
  kKnown,        // known in advance to everyone; its prior is the value itself
};

struct Cell {
  Units value = 0;
  Bounds prior{0, kUnboundedAbove};  // contains value
  double weight = 1;                 // finite, >= 0
  std::int64_t frequency = -1;       // number of contributors; -1 if not known
  CellStatus status = CellStatus::kFree;
  bool operator==(const Cell&) const = default;
};

// Free, primary or withheld already: not published, not known.
inline bool may_be_withheld(const Cell& cell) {
  return cell.status != CellStatus::kMustPublish && cell.status != CellStatus::kKnown;
}

struct Term {
  CellId cell;
  std::int32_t coefficient = 0;
  bool operator==(const Term&) const = default;
};

struct Incidence {
  EquationId equation;
  std::int32_t coefficient = 0;
};

class Table {  // immutable; TableBuilder::build() has checked every equation exactly
 public:
  std::int32_t num_cells() const { return static_cast<std::int32_t>(cells_.size()); }
  std::int32_t num_equations() const { return static_cast<std::int32_t>(rhs_.size()); }
  int decimals() const { return decimals_; }  // one unit is 10^-decimals

  const Cell& cell(CellId cell) const { return cells_[index(cell)]; }
  Units value(CellId cell) const { return cells_[index(cell)].value; }
  std::span<const Cell> cells() const { return cells_; }

  std::span<const Term> equation(EquationId equation) const {
    const auto e = static_cast<std::size_t>(equation.value);
    return {terms_.data() + equation_start_[e], equation_start_[e + 1] - equation_start_[e]};
  }
  Units rhs(EquationId equation) const { return rhs_[static_cast<std::size_t>(equation.value)]; }
  std::span<const Incidence> equations_of(CellId cell) const {
    const auto c = index(cell);
    return {incidences_.data() + cell_start_[c], cell_start_[c + 1] - cell_start_[c]};
  }

  // The same table with other weights, one per cell, each finite and >= 0.
  Table with_weights(std::span<const double> weights) const;

  // The same table when everyone knows more: one range per cell, which contains the value. A cell
  // whose value is thereby known, and that is not sensitive, becomes kKnown.
  Table with_priors(std::span<const Bounds> priors) const;

  // Empty if the table came without codes (a JJ file). A linked system has the dimensions of all
  // its tables; a cell that does not use a dimension carries that dimension's total.
  const std::vector<Dimension>& dimensions() const { return dimensions_; }
  std::span<const std::int32_t> codes(CellId cell) const;  // one per dimension, or empty
  std::string label(CellId cell) const;                    // "NACE=21|REG=4" or "cell 17"
  std::string label(EquationId equation) const;            // "equation 4"

 private:
  friend class TableBuilder;
  static std::size_t index(CellId cell) { return static_cast<std::size_t>(cell.value); }
  int decimals_ = 0;
  std::vector<Cell> cells_;
  std::vector<std::size_t> equation_start_{0};
  std::vector<Term> terms_;
  std::vector<Units> rhs_;
  std::vector<std::size_t> cell_start_;
  std::vector<Incidence> incidences_;
  std::vector<Dimension> dimensions_;
  std::vector<std::int32_t> codes_;
};

class TableBuilder {
 public:
  static constexpr int kMaxDecimals = 18;
  explicit TableBuilder(int decimals);
  TableBuilder(int decimals, std::vector<Dimension> dimensions);

  // Checks the cell alone: numbers within kMaxUnits, prior contains value, weight usable. A cell
  // that must be published and whose prior is a point becomes kKnown, and a kKnown cell's prior
  // becomes its value, so that the two spellings of "nothing to learn here" are one.
  Result<CellId> add_cell(const Cell& cell, std::span<const std::int32_t> codes = {});
  // Checks indices and coefficients, adds up repeated cells, and checks that the equation balances
  // exactly; the error names the equation's cells and the difference.
  Result<EquationId> add_equation(std::span<const Term> terms, Units rhs = 0);

  std::int32_t num_cells() const { return table_.num_cells(); }
  const Cell& cell(CellId cell) const { return table_.cell(cell); }
  const std::vector<Dimension>& dimensions() const { return table_.dimensions_; }
  std::span<const std::int32_t> codes(CellId cell) const { return table_.codes(cell); }
  std::string label(CellId cell) const { return table_.label(cell); }

  Result<Table> build() &&;  // error if the table has no cell

 private:
  Table table_;
};

}  // namespace lacuna
