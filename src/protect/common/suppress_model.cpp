// SPDX-License-Identifier: Apache-2.0
#include "protect/common/suppress_model.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "attack/view.h"
#include "protect/common/demands.h"
#include "protect/common/tuning.h"
#include "table/parts.h"

namespace lacuna::inline common {
namespace {

double real(Units room) {
  return room == kUnboundedAbove ? std::numeric_limits<double>::infinity()
                                 : static_cast<double>(room);
}

RealRoom real_room(Units value, Bounds bounds) {
  const Room room = room_within(value, bounds);
  return {real(room.down), real(room.up)};
}

}  // namespace

std::vector<std::vector<CellId>> parts_with_needs(const Problem& problem) {
  const Table& table = problem.table();
  const std::vector<bool> movable = movable_cells(table);
  const Parts parts = connected_parts(table, movable);
  std::vector<std::vector<CellId>> cells(static_cast<std::size_t>(parts.count));
  std::vector<bool> asked(cells.size(), false);
  const std::vector<bool> always = always_withheld(problem);
  for (std::size_t c = 0; c < movable.size(); ++c) {
    if (parts.part_of[c] < 0)
      continue;
    const auto part = static_cast<std::size_t>(parts.part_of[c]);
    cells[part].push_back(CellId{static_cast<std::int32_t>(c)});
    asked[part] = asked[part] || always[c];
  }
  std::vector<std::vector<CellId>> result;
  for (std::size_t part = 0; part < cells.size(); ++part) {
    if (asked[part])
      result.push_back(std::move(cells[part]));
  }
  return result;
}

SuppressModel::SuppressModel(std::shared_ptr<const Problem> problem,
                             std::vector<CellId> part,
                             const std::vector<bool>& always,
                             double minimum_width)
    : problem_(std::move(problem)), cells_(std::move(part)) {
  list_columns(always);
  list_needs(minimum_width);
  list_equations();
}

SuppressModel::SuppressModel(std::shared_ptr<const Problem> problem,
                             std::vector<CellId> part,
                             const std::vector<bool>& always,
                             std::vector<double> weights)
    : SuppressModel(std::move(problem), std::move(part), always, 0.0) {
  weight_ = std::move(weights);
  integral_weights_ = std::all_of(
      weight_.begin(), weight_.end(), [](double weight) { return weight == std::floor(weight); });
}

const LeafForm& SuppressModel::leaf_form() const {
  std::call_once(leaf_form_made_,
                 [&] { leaf_form_ = lacuna::leaf_form(problem_->table(), free_cells()); });
  return leaf_form_;
}

std::vector<bool> SuppressModel::free_cells() const {
  std::vector<bool> free(static_cast<std::size_t>(problem_->table().num_cells()), false);
  for (const CellId cell : cells_)
    free[static_cast<std::size_t>(cell.value)] = true;
  return free;
}

const Network* SuppressModel::network() const {
  std::call_once(network_made_, [&] { network_ = network_form(problem_->table(), free_cells()); });
  return network_ ? &*network_ : nullptr;
}

std::int32_t SuppressModel::local(CellId cell) const {
  const auto at = std::lower_bound(cells_.begin(), cells_.end(), cell);
  return at != cells_.end() && *at == cell ? static_cast<std::int32_t>(at - cells_.begin()) : -1;
}

void SuppressModel::list_columns(const std::vector<bool>& always) {
  for (std::int32_t i = 0; i < num_cells(); ++i) {
    const Cell& cell = problem_->table().cell(this->cell(i));
    outsider_room_.push_back(real_room(cell.value, cell.prior));
    if (always[static_cast<std::size_t>(this->cell(i).value)]) {
      column_.push_back(-1);
      always_weight_ += cell.weight;
      continue;
    }
    column_.push_back(num_columns());
    column_cell_.push_back(i);
    weight_.push_back(cell.weight);
    integral_weights_ = integral_weights_ && cell.weight == std::floor(cell.weight);
  }
}

void SuppressModel::list_needs(double minimum_width) {
  for (const Demand& demand : all_demands(*problem_, minimum_width)) {
    const Requirement& levels = demand.levels;
    const std::int32_t cell = local(levels.cell);
    if (cell < 0)
      continue;
    Need need;
    need.cell = cell;
    need.attacker = levels.attacker;
    need.upper = static_cast<double>(levels.upper);
    need.lower = static_cast<double>(levels.lower);
    if (Wide{levels.sliding} > Wide{levels.upper} + levels.lower)
      need.sliding = static_cast<double>(levels.sliding);
    if (demand.conditional)
      need.column = column_of(cell);
    if (need.upper > 0 || need.lower > 0 || need.sliding > 0)
      needs_.push_back(need);
  }
}

void SuppressModel::list_equations() {
  const Table& table = problem_->table();
  std::vector<std::vector<std::int32_t>> of_cell(cells_.size());
  std::vector<EquationId> touched;
  for (const CellId cell : cells_) {
    for (const Incidence& incidence : table.equations_of(cell))
      touched.push_back(incidence.equation);
  }
  std::sort(touched.begin(), touched.end());
  touched.erase(std::unique(touched.begin(), touched.end()), touched.end());
  for (const EquationId equation : touched) {
    for (const Term& term : table.equation(equation)) {
      const std::int32_t i = local(term.cell);
      if (i < 0)
        continue;
      terms_.push_back({i, term.coefficient});
      of_cell[index(i)].push_back(num_equations());
    }
    equations_.push_back(equation);
    equation_start_.push_back(terms_.size());
  }
  cell_start_.assign(1, 0);
  for (const auto& list : of_cell) {
    cell_equations_.insert(cell_equations_.end(), list.begin(), list.end());
    cell_start_.push_back(cell_equations_.size());
  }
}

std::span<const LocalTerm> SuppressModel::equation(std::int32_t equation) const {
  const std::size_t e = index(equation);
  return {terms_.data() + equation_start_[e], equation_start_[e + 1] - equation_start_[e]};
}

std::span<const std::int32_t> SuppressModel::equations_of(std::int32_t local) const {
  const std::size_t c = index(local);
  return {cell_equations_.data() + cell_start_[c], cell_start_[c + 1] - cell_start_[c]};
}

RealRoom SuppressModel::room(std::int32_t local, std::int32_t attacker) const {
  if (attacker == 0)
    return outsider_room_[index(local)];
  const Attacker& who = problem_->attackers()[index(attacker)];
  return real_room(problem_->table().value(cell(local)),
                   known_bounds(problem_->table(), who, cell(local)));
}

bool SuppressModel::has_few_leaves() const {
  return leaf_form().leaves.size() * kTuning.model.totals_per_leaf <
         static_cast<std::size_t>(leaf_form().rank());
}

bool any_has_few_leaves(const std::shared_ptr<const Problem>& problem,
                        const std::vector<std::vector<CellId>>& parts,
                        const std::vector<bool>& always,
                        double minimum_width) {
  return std::any_of(parts.begin(), parts.end(), [&](const std::vector<CellId>& part) {
    return SuppressModel(problem, part, always, minimum_width).has_few_leaves();
  });
}

}  // namespace lacuna::inline common
