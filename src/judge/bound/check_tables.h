// SPDX-License-Identifier: Apache-2.0
// The check of a log of the bound of adjusted tables. A table a + z that adds up has M z = 0, so that
// for any multipliers g, with c = M'g,
//   W sum_i w_i |z_i|^p = sum_i (W w_i |z_i|^p - c_i z_i) >= sum_i min (W w_i |z|^p - c_i z)  (29)
// where each minimum is over what the cell may do: its bounds, and of a sensitive cell z >= u or
// z <= -l, or one of them in a case of a tree (weak duality; Geoffrion 1974).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/base/exact.h"
#include "lacuna/bound_log.h"
#include "lacuna/integer.h"
#include "lacuna/problem.h"
#include "lacuna/result.h"

namespace lacuna::bound {

enum class Side : std::int8_t { kFalls = -1, kEither = 0, kRises = 1 };

// What adjusted tables may do, by cell: all in units of the table.
class Moves {
 public:
  explicit Moves(const Problem& problem);

  // Cells that may be published with another value.
  const std::vector<bool>& open() const { return open_; }
  bool is_sensitive(std::int32_t cell) const { return sensitive_[static_cast<std::size_t>(cell)]; }
  // The least of a |z|^norm - c z, rounded down; nothing: it has no limit.
  std::optional<mpz_class> least(std::int32_t cell,
                                 Side side,
                                 int norm,
                                 const mpz_class& a,
                                 const mpz_class& c) const;

 private:
  const Problem& problem_;
  std::vector<bool> open_, sensitive_;
  std::vector<Units> up_, down_;
};

// (29) for the cells of a tree: what the weight times their distance comes to at least. Errors: a cell
// without a limit; an equation ties the cells to others that may move.
Result<Integer> sum_of_minima(const Problem& problem,
                              const Moves& moves,
                              const std::vector<Integer>& values,  // by cell
                              int norm,
                              std::span<const CellId> cells,
                              const std::vector<Side>& sides,  // by cell
                              const SenseNode& leaf);

// What every adjusted table costs at least, whatever its decimals.
Result<Fraction> check_tables(const Problem& problem, const BoundLog& log);

}  // namespace lacuna::bound
