// SPDX-License-Identifier: Apache-2.0
#include "protect/interval/witness_lp.h"

#include <algorithm>
#include <cmath>

namespace lacuna::interval {
namespace {

// Room that is there already is not quite free, lest a witness wanders.
constexpr double kPresentShare = 1.0 / 64;

}  // namespace

Result<std::unique_ptr<WitnessLp>> WitnessLp::make(const Model& model, const std::string& engine) {
  LACUNA_TRY(std::unique_ptr<LpSolver> solver, make_lp_solver(engine));
  std::unique_ptr<WitnessLp> lp(new WitnessLp(model, std::move(solver)));
  LACUNA_RETURN_IF_ERROR(lp->load());
  return lp;
}

Status WitnessLp::load() {
  const Table& table = model_.problem->table;
  double least = kLpInfinity;
  double sum = 0;
  std::int64_t count = 0;
  for (std::size_t e = 0; e < model_.num_ends(); ++e) {
    if (model_.role[e] != EndRole::kPriced)
      continue;
    least = std::min(least, model_.weight[e]);
    sum += model_.weight[e];
    ++count;
  }
  const double typical = count > 0 ? sum / static_cast<double>(count) : 1;
  const double idle = (std::isfinite(least) ? least : 1) * kPresentShare / typical;
  LpModel lp;
  column_of_.assign(model_.num_ends(), -1);
  for (std::size_t e = 0; e < model_.num_ends(); ++e) {
    if (model_.role[e] == EndRole::kClosed)
      continue;
    const double weight = model_.weight[e] / typical;
    column_of_[e] = lp.add_column(0, 0, std::max(idle, weight * kPresentShare));
    lp.add_column(0, 0, std::max(idle, weight));
  }
  std::vector<std::int32_t> columns;
  std::vector<double> values;
  for (const EquationId equation : model_.equations) {
    columns.clear();
    values.clear();
    for (const Term& term : table.equation(equation)) {
      for (const int sign : {1, -1}) {
        const std::int32_t first = column_of_[end_of(term.cell.value, sign)];
        for (int k = 0; first >= 0 && k < 2; ++k) {
          columns.push_back(first + k);
          values.push_back(sign * term.coefficient);
        }
      }
    }
    lp.add_row(0, 0, columns, values);
  }
  return solver_->load(lp);
}

LpStatus WitnessLp::find(std::int32_t attacker,
                         std::int32_t cell,
                         int sign,
                         double level,
                         std::span<const double> z,
                         const RunContext& run,
                         Move& move) {
  const std::size_t target = end_of(cell, sign);
  const std::vector<double> most = model_.rooms(attacker, model_.most);
  if (column(target) < 0 || most[target] < level)
    return LpStatus::kInfeasible;
  for (std::size_t e = 0; e < model_.num_ends(); ++e) {
    const std::int32_t first = column(e);
    if (first < 0)
      continue;
    const bool own = e / 2 == target / 2;
    const double open = model_.role[e] == EndRole::kOpen ? most[e] : std::min(z[e], most[e]);
    const double present = own ? (e == target ? level : 0) : open;
    solver_->set_column_bounds(first, e == target ? level : 0, present);
    const bool all = own || open >= most[e];  // both may be infinite
    solver_->set_column_bounds(first + 1, 0, all ? 0 : most[e] - open);
  }
  const LpSolution found = solver_->minimize(run);
  if (found.status != LpStatus::kOptimal)
    return found.status;
  move.clear();
  for (std::size_t c = 0; c < model_.movable.size(); ++c) {
    double amount = 0;
    for (const int side : {1, -1}) {
      const std::int32_t first = column_of_[end_of(static_cast<std::int32_t>(c), side)];
      if (first >= 0) {
        const auto at = static_cast<std::size_t>(first);
        amount += side * (found.primal[at] + found.primal[at + 1]);
      }
    }
    if (amount != 0)
      move.emplace_back(static_cast<std::int32_t>(c), amount);
  }
  return LpStatus::kOptimal;
}

}  // namespace lacuna::interval
