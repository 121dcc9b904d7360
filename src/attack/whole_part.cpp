// SPDX-License-Identifier: Apache-2.0
#include "attack/whole_part.h"

#include <algorithm>
#include <utility>

#include "attack/touches.h"
#include "base/check.h"
#include "base/index.h"
#include "base/work.h"

namespace lacuna::inline attack {
namespace {

std::vector<CellId> cells_of(const AttackView& view, std::span<const std::int32_t> free_cells) {
  std::vector<CellId> cells;
  for (const std::int32_t free : free_cells)
    cells.push_back(view.free_cell(free).cell);
  std::sort(cells.begin(), cells.end());
  return cells;
}

std::vector<EquationId> sorted(std::vector<EquationId> equations) {
  std::sort(equations.begin(), equations.end());
  return equations;
}

Table table_of(const Table& whole,
               const std::vector<CellId>& cells,
               const std::vector<EquationId>& equations,
               std::span<const Term> form) {
  TableBuilder builder(0);
  for (std::size_t c = 0; c < cells.size(); ++c)
    LACUNA_CHECK(builder.add_cell(Cell{.prior = {}}).has_value());
  std::int64_t terms_seen = std::ssize(cells);
  const auto local_terms = [&](std::span<const Term> given) {
    std::vector<Term> terms;
    for (const Term& term : given) {
      const auto found = std::lower_bound(cells.begin(), cells.end(), term.cell);
      if (found != cells.end() && *found == term.cell) {
        const auto local = static_cast<std::int32_t>(found - cells.begin());
        terms.push_back({CellId{local}, term.coefficient});
      }
    }
    return terms;
  };
  for (const EquationId equation : equations) {
    terms_seen += std::ssize(whole.equation(equation));
    LACUNA_CHECK(builder.add_equation(local_terms(whole.equation(equation))).has_value());
  }
  if (!form.empty()) {
    const auto value = builder.add_cell(Cell{.prior = {}});
    LACUNA_CHECK(value.has_value());
    std::vector<Term> terms = local_terms(form);
    terms.push_back({*value, -1});
    LACUNA_CHECK(builder.add_equation(terms).has_value());
  }
  count_work(kAttackTouches.model_term * terms_seen);
  auto built = std::move(builder).build();
  LACUNA_CHECK(built.has_value());
  return std::move(built).value();
}

}  // namespace

SubTable::SubTable(const AttackView& view,
                   std::vector<std::int32_t> free_cells,
                   std::vector<EquationId> equations)
    : SubTable(view, std::move(free_cells), std::move(equations), {}) {}

SubTable::SubTable(const AttackView& view,
                   std::vector<std::int32_t> free_cells,
                   std::vector<EquationId> equations,
                   std::span<const Term> form)
    : cells_(cells_of(view, free_cells)),
      equations_(sorted(std::move(equations))),
      table_(table_of(view.table(), cells_, equations_, form)) {
  rooms_.reserve(cells_.size() + 1);
  for (const CellId cell : cells_)
    rooms_.push_back(view.room(cell));
  for (std::size_t c = 0; view.holes() != nullptr && c < cells_.size(); ++c)
    holes_.add(CellId{static_cast<std::int32_t>(c)}, view.holes()->of(cells_[c]));
  if (!form.empty())
    rooms_.push_back({kUnboundedAbove, kUnboundedAbove});
}

CellId SubTable::local(CellId cell) const {
  const auto found = std::lower_bound(cells_.begin(), cells_.end(), cell);
  if (found == cells_.end() || *found != cell)
    return {};
  return CellId{static_cast<std::int32_t>(found - cells_.begin())};
}

LinearForm SubTable::local(std::span<const Term> form) const {
  LinearForm result;
  for (const Term& term : form) {
    const CellId own = local(term.cell);
    if (own.value >= 0)
      result.push_back({own, term.coefficient});
  }
  return result;
}

Displacement SubTable::lift(Displacement local) const {
  if (!local.cells.empty() && local.cells.back() == form_cell()) {
    local.cells.pop_back();
    local.moves.pop_back();
  }
  for (CellId& each : local.cells)
    each = cell(each);
  return local;
}

Multipliers SubTable::lift(Multipliers local) const {
  for (EquationId& each : local.equations)
    each = equation(each);
  return local;
}

Chain SubTable::lift(Chain local, const Table& whole) const {
  for (ChainLine& line : local) {
    line.cell = cell(line.cell);
    line.equation = equation(line.equation);
    line.value += whole.value(line.cell);
  }
  return local;
}

std::vector<EquationId> equations_through(const AttackView& view,
                                          std::span<const std::int32_t> free_cells) {
  std::vector<EquationId> equations;
  for (const std::int32_t free : free_cells) {
    for (const Incidence& incidence : view.table().equations_of(view.free_cell(free).cell))
      equations.push_back(incidence.equation);
  }
  std::sort(equations.begin(), equations.end());
  equations.erase(std::unique(equations.begin(), equations.end()), equations.end());
  return equations;
}

}  // namespace lacuna::inline attack
