// SPDX-License-Identifier: Apache-2.0
// All displacements of a table at once: z with M z = 0, as the rows of a tableau
//
//   z_b = sum_j t_bj z_j   for every basic cell b, over the nonbasic cells j,
//
// so that every nonbasic cell stands for one displacement, the circuit it makes with the basic ones
// (Oxley 2011, chapter 2). Numbers are residues modulo a prime: whether a number is zero is known
// but for an accident of one in two thousand million, and whoever relies on it checks in integers.
// Cells are withheld or open; withheld cells come first into the basis, so that the circuit of a
// withheld nonbasic cell has withheld cells only.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "lacuna/run_context.h"
#include "lacuna/table.h"

namespace lacuna::presolve {

// Arithmetic modulo the prime 2^31 - 1.
namespace residue {
constexpr std::uint32_t kPrime = 2147483647U;
inline std::uint32_t reduce(std::uint64_t a) {
  a = (a & kPrime) + (a >> 31U);
  a = (a & kPrime) + (a >> 31U);
  return static_cast<std::uint32_t>(a >= kPrime ? a - kPrime : a);
}
inline std::uint32_t multiply(std::uint32_t a, std::uint32_t b) {
  return reduce(std::uint64_t{a} * b);
}
inline std::uint32_t add(std::uint32_t a, std::uint32_t b) {
  const std::uint32_t sum = a + b;
  return sum >= kPrime ? sum - kPrime : sum;
}
inline std::uint32_t negate(std::uint32_t a) {
  return a == 0 ? 0 : kPrime - a;
}
inline std::uint32_t of(std::int32_t a) {
  return reduce(static_cast<std::uint64_t>(std::int64_t{a} + std::int64_t{2} * kPrime));
}
std::uint32_t inverse(std::uint32_t a);  // a != 0
inline bool is_unit(std::uint32_t a) {
  return a == 1 || a == kPrime - 1;
}
}  // namespace residue

class KernelTableau {
 public:
  using Residue = std::uint32_t;
  enum class Role : std::uint8_t { kAbsent, kPublished, kWithheld };
  struct Entry {
    std::int32_t cell = -1;  // nonbasic
    Residue value = 0;       // != 0
  };

  KernelTableau() = default;
  // One role per cell. Absent cells do not move.
  explicit KernelTableau(std::vector<Role> roles);
  // False if it would have more entries, or there is no time: then it is of no use.
  bool build(const Table& table, std::size_t most_entries, const RunContext& run);
  // The same for any equations; `independent` receives those that do not follow from shorter ones,
  // ascending.
  bool build(const std::vector<std::vector<Term>>& equations,
             std::size_t most_entries,
             const RunContext& run,
             std::vector<std::int32_t>& independent);

  Role role(std::int32_t cell) const { return roles_[index(cell)]; }
  bool is_basic(std::int32_t cell) const { return row_of_[index(cell)] >= 0; }
  // Of a basic cell, by cell.
  std::span<const Entry> row(std::int32_t cell) const { return rows_[index(row_of_[index(cell)])]; }
  // Of a nonbasic cell: how many basic cells are in its circuit, and for each of them its factor.
  std::size_t column_size(std::int32_t cell) const { return columns_[index(cell)].size(); }
  template <class Visit>
  void for_column(std::int32_t cell, Visit&& visit) const {
    for (const std::int32_t r : columns_[index(cell)])
      visit(basic_[index(r)], value_at(rows_[index(r)], cell));
  }

  // The same without the factors, which take longer to look up.
  template <class Visit>
  void for_circuit(std::int32_t cell, Visit&& visit) const {
    for (const std::int32_t r : columns_[index(cell)])
      visit(basic_[index(r)]);
  }
  Residue factor(std::int32_t basic, std::int32_t cell) const {
    return value_at(rows_[index(row_of_[index(basic)])], cell);
  }

  void set_role(std::int32_t cell, Role role) { roles_[index(cell)] = role; }
  // A withheld nonbasic cell of the basic cell's row, with factor 1 or -1 if there is such a one,
  // with the fewest cells in its circuit; none: -1.
  Entry withheld_in_row(std::int32_t cell) const;
  // The basic cell leaves, a nonbasic one of its row enters.
  void pivot(std::int32_t leaving, std::int32_t entering);

  std::size_t num_entries() const { return entries_; }

 private:
  using Row = std::vector<Entry>;
  static std::size_t index(std::int32_t i) { return static_cast<std::size_t>(i); }
  static Residue value_at(const Row& row, std::int32_t cell);
  template <class Equation>  // the terms by index
  bool add_all(std::int32_t count,
               Equation&& equation,
               std::size_t most_entries,
               const RunContext& run,
               std::vector<std::int32_t>& independent);
  bool add_equation(std::span<const Term> terms);  // false if it follows from those before
  std::int32_t pick_pivot(const Row& row) const;
  void substitute(std::int32_t cell, const Row& by);  // in all rows, for this nonbasic cell
  void add_multiple(std::int32_t r, std::int32_t gone, const Row& by);
  void enter(std::int32_t r, std::int32_t cell, Row row);

  std::vector<Role> roles_;
  std::vector<std::int32_t> row_of_;                // by cell, -1: nonbasic
  std::vector<std::int32_t> basic_;                 // by row
  std::vector<Row> rows_;                           // by cell
  std::vector<std::vector<std::int32_t>> columns_;  // by cell: rows it is in
  std::vector<Residue> sums_;                       // by cell, for building
  Row merged_;
  std::size_t entries_ = 0;
};

}  // namespace lacuna::presolve
