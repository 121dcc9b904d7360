// SPDX-License-Identifier: Apache-2.0
#include "core/table/collapse.h"

#include <algorithm>
#include <utility>

namespace lacuna::table {
namespace {

// The cells that remain, in the numbering of the new table; -1: gone.
struct Kept {
  std::vector<std::int32_t> place;
  std::int32_t count = 0;
};

Kept kept_cells(const Table& table, std::size_t dimension, const std::vector<bool>& below) {
  Kept kept;
  for (std::int32_t c = 0; c < table.num_cells(); ++c) {
    const bool gone = below[static_cast<std::size_t>(table.codes(CellId{c})[dimension])];
    kept.place.push_back(gone ? -1 : kept.count);
    kept.count += gone ? 0 : 1;
  }
  return kept;
}

std::int32_t place_of(const Kept& kept, CellId cell) {
  return kept.place[static_cast<std::size_t>(cell.value)];
}

Result<Table> kept_table(const Table& table, const Kept& kept) {
  TableBuilder builder(table.decimals(), table.dimensions());
  for (std::int32_t c = 0; c < table.num_cells(); ++c) {
    if (kept.place[static_cast<std::size_t>(c)] < 0)
      continue;
    LACUNA_TRY(const CellId same, builder.add_cell(table.cell(CellId{c}), table.codes(CellId{c})));
    static_cast<void>(same);
  }
  for (std::int32_t e = 0; e < table.num_equations(); ++e) {
    std::vector<Term> terms;
    for (const Term& term : table.equation(EquationId{e}))
      terms.push_back({CellId{place_of(kept, term.cell)}, term.coefficient});
    if (std::any_of(terms.begin(), terms.end(), [](const Term& t) { return t.cell.value < 0; }))
      continue;
    LACUNA_TRY(const EquationId same, builder.add_equation(terms, table.rhs(EquationId{e})));
    static_cast<void>(same);
  }
  return std::move(builder).build();
}

Result<Problem> kept_problem(const Problem& problem, const Kept& kept) {
  LACUNA_TRY(Table table, kept_table(problem.table(), kept));
  std::vector<Attacker> attackers;
  for (const Attacker& old : problem.attackers()) {
    Attacker& attacker = attackers.emplace_back(Attacker{old.name, {}});
    for (const Knowledge& known : old.known) {
      if (place_of(kept, known.cell) >= 0)
        attacker.known.push_back({CellId{place_of(kept, known.cell)}, known.bounds});
    }
  }
  std::vector<Requirement> needs;
  for (Requirement need : problem.requirements()) {
    if (place_of(kept, need.cell) < 0)
      continue;
    need.cell = CellId{place_of(kept, need.cell)};
    need.sliding = need.given_sliding();
    needs.push_back(need);
  }
  return make_problem(std::move(table), std::move(attackers), std::move(needs));
}

std::vector<bool> codes_below(const Dimension& dimension, std::int32_t top) {
  std::vector<bool> below(static_cast<std::size_t>(dimension.num_codes()), false);
  std::vector<std::int32_t> open{top};
  while (!open.empty()) {
    const std::int32_t code = open.back();
    open.pop_back();
    for (const Relation& relation : dimension.relations()) {
      if (relation.parent != code)
        continue;
      for (const std::int32_t child : relation.children) {
        if (!below[static_cast<std::size_t>(child)])
          open.push_back(child);
        below[static_cast<std::size_t>(child)] = true;
      }
    }
  }
  return below;
}

}  // namespace

Result<CollapsedProblem> collapse_below(const Problem& problem,
                                        std::size_t dimension,
                                        std::int32_t code) {
  const Table& table = problem.table();
  const Kept kept = kept_cells(table, dimension, codes_below(table.dimensions()[dimension], code));
  LACUNA_TRY(Problem smaller, kept_problem(problem, kept));
  std::vector<bool> gone;
  for (const std::int32_t place : kept.place)
    gone.push_back(place < 0);
  return CollapsedProblem{std::move(smaller), std::move(gone)};
}

}  // namespace lacuna::table
