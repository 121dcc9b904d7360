// SPDX-License-Identifier: Apache-2.0
#include "protect/owner/center.h"

#include <algorithm>
#include <cmath>

#include "lacuna/lp.h"

namespace lacuna::owner {
namespace {

double end_of(Units bound, Units size) {
  if (bound == kUnboundedAbove || bound == kUnboundedBelow)
    return kLpInfinity;
  return std::abs(static_cast<double>(bound) - static_cast<double>(size));
}

// Two columns per hidden cell: how far it lies above its size, and how far below.
struct Columns {
  std::vector<std::int32_t> first;  // by cell; -1: published
  LpModel model;
};

Columns columns_of(const Table& table, const Draft& pattern, const std::vector<Units>& sizes) {
  Columns made;
  for (std::int32_t c = 0; c < table.num_cells(); ++c) {
    if (pattern.is_exact(CellId{c})) {
      made.first.push_back(-1);
      continue;
    }
    const Bounds prior = table.cell(CellId{c}).prior;
    const Units size = sizes[static_cast<std::size_t>(c)];
    made.first.push_back(made.model.add_column(0, end_of(prior.upper, size), 1));
    made.model.add_column(0, end_of(prior.lower, size), 1);
  }
  return made;
}

// sum over hidden i of c_i (up_i - down_i) = b - sum of what is published - sum of c_i size_i.
void add_equations(const Table& table, const std::vector<Units>& sizes, Columns& made) {
  std::vector<std::int32_t> columns;
  std::vector<double> values;
  for (std::int32_t e = 0; e < table.num_equations(); ++e) {
    columns.clear();
    values.clear();
    Wide rest = table.rhs(EquationId{e});
    for (const Term& term : table.equation(EquationId{e})) {
      const auto c = static_cast<std::size_t>(term.cell.value);
      const bool hidden = made.first[c] >= 0;
      rest -= static_cast<Wide>(term.coefficient) * (hidden ? sizes[c] : table.value(term.cell));
      if (!hidden)
        continue;
      columns.insert(columns.end(), {made.first[c], made.first[c] + 1});
      values.insert(values.end(), {1.0 * term.coefficient, -1.0 * term.coefficient});
    }
    if (!columns.empty())
      made.model.add_row(
          static_cast<double>(rest), static_cast<double>(rest), columns, values);
  }
}

}  // namespace

Result<std::vector<Units>> center_of(const Table& table,
                                     const Draft& pattern,
                                     const std::vector<Units>& sizes,
                                     const std::string& engine,
                                     const RunContext& run) {
  Columns made = columns_of(table, pattern, sizes);
  add_equations(table, sizes, made);
  std::vector<Units> center = sizes;
  for (std::int32_t c = 0; c < table.num_cells(); ++c) {
    if (made.first[static_cast<std::size_t>(c)] < 0)
      center[static_cast<std::size_t>(c)] = table.value(CellId{c});
  }
  if (made.model.num_columns() == 0)
    return center;
  LACUNA_TRY(const auto solver, make_lp_solver(engine));
  LACUNA_RETURN_IF_ERROR(solver->load(made.model));
  const LpSolution found = solver->minimize(run);
  if (found.status != LpStatus::kOptimal)  // the sizes themselves will do: they are public, too
    return center;
  for (std::int32_t c = 0; c < table.num_cells(); ++c) {
    const auto at = static_cast<std::size_t>(c);
    if (made.first[at] < 0)
      continue;
    const auto column = static_cast<std::size_t>(made.first[at]);
    const double moved = found.primal[column] - found.primal[column + 1];
    const Bounds prior = table.cell(CellId{c}).prior;
    center[at] = std::clamp(sizes[at] + static_cast<Units>(std::llround(moved)),
                            prior.has_lower() ? prior.lower : -kMaxUnits,
                            prior.has_upper() ? prior.upper : kMaxUnits);
  }
  return center;
}

}  // namespace lacuna::owner
