// SPDX-License-Identifier: Apache-2.0
// Separation by LP in equation form: one column per movable cell with its rooms as bounds, one row
// per independent equation. The matrix never changes; the next question changes one cost, a new
// point of the master the bounds, and the simplex method goes on from the last basis.
#include <algorithm>
#include <cmath>
#include <map>

#include "lacuna/lp.h"
#include "lacuna/tolerance.h"
#include "protect/interval/separator.h"

namespace lacuna::inline interval {
namespace {

class LpSeparator final : public Separator {
 public:
  LpSeparator(const Model& model, std::unique_ptr<LpSolver> solver)
      : model_(model), solver_(std::move(solver)) {}

  Status load() {
    const Table& table = model_.problem->table();
    LpModel lp;
    column_of_.assign(model_.movable.size(), -1);
    for (std::size_t c = 0; c < model_.movable.size(); ++c) {
      if (!model_.movable[c])
        continue;
      column_of_[c] = lp.add_column(0, 0);
      cells_.push_back(static_cast<std::int32_t>(c));
    }
    std::vector<std::int32_t> columns;
    std::vector<double> values;
    for (const EquationId e : model_.equations) {
      columns.clear();
      values.clear();
      for (const Term& term : table.equation(e)) {
        const std::int32_t column = column_of_[static_cast<std::size_t>(term.cell.value)];
        if (column < 0)
          continue;
        columns.push_back(column);
        values.push_back(term.coefficient);
      }
      lp.add_row(0, 0, columns, values);
    }
    return solver_->load(lp);
  }

  void set_rooms(std::span<const double> rooms) override {
    rooms_.assign(rooms.begin(), rooms.end());
    for (const std::int32_t cell : cells_)
      set_bounds(cell, rooms_[end_of(cell, -1)], rooms_[end_of(cell, 1)]);
  }

  ProbeAnswer probe(const Probe& question, const RunContext& run) override {
    ProbeAnswer answer;
    const std::int32_t column = column_of_[static_cast<std::size_t>(question.cell)];
    if (column < 0) {
      answer.trusted = !run.should_stop();
      return answer;
    }
    const double down = rooms_[end_of(question.cell, -1)];
    const double up = rooms_[end_of(question.cell, 1)];
    // No need to go further than the level, nor to start by going the other way.
    const double most = std::min(question.level, question.sign > 0 ? up : down);
    set_bounds(question.cell, question.sign > 0 ? 0 : most, question.sign > 0 ? most : 0);
    solver_->set_cost(column, -question.sign);
    LpBasis& basis = basis_[end_of(question.cell, question.sign)];
    if (!basis.empty())
      solver_->set_basis(basis);
    const LpSolution found = solver_->minimize(run);
    if (found.status == LpStatus::kOptimal)
      basis = solver_->basis();
    solver_->set_cost(column, 0);
    set_bounds(question.cell, down, up);
    if (found.status != LpStatus::kOptimal)
      return answer;
    answer.trusted = true;
    answer.reach = std::min(-found.objective, question.level);
    for (std::size_t j = 0; j < cells_.size(); ++j) {
      if (found.primal[j] != 0)
        answer.move.emplace_back(cells_[j], found.primal[j]);
    }
    for (std::size_t i = 0; i < model_.equations.size(); ++i) {
      const double factor = snapped(-found.dual[i]);
      if (factor != 0)
        answer.multipliers.emplace_back(model_.equations[i], factor);
    }
    return answer;
  }

 private:
  void set_bounds(std::int32_t cell, double down, double up) {
    solver_->set_column_bounds(column_of_[static_cast<std::size_t>(cell)], -down, up);
  }

  const Model& model_;
  std::unique_ptr<LpSolver> solver_;
  std::vector<std::int32_t> column_of_, cells_;
  std::vector<double> rooms_;
  std::map<std::size_t, LpBasis> basis_;  // of the last time the end was asked about
};

}  // namespace

Result<std::unique_ptr<Separator>> make_lp_separator(const Model& model,
                                                     const std::string& engine) {
  LACUNA_TRY(std::unique_ptr<LpSolver> solver, make_lp_solver(engine));
  auto separator = std::make_unique<LpSeparator>(model, std::move(solver));
  LACUNA_RETURN_IF_ERROR(separator->load());
  return std::unique_ptr<Separator>(std::move(separator));
}

}  // namespace lacuna::inline interval
