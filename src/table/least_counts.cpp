// SPDX-License-Identifier: Apache-2.0
#include "table/least_counts.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "table/unpublished.h"

namespace lacuna::inline table {
namespace {

// As much of the requirement as what the attacker knows leaves room for.
Requirement fitted(const Table& table, const Attacker& who, Requirement need) {
  const Bounds known = known_bounds(table, who, need.cell);
  need.sliding = need.given_sliding();
  if (known.has_lower())
    need.lower = static_cast<Units>(
        std::min(Wide{need.lower}, Wide{table.value(need.cell)} - known.lower));
  if (known.has_lower() && known.has_upper())
    need.sliding =
        static_cast<Units>(std::min(Wide{need.sliding}, Wide{known.upper} - known.lower));
  return need;
}

// What an equation total = sum of parts tells of its total, where all parts have a lower bound; the
// total is the one cell with -1.
struct LeastSum {
  CellId total;
  Wide least = 0;
};

std::optional<LeastSum> least_sum(const Table& table,
                                  EquationId equation,
                                  const std::vector<Bounds>& priors) {
  LeastSum sum{CellId{-1}, 0};
  if (table.rhs(equation) != 0)
    return std::nullopt;
  for (const Term& term : table.equation(equation)) {
    const Bounds& prior = priors[static_cast<std::size_t>(term.cell.value)];
    if (term.coefficient == -1 && sum.total.value < 0)
      sum.total = term.cell;
    else if (term.coefficient == 1 && prior.has_lower())
      sum.least += prior.lower;
    else
      return std::nullopt;
  }
  return sum.total.value < 0 ? std::nullopt : std::optional(sum);
}

// A sum is at least what its parts are together. Sums of sums take another round.
void raise_sums(const Table& table, std::vector<Bounds>& priors) {
  for (bool again = true; again;) {
    again = false;
    for (std::int32_t e = 0; e < table.num_equations(); ++e) {
      const auto sum = least_sum(table, EquationId{e}, priors);
      if (!sum)
        continue;
      Bounds& own = priors[static_cast<std::size_t>(sum->total.value)];
      if (sum->least <= own.lower)
        continue;
      own.lower = static_cast<Units>(sum->least);
      again = true;
    }
  }
}

// Of one table: how many rows it has, and whether one of them is empty.
struct Rows {
  std::int64_t listed = 0;
  bool has_empty = false;
};

Rows rows_of(const Table& table, const CrossTable& one) {
  Rows rows;
  for (std::int32_t c = 0; c < table.num_cells(); ++c) {
    if (!holds(one, table.dimensions(), table.codes(CellId{c})))
      continue;
    ++rows.listed;
    rows.has_empty = rows.has_empty || table.value(CellId{c}) <= 0;
  }
  return rows;
}

bool lacks_rows(const Table& table, const CrossTable& one, std::int64_t listed) {
  double all = 1;  // only compared, and combinations may be many
  for (const std::int32_t d : one.dimensions)
    all *= table.dimensions()[static_cast<std::size_t>(d)].num_codes();
  return !one.open && static_cast<double>(listed) < all;
}

}  // namespace

Result<Problem> with_least(const Problem& problem, std::span<const Units> least) {
  std::vector<Bounds> priors;
  for (std::int32_t c = 0; c < problem.table.num_cells(); ++c) {
    const Cell& cell = problem.table.cell(CellId{c});
    priors.push_back(
        intersect(cell.prior, {least[static_cast<std::size_t>(c)], kUnboundedAbove}));
  }
  raise_sums(problem.table, priors);
  Table table = problem.table.with_priors(priors);
  std::vector<Requirement> needs;
  for (const Requirement& need : problem.requirements)
    needs.push_back(
        fitted(table, problem.attackers[static_cast<std::size_t>(need.attacker)], need));
  LACUNA_TRY(Problem made, make_problem(std::move(table), problem.attackers, std::move(needs)));
  made.counts = problem.counts;
  made.keys = problem.keys;
  return made;
}

Result<Problem> knowing_none_is_empty(const Problem& problem) {
  std::vector<Units> least;
  for (const Cell& cell : problem.table.cells())
    least.push_back(is_unpublished(cell) || cell.value < 1 ? kUnboundedBelow : 1);
  return with_least(problem, least);
}

bool leaves_out_empty(const Table& table, std::span<const CrossTable> tables) {
  bool lacks = false;
  for (const CrossTable& one : tables) {
    const Rows rows = rows_of(table, one);
    if (rows.has_empty)
      return false;
    lacks = lacks || lacks_rows(table, one, rows.listed);
  }
  return lacks;
}

}  // namespace lacuna::inline table
