// SPDX-License-Identifier: Apache-2.0
#include "protect/common/attacker_lp.h"

#include <algorithm>

#include "base/check.h"
#include "base/index.h"
#include "protect/common/leaf_rows.h"

namespace lacuna::inline common {
namespace {

// Than independent equations: the leaf form has fewer rows.
bool leaves_are_fewer(const SuppressModel& model) {
  return model.leaf_form().leaves.size() < static_cast<std::size_t>(model.leaf_form().rank());
}

}  // namespace

AttackerLp::AttackerLp(const SuppressModel& model, const std::string& engine)
    : model_(model), leaves_(leaves_are_fewer(model)) {
  auto made = make_lp_solver(engine);
  LACUNA_CHECK(made.has_value());
  solver_ = std::move(made).value();
  if (leaves_)
    load_leaves();
  else
    load_equations();
}

void AttackerLp::load_equations() {
  LpModel lp;
  for (std::int32_t i = 0; i < model_.num_cells(); ++i)
    lp.add_column(0, 0);
  std::vector<EquationId> rows = model_.leaf_form().defining;
  rows.insert(
      rows.end(), model_.leaf_form().conditions.begin(), model_.leaf_form().conditions.end());
  std::sort(rows.begin(), rows.end());
  std::vector<std::int32_t> columns;
  std::vector<double> values;
  for (const EquationId equation : rows) {
    columns.clear();
    values.clear();
    for (const Term& term : model_.problem().table().equation(equation)) {
      const std::int32_t i = model_.local(term.cell);
      if (i < 0)
        continue;
      columns.push_back(i);
      values.push_back(term.coefficient);
    }
    lp.add_row(0, 0, columns, values);
  }
  LACUNA_CHECK(solver_->load(lp).has_value());
}

// Columns: d^+ and d^- of each cell, then the multipliers of the conditions.
void AttackerLp::load_leaves() {
  LpModel lp;
  for (std::int32_t i = 0; i < model_.num_cells(); ++i) {
    lp.add_column(0, kLpInfinity);
    lp.add_column(0, kLpInfinity);
  }
  add_leaf_rows(model_, {1, -1}, lp);
  LACUNA_CHECK(solver_->load(lp).has_value());
}

AttackerLp::Answer AttackerLp::push(const Target& target,
                                    const Capacities& capacities,
                                    const RunContext& run) {
  ++solves_;
  last_ = target;
  capacities.write(up_, down_);
  moves_.clear();
  dual_.clear();
  return leaves_ ? push_leaves(target, run) : push_equations(target, run);
}

AttackerLp::Answer AttackerLp::push_equations(const Target& target, const RunContext& run) {
  if (target_ >= 0)
    solver_->set_cost(target_, 0);
  for (std::int32_t i = 0; i < model_.num_cells(); ++i)
    solver_->set_column_bounds(i, -down_[at(i)], up_[at(i)]);
  const bool high = target.sign > 0;
  solver_->set_column_bounds(target.cell, high ? 0 : -target.own, high ? target.own : 0);
  solver_->set_cost(target.cell, -target.sign);
  target_ = target.cell;
  const LpSolution solution = solver_->minimize(run);
  if (solution.status != LpStatus::kOptimal)
    return {};
  for (std::int32_t i = 0; i < model_.num_cells(); ++i)
    add_entries(i, -solution.reduced_cost[at(i)], solution.primal[at(i)]);
  return answer(true, -solution.objective);
}

void AttackerLp::add_entries(std::int32_t cell, double dual, double move) {
  if (dual != 0)
    dual_.emplace_back(cell, dual);
  if (move != 0)
    moves_.emplace_back(cell, move);
}

void AttackerLp::set_target(const Target& target) {
  const LeafForm& form = model_.leaf_form();
  if (target_ >= 0) {
    for (const LeafTerm& term : form.of(model_.cell(target_)))
      solver_->set_row_bounds(term.leaf, 0, 0);
  }
  for (const LeafTerm& term : form.of(model_.cell(target.cell))) {
    const double side = target.sign * static_cast<double>(term.coefficient);
    solver_->set_row_bounds(term.leaf, side, side);
  }
  target_ = target.cell;
}

AttackerLp::Answer AttackerLp::push_leaves(const Target& target, const RunContext& run) {
  set_target(target);
  for (std::int32_t i = 0; i < model_.num_cells(); ++i) {
    solver_->set_cost(2 * i, up_[at(i)]);
    solver_->set_cost(2 * i + 1, down_[at(i)]);
  }
  const bool high = target.sign > 0;
  solver_->set_cost(2 * target.cell, high ? target.own : 0);
  solver_->set_cost(2 * target.cell + 1, high ? 0 : target.own);
  const LpSolution solution = solver_->minimize(run);
  if (solution.status != LpStatus::kOptimal)
    return {};
  for (std::int32_t i = 0; i < model_.num_cells(); ++i) {
    double move = 0;
    for (const LeafTerm& term : model_.leaf_form().of(model_.cell(i)))
      move += static_cast<double>(term.coefficient) * solution.dual[at(term.leaf)];
    add_entries(i, solution.primal[at(2 * i)] - solution.primal[at(2 * i + 1)], move);
  }
  return answer(true, solution.objective);
}

}  // namespace lacuna::inline common
