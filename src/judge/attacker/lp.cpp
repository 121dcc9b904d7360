// SPDX-License-Identifier: Apache-2.0
#include "judge/attacker/lp.h"

#include <cmath>
#include <utility>

#include "core/base/check.h"
#include "core/base/index.h"

namespace lacuna::attacker {

void add_leaf_rows(const AttackerProblem& problem, const std::vector<double>& signs, LpModel& lp) {
  const table::LeafForm& form = problem.leaf_form();
  struct Row {
    std::vector<std::int32_t> columns;
    std::vector<double> values;
  };
  std::vector<Row> rows(form.leaves.size());
  const auto add = [&](const table::LeafTerm& term, std::int32_t column, double sign) {
    Row& row = rows[base::at(term.leaf)];
    row.columns.push_back(column);
    row.values.push_back(sign * static_cast<double>(term.coefficient));
  };
  std::int32_t column = 0;
  for (std::int32_t i = 0; i < problem.num_cells(); ++i) {
    for (const double sign : signs) {
      for (const table::LeafTerm& term : problem.on_leaves(i))
        add(term, column, sign);
      ++column;
    }
  }
  for (const EquationId condition : form.conditions) {
    const std::int32_t free = lp.add_column(-kLpInfinity, kLpInfinity);
    for (const table::LeafTerm& term : form.on_leaves(problem.table(), condition))
      add(term, free, 1);
  }
  for (const Row& row : rows)
    lp.add_row(0, 0, row.columns, row.values);
}

AttackerLp::AttackerLp(const AttackerProblem& problem, const std::string& engine, LpForm form)
    : problem_(problem), leaves_(form == LpForm::kLeaves) {
  if (form == LpForm::kFewerRows)
    leaves_ = problem.leaf_form().leaves.size() < base::at(problem.leaf_form().rank());
  auto made = make_lp_solver(engine);
  LACUNA_CHECK(made.has_value());
  solver_ = std::move(made).value();
  slacks_.resize(base::at(problem.num_cells()));
  if (leaves_)
    load_leaves();
  else
    load_equations();
}

void AttackerLp::load_equations() {
  LpModel lp;
  for (std::int32_t i = 0; i < problem_.num_cells(); ++i)
    lp.add_column(0, 0);
  std::vector<std::int32_t> columns;
  std::vector<double> values;
  for (const EquationId equation : problem_.independent()) {
    columns.clear();
    values.clear();
    for (const Term& term : problem_.table().equation(equation)) {
      const std::int32_t i = problem_.local(term.cell);
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
  for (std::int32_t i = 0; i < problem_.num_cells(); ++i) {
    lp.add_column(0, kLpInfinity);
    lp.add_column(0, kLpInfinity);
  }
  shut_.assign(2 * base::at(problem_.num_cells()), false);
  add_leaf_rows(problem_, {1, -1}, lp);
  LACUNA_CHECK(solver_->load(lp).has_value());
}

AttackerLp::Answer AttackerLp::push(const Query& query,
                                    const Slacks& slacks,
                                    const RunContext& run) {
  ++solves_;
  last_ = query;
  slacks.list(slacks_);
  if (std::isinf(query.most)) {
    const std::vector<RealSlack> given = slacks_;
    const auto endless = [](double slack) { return std::isinf(slack) ? 1.0 : 0.0; };
    for (RealSlack& slack : slacks_)
      slack = {endless(slack.down), endless(slack.up)};
    Answer ray = solve({query.cell, query.sign, 1, query.negligible}, run);
    if (!ray.solved)
      return {};
    if (ray.value > tol::kRowResidual) {
      ray.endless = true;
      ray.value = kLpInfinity;
      ray.dual = {};
      return ray;
    }
    slacks_ = given;
  }
  return solve(query, run);
}

AttackerLp::Answer AttackerLp::solve(const Query& query, const RunContext& run) {
  moves_.clear();
  dual_.clear();
  slacks_[base::at(query.cell)] =
      query.sign > 0 ? RealSlack{0, query.most} : RealSlack{query.most, 0};
  return leaves_ ? solve_leaves(query, run) : solve_equations(query, run);
}

AttackerLp::Answer AttackerLp::solve_equations(const Query& query, const RunContext& run) {
  if (target_ >= 0)
    solver_->set_cost(target_, 0);
  for (std::int32_t i = 0; i < problem_.num_cells(); ++i)
    solver_->set_column_bounds(i, -slacks_[base::at(i)].down, slacks_[base::at(i)].up);
  solver_->set_cost(query.cell, -query.sign);
  target_ = query.cell;
  const LpSolution solution = solver_->minimize(run);
  if (solution.status != LpStatus::kOptimal)
    return {};
  for (std::int32_t i = 0; i < problem_.num_cells(); ++i)
    add_entries(i, -solution.reduced_cost[base::at(i)], solution.primal[base::at(i)]);
  return answer(true, -solution.objective);
}

void AttackerLp::add_entries(std::int32_t cell, double dual, double move) {
  if (dual != 0)
    dual_.emplace_back(cell, dual);
  if (move != 0)
    moves_.emplace_back(cell, move);
}

void AttackerLp::set_side(std::int32_t cell, double factor) {
  for (const table::LeafTerm& term : problem_.on_leaves(cell)) {
    const double side = factor == 0 ? 0 : factor * static_cast<double>(term.coefficient);
    solver_->set_row_bounds(term.leaf, side, side);
  }
}

// A slack without end must not be used in a proof.
void AttackerLp::set_price(std::int32_t column, double slack) {
  const bool shut = std::isinf(slack);
  if (shut != shut_[base::at(column)])
    solver_->set_column_bounds(column, 0, shut ? 0 : kLpInfinity);
  shut_[base::at(column)] = shut;
  solver_->set_cost(column, shut ? 0 : slack);
}

AttackerLp::Answer AttackerLp::solve_leaves(const Query& query, const RunContext& run) {
  if (target_ >= 0)
    set_side(target_, 0);
  set_side(query.cell, query.sign);
  target_ = query.cell;
  for (std::int32_t i = 0; i < problem_.num_cells(); ++i) {
    set_price(2 * i, slacks_[base::at(i)].up);
    set_price(2 * i + 1, slacks_[base::at(i)].down);
  }
  const LpSolution solution = solver_->minimize(run);
  if (solution.status != LpStatus::kOptimal)
    return {};
  for (std::int32_t i = 0; i < problem_.num_cells(); ++i) {
    double move = 0;
    for (const table::LeafTerm& term : problem_.on_leaves(i))
      move += static_cast<double>(term.coefficient) * solution.dual[base::at(term.leaf)];
    add_entries(i, solution.primal[base::at(2 * i)] - solution.primal[base::at(2 * i + 1)], move);
  }
  return answer(true, solution.objective);
}

}  // namespace lacuna::attacker
