// SPDX-License-Identifier: Apache-2.0
// A problem at more decimals: every number is multiplied by the same power of ten, so that values,
// bounds and levels remain the same numbers. It lies here, below all methods, because a release
// with more decimals than the table is judged against this problem.
#include <string>

#include "core/base/spelling.h"
#include "lacuna/keys.h"
#include "lacuna/problem.h"

namespace lacuna {
namespace {

Result<Units> scaled(Units value, Units factor) {
  const Wide product = Wide{value} * factor;
  if (product > kMaxUnits || product < -kMaxUnits)
    return Error{ErrorCode::kOptionValue,
                 "the numbers of the table do not fit 62 bits; use fewer decimals",
                 "decimals"};
  return static_cast<Units>(product);
}

Result<Bounds> scaled(Bounds bounds, Units factor) {
  if (bounds.has_lower()) {
    LACUNA_TRY(bounds.lower, scaled(bounds.lower, factor));
  }
  if (bounds.has_upper()) {
    LACUNA_TRY(bounds.upper, scaled(bounds.upper, factor));
  }
  return bounds;
}

Result<CellKeys> scaled(CellKeys keys, Units factor) {
  for (std::vector<Units>& largest : keys.largest) {
    for (Units& amount : largest) {
      LACUNA_TRY(amount, scaled(amount, factor));
    }
  }
  for (Units& spread : keys.spread) {
    LACUNA_TRY(spread, scaled(spread, factor));
  }
  return keys;
}

}  // namespace

Result<Problem> with_decimals(const Problem& problem, int decimals) {
  const Table& table = problem.table();
  if (decimals < table.decimals())
    return Error{ErrorCode::kOptionValue, "the table itself has more decimals", "decimals"};
  if (decimals == table.decimals())
    return problem;
  if (problem.counts()) {
    return Error{ErrorCode::kNotCounts,
                 "a table of counts is released in whole numbers; leave out the decimals, or " +
                     base::named_section("[counts]"),
                 "decimals"};
  }
  if (decimals > TableBuilder::kMaxDecimals) {
    return Error{ErrorCode::kOptionValue,
                 "a table has at most " + std::to_string(TableBuilder::kMaxDecimals) + " decimals",
                 "decimals"};
  }
  Units factor = 1;
  for (int d = table.decimals(); d < decimals; ++d) {
    LACUNA_TRY(factor, scaled(factor, 10));
  }
  TableBuilder builder(decimals, table.dimensions());
  for (std::int32_t c = 0; c < table.num_cells(); ++c) {
    Cell cell = table.cell(CellId{c});
    LACUNA_TRY(cell.value, scaled(cell.value, factor));
    LACUNA_TRY(cell.prior, scaled(cell.prior, factor));
    const Result<CellId> added = builder.add_cell(cell, table.codes(CellId{c}));
    if (!added)
      return added.error();
  }
  for (std::int32_t e = 0; e < table.num_equations(); ++e) {
    LACUNA_TRY(const Units rhs, scaled(table.rhs(EquationId{e}), factor));
    const Result<EquationId> added = builder.add_equation(table.equation(EquationId{e}), rhs);
    if (!added)
      return added.error();
  }
  LACUNA_TRY(Table finer, std::move(builder).build());
  std::vector<Attacker> attackers = problem.attackers();
  for (Attacker& attacker : attackers) {
    for (Knowledge& known : attacker.known) {
      LACUNA_TRY(known.bounds, scaled(known.bounds, factor));
    }
  }
  std::vector<Requirement> requirements = problem.requirements();
  for (Requirement& need : requirements) {
    LACUNA_TRY(need.lower, scaled(need.lower, factor));
    LACUNA_TRY(need.upper, scaled(need.upper, factor));
    LACUNA_TRY(need.sliding, scaled(need.sliding, factor));
  }
  LACUNA_TRY(Problem made,
             make_problem(std::move(finer), std::move(attackers), std::move(requirements)));
  if (problem.keys()) {
    LACUNA_TRY(CellKeys keys, scaled(*problem.keys(), factor));
    LACUNA_RETURN_IF_ERROR(made.set_keys(std::make_shared<const CellKeys>(std::move(keys))));
  }
  made.set_waiver(problem.waiver());
  return made;
}

}  // namespace lacuna
