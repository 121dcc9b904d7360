// SPDX-License-Identifier: Apache-2.0
#include "judge/attacker/problem.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/base/index.h"
#include "judge/attacker/tuning.h"
#include "lacuna/tolerance.h"

namespace lacuna::attacker {
namespace {

std::vector<CellId> cells_where(const std::vector<bool>& may_move) {
  std::vector<CellId> cells;
  for (std::size_t c = 0; c < may_move.size(); ++c) {
    if (may_move[c])
      cells.push_back(CellId{static_cast<std::int32_t>(c)});
  }
  return cells;
}

}  // namespace

Move cells_of_table(const AttackerProblem& problem, std::span<const CellAmount> moves) {
  Move move;
  for (const auto& [cell, amount] : moves) {
    if (amount != 0)
      move.emplace_back(problem.cell(cell).value, amount);
  }
  std::sort(move.begin(), move.end());
  return move;
}

double snapped(double value) {
  for (const double denominator : std::array<double, 4>{1, 2, 12, 60}) {
    const double near = std::round(value * denominator) / denominator;
    if (std::abs(near - value) <= tol::kDecision * std::max(1.0, std::abs(value)))
      return near;
  }
  return value;
}

AttackerProblem::AttackerProblem(const Table& table, const std::vector<bool>& may_move)
    : AttackerProblem(table, cells_where(may_move)) {}

AttackerProblem::AttackerProblem(const Table& table, std::vector<CellId> cells)
    : table_(table), cells_(std::move(cells)), cell_start_(cells_.size() + 1, 0) {
  for (const CellId cell : cells_) {
    for (const Incidence& incidence : table.equations_of(cell))
      equations_.push_back(incidence.equation);
  }
  std::sort(equations_.begin(), equations_.end());
  equations_.erase(std::unique(equations_.begin(), equations_.end()), equations_.end());
  for (const EquationId equation : equations_) {
    for (const Term& term : table.equation(equation)) {
      const std::int32_t i = local(term.cell);
      if (i < 0)
        continue;
      by_row_.push_back({i, static_cast<double>(term.coefficient)});
      ++cell_start_[base::at(i) + 1];
    }
    row_start_.push_back(by_row_.size());
  }
  for (std::size_t i = 1; i < cell_start_.size(); ++i)
    cell_start_[i] += cell_start_[i - 1];
  by_cell_.resize(by_row_.size());
  std::vector<std::size_t> place(cell_start_.begin(), cell_start_.end() - 1);
  for (std::int32_t r = 0; r < num_rows(); ++r) {
    for (const Entry& entry : row(r))
      by_cell_[place[base::at(entry.index)]++] = {r, entry.coefficient};
  }
}

std::int32_t AttackerProblem::local(CellId cell) const {
  const auto place = std::lower_bound(cells_.begin(), cells_.end(), cell);
  if (place == cells_.end() || *place != cell)
    return -1;
  return static_cast<std::int32_t>(place - cells_.begin());
}

std::vector<bool> AttackerProblem::may_move() const {
  std::vector<bool> free(base::at(table_.num_cells()), false);
  for (const CellId cell : cells_)
    free[base::at(cell)] = true;
  return free;
}

const table::LeafForm& AttackerProblem::leaf_form() const {
  std::call_once(leaf_form_made_,
                 [&] { leaf_form_ = lacuna::table::leaf_form(table_, may_move()); });
  return leaf_form_;
}

const table::Network* AttackerProblem::network() const {
  std::call_once(network_made_, [&] { network_ = table::network_form(table_, may_move()); });
  return network_ ? &*network_ : nullptr;
}

std::vector<EquationId> AttackerProblem::independent() const {
  std::vector<EquationId> rows = leaf_form().defining;
  rows.insert(rows.end(), leaf_form().conditions.begin(), leaf_form().conditions.end());
  std::sort(rows.begin(), rows.end());
  return rows;
}

bool AttackerProblem::has_few_leaves() const {
  return leaf_form().leaves.size() * kTuning.totals_per_leaf <
         static_cast<std::size_t>(leaf_form().rank());
}

}  // namespace lacuna::attacker
