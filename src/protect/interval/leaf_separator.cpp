// SPDX-License-Identifier: Apache-2.0
// Separation by LP in dual leaf form, for tables with few degrees of freedom. With z = N u over the
// leaves (table/leaf_form.h) the dual of the attacker problem is
//   min sum_i room(up i) d+_i + room(down i) d-_i
//   subject to  sum_i N_iu (d+_i - d-_i) + sum_j C_ju m_j = s N_pu  for every leaf u,  d >= 0,
// with C the conditions that restrict the leaves. As many rows as leaves; the next question changes
// only the right-hand side, a new point of the master only costs. d is the cut, and the duals y of
// the rows give the displacement f = N y.
#include <algorithm>
#include <cmath>
#include <map>

#include "lacuna/lp.h"
#include "lacuna/tolerance.h"
#include "protect/interval/separator.h"
#include "table/leaf_form.h"

namespace lacuna::inline interval {
namespace {

class LeafSeparator final : public Separator {
 public:
  LeafSeparator(const Model& model, std::unique_ptr<LpSolver> solver)
      : model_(model),
        solver_(std::move(solver)),
        form_(leaf_form(model.problem->table(), model.movable)) {}

  Status load() {
    const std::size_t leaves = form_.leaves.size();
    std::vector<std::vector<std::int32_t>> columns(leaves);
    std::vector<std::vector<double>> values(leaves);
    LpModel lp;
    column_of_.assign(model_.num_ends(), -1);
    for (std::size_t e = 0; e < model_.num_ends(); ++e) {
      if (!model_.movable[e / 2])
        continue;
      column_of_[e] = lp.add_column(0, kLpInfinity);
      for (const LeafTerm& term : form_.of(CellId{static_cast<std::int32_t>(e / 2)})) {
        columns[static_cast<std::size_t>(term.leaf)].push_back(column_of_[e]);
        values[static_cast<std::size_t>(term.leaf)].push_back(
            (e % 2 == 0 ? 1.0 : -1.0) * static_cast<double>(term.coefficient));
      }
    }
    for (const EquationId condition : form_.conditions) {
      const std::int32_t column = lp.add_column(-kLpInfinity, kLpInfinity);
      for (const auto& [leaf, coefficient] : expand(condition)) {
        columns[static_cast<std::size_t>(leaf)].push_back(column);
        values[static_cast<std::size_t>(leaf)].push_back(coefficient);
      }
    }
    for (std::size_t u = 0; u < leaves; ++u)
      lp.add_row(0, 0, columns[u], values[u]);
    return solver_->load(lp);
  }

  void set_rooms(std::span<const double> rooms) override {
    rooms_.assign(rooms.begin(), rooms.end());
    for (std::size_t e = 0; e < rooms_.size(); ++e)
      set_room(e, rooms_[e]);
  }

  ProbeAnswer probe(const Probe& question, const RunContext& run) override {
    ProbeAnswer answer;
    const std::size_t own = end_of(question.cell, question.sign);
    const std::size_t other = end_of(question.cell, -question.sign);
    if (column_of_[own] < 0) {
      answer.trusted = !run.should_stop();
      return answer;
    }
    // No need to go further than the level, nor to start by going the other way.
    set_room(own, std::min(question.level, rooms_[own]));
    set_room(other, 0);
    const auto target = form_.of(CellId{question.cell});
    for (const LeafTerm& term : target)
      set_rhs(term.leaf, question.sign * static_cast<double>(term.coefficient));
    const LpSolution found = solver_->minimize(run);
    for (const LeafTerm& term : target)
      set_rhs(term.leaf, 0);
    set_room(own, rooms_[own]);
    set_room(other, rooms_[other]);
    if (found.status != LpStatus::kOptimal)
      return answer;
    answer.trusted = true;
    answer.reach = std::min(found.objective, question.level);
    answer.move = displacement(found.dual);
    answer.has_coefficients = true;
    answer.coefficients = coefficients(found.primal);
    return answer;
  }

 private:
  std::map<std::int32_t, double> expand(EquationId equation) const {
    std::map<std::int32_t, double> sum;
    for (const Term& term : model_.problem->table().equation(equation)) {
      for (const LeafTerm& leaf : form_.of(term.cell))
        sum[leaf.leaf] += static_cast<double>(leaf.coefficient) * term.coefficient;
    }
    return sum;
  }

  // A room without limit must not be used in a proof.
  void set_room(std::size_t end, double room) {
    const std::int32_t column = column_of_[end];
    if (column < 0)
      return;
    const bool endless = std::isinf(room);
    solver_->set_column_bounds(column, 0, endless ? 0 : kLpInfinity);
    solver_->set_cost(column, endless ? 0 : room);
  }

  void set_rhs(std::int32_t leaf, double value) { solver_->set_row_bounds(leaf, value, value); }

  Move displacement(const std::vector<double>& leaves) const {
    Move move;
    for (std::size_t c = 0; c < model_.movable.size(); ++c) {
      double amount = 0;
      if (model_.movable[c]) {
        for (const LeafTerm& term : form_.of(CellId{static_cast<std::int32_t>(c)})) {
          amount +=
              static_cast<double>(term.coefficient) * leaves[static_cast<std::size_t>(term.leaf)];
        }
      }
      if (std::abs(amount) > tol::kRounding)
        move.emplace_back(static_cast<std::int32_t>(c), amount);
    }
    return move;
  }

  std::vector<std::pair<std::int32_t, double>> coefficients(
      const std::vector<double>& primal) const {
    std::vector<std::pair<std::int32_t, double>> d;
    for (std::size_t c = 0; c < model_.movable.size(); ++c) {
      if (!model_.movable[c])
        continue;
      const double up = primal[static_cast<std::size_t>(column_of_[2 * c])];
      const double down = primal[static_cast<std::size_t>(column_of_[2 * c + 1])];
      const double value = snapped(up - down);
      if (value != 0)
        d.emplace_back(static_cast<std::int32_t>(c), value);
    }
    return d;
  }

  const Model& model_;
  std::unique_ptr<LpSolver> solver_;
  LeafForm form_;
  std::vector<std::int32_t> column_of_;  // by end, -1: the cell does not move
  std::vector<double> rooms_;
};

}  // namespace

Result<std::unique_ptr<Separator>> make_leaf_separator(const Model& model,
                                                       const std::string& engine) {
  LACUNA_TRY(std::unique_ptr<LpSolver> solver, make_lp_solver(engine));
  auto separator = std::make_unique<LeafSeparator>(model, std::move(solver));
  LACUNA_RETURN_IF_ERROR(separator->load());
  return std::unique_ptr<Separator>(std::move(separator));
}

}  // namespace lacuna::inline interval
