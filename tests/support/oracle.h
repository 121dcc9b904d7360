// SPDX-License-Identifier: Apache-2.0
// A second opinion on attacker problems, for tests: the tables y that an attacker cannot rule out,
//   M y = b,  y_i = a_i where published,  else y_i within prior, statement and own knowledge,
// and the smallest and largest y_p among them, by the textbook: standard form, two phases, a dense
// tableau, Bland's rule, integers of any size. Slow, and on purpose without anything of
// src/judge/attack or src/judge/audit: it works on values instead of displacements and keeps no
// trick of theirs.
#pragma once

#include <gmpxx.h>

#include <optional>
#include <span>
#include <vector>

#include "lacuna/audit.h"
#include "lacuna/draft.h"
#include "lacuna/problem.h"

namespace lacuna::testing {

// maximize c'x subject to A x = b, x >= 0, all integers; A and b stay, c may change. The tableau
// holds integers over one common denominator (Edmonds), so that pivots need no fractions.
class StandardForm {
 public:
  StandardForm(std::vector<std::vector<mpz_class>> a, std::vector<mpz_class> b);

  bool feasible() const { return feasible_; }
  // The maximum, or nothing if there is none; the problem must be feasible.
  std::optional<mpq_class> maximize(const std::vector<mpz_class>& c);

 private:
  using Row = std::vector<mpz_class>;
  bool run(Row& cost);  // false if unbounded
  void pivot(std::size_t row, std::size_t column, Row& cost);
  void price(const Row& c, Row& cost) const;
  void drop_artificials(std::size_t first, Row& cost);

  std::vector<Row> rows_;  // right-hand side last
  std::vector<std::size_t> basis_;
  mpz_class denominator_ = 1;
  bool feasible_ = false;
};

struct OracleRange {  // in units; nothing: no end
  std::optional<mpq_class> lower, upper;
};

class Oracle {
 public:
  Oracle(const Table& table, const Draft& draft, const Attacker& attacker);
  OracleRange range(CellId cell);
  // The verdict on a requirement for this attacker, by its definition.
  Verdict verdict(const Requirement& need);

 private:
  struct Column {  // y_i = start + factor * x
    CellId cell;
    Units start = 0;
    int factor = 1;
    std::int32_t other = -1;  // a cell without bounds is the difference of two columns
    std::optional<mpz_class> width;
  };
  const Column* find(CellId cell) const;
  std::optional<mpq_class> extreme(const Column& column, int direction);

  const Table& table_;
  const Draft& draft_;
  std::vector<std::int32_t> place_;  // of a cell among columns_, -1 if published
  std::vector<Column> columns_;
  std::size_t num_variables_ = 0;
  std::optional<StandardForm> form_;
};

}  // namespace lacuna::testing
