// SPDX-License-Identifier: Apache-2.0
#include "judge/attack/local_system.h"

#include <algorithm>
#include <utility>

#include "core/base/check.h"
#include "core/base/index.h"
#include "core/base/work.h"
#include "judge/attack/touches.h"

namespace lacuna::attack {
namespace {

std::vector<CellId> cells_of(const AttackView& view, std::vector<std::int32_t> free_cells) {
  std::sort(free_cells.begin(), free_cells.end());
  std::vector<CellId> cells;
  cells.reserve(free_cells.size() + 1);
  for (const std::int32_t free : free_cells)
    cells.push_back(view.free_cell(free).cell);
  return cells;
}

std::vector<EquationId> sorted(std::vector<EquationId> equations) {
  std::sort(equations.begin(), equations.end());
  return equations;
}

}  // namespace

LocalSystem::LocalSystem(const AttackView& view,
                         std::vector<std::int32_t> free_cells,
                         std::vector<EquationId> equations,
                         std::span<const Term> form)
    : cells_(cells_of(view, std::move(free_cells))), equations_(sorted(std::move(equations))) {
  std::int64_t terms_seen = std::ssize(cells_);
  row_start_.reserve(equations_.size() + 2);
  std::vector<Term> free_terms;
  for (const EquationId equation : equations_) {
    free_terms.clear();
    for (const Term& term : view.table().equation(equation)) {
      if (view.free_index(term.cell) >= 0)
        free_terms.push_back(term);
    }
    terms_seen += std::ssize(view.table().equation(equation));
    add_row(free_terms);
  }
  base::count_work(kAttackTouches.model_term * terms_seen);
  slacks_.reserve(cells_.size() + 1);
  for (const CellId cell : cells_)
    slacks_.push_back(view.slack(cell));
  for (std::size_t c = 0; !view.holes().empty() && c < cells_.size(); ++c)
    holes_.add(CellId{static_cast<std::int32_t>(c)}, view.holes().of(cells_[c]));
  if (!form.empty()) {
    add_row(form, form_cell().value);
    slacks_.push_back({kUnboundedAbove, kUnboundedAbove});
  }
}

LocalSystem::LocalSystem(const Table& table, std::span<const Slack> slacks)
    : slacks_(slacks.begin(), slacks.end()) {
  for (std::int32_t c = 0; c < table.num_cells(); ++c)
    cells_.push_back(CellId{c});
  for (std::int32_t e = 0; e < table.num_equations(); ++e) {
    equations_.push_back(EquationId{e});
    add_row(table.equation(EquationId{e}));
  }
}

// With a cell of its own the row says that the cell is the sum of the terms.
void LocalSystem::add_row(std::span<const Term> terms, std::int32_t own_cell) {
  for (const Term& term : terms) {
    if (const CellId own = local(term.cell); own.value >= 0)
      terms_.push_back({own, term.coefficient});
  }
  if (own_cell >= 0)
    terms_.push_back({CellId{own_cell}, -1});
  row_start_.push_back(terms_.size());
}

const Table& LocalSystem::table() const {
  if (table_)
    return *table_;
  TableBuilder builder(0);
  for (std::size_t c = 0; c < num_cells(); ++c)
    LACUNA_CHECK(builder.add_cell(Cell{.prior = {}}).has_value());
  for (std::size_t r = 0; r < num_rows(); ++r)
    LACUNA_CHECK(builder.add_equation(row(r)).has_value());
  auto built = std::move(builder).build();
  LACUNA_CHECK(built.has_value());
  return table_.emplace(std::move(built).value());
}

CellId LocalSystem::local(CellId cell) const {
  const auto found = std::lower_bound(cells_.begin(), cells_.end(), cell);
  if (found == cells_.end() || *found != cell)
    return {};
  return CellId{static_cast<std::int32_t>(found - cells_.begin())};
}

LinearForm LocalSystem::local(std::span<const Term> form) const {
  LinearForm result;
  for (const Term& term : form) {
    const CellId own = local(term.cell);
    if (own.value >= 0)
      result.push_back({own, term.coefficient});
  }
  return result;
}

Displacement LocalSystem::lift(Displacement local) const {
  if (!local.cells.empty() && local.cells.back() == form_cell()) {
    local.cells.pop_back();
    local.moves.pop_back();
  }
  for (CellId& each : local.cells)
    each = cell(each);
  return local;
}

Multipliers LocalSystem::lift(Multipliers local) const {
  for (EquationId& each : local.equations)
    each = equation(each);
  return local;
}

Chain LocalSystem::lift(Chain local, const Table& whole) const {
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

}  // namespace lacuna::attack
