// SPDX-License-Identifier: Apache-2.0
#include "judge/attack/integer_move.h"

#include <cmath>
#include <utility>
#include <vector>

#include "core/base/check.h"
#include "core/base/index.h"
#include "core/base/rational.h"
#include "core/base/work.h"
#include "judge/attack/evidence_check.h"
#include "judge/attack/touches.h"

namespace lacuna::attack {
namespace {

double bound_of(Units slack) {
  return slack == kUnboundedAbove ? kLpInfinity : static_cast<double>(slack);
}

void add_row(LpModel& model, std::span<const Term> terms, double factor, double low, double high) {
  std::vector<std::int32_t> columns;
  std::vector<double> values;
  for (const Term& term : terms) {
    columns.push_back(2 * term.cell.value);
    values.push_back(factor * term.coefficient);
    columns.push_back(2 * term.cell.value + 1);
    values.push_back(-factor * term.coefficient);
  }
  model.add_row(low, high, columns, values);
}

LpModel model_of(const MoveQuery& question, bool whole) {
  LpModel model;
  const double cost = whole ? 0 : 1;
  for (const Slack& slack : question.slacks) {
    model.add_column(0, bound_of(slack.up), cost, whole);
    model.add_column(0, bound_of(slack.down), cost, whole);
  }
  for (std::int32_t e = 0; e < question.table.num_equations(); ++e)
    add_row(model, question.table.equation(EquationId{e}), 1, 0, 0);
  add_row(model,
          question.form,
          sign(question.direction),
          static_cast<double>(question.level),
          kLpInfinity);
  base::count_work(kAttackTouches.model_term * std::ssize(model.row_value));
  return model;
}

std::optional<Displacement> rounded(const MoveQuery& question, const LpSolution& solution) {
  if (solution.primal.size() != 2 * question.slacks.size())
    return std::nullopt;
  base::count_work(kAttackTouches.rounding_column * std::ssize(solution.primal));
  Displacement move;
  for (std::size_t c = 0; c < question.slacks.size(); ++c) {
    const double value = std::nearbyint(solution.primal[2 * c] - solution.primal[2 * c + 1]);
    if (!(std::abs(value) < static_cast<double>(kMaxUnits)))
      return std::nullopt;
    if (value == 0)
      continue;
    move.cells.push_back(CellId{static_cast<std::int32_t>(c)});
    move.moves.emplace_back(base::to_integer(static_cast<Wide>(value)));
  }
  if (displacement_of(move, question.form, question.direction) < base::to_integer(question.level) ||
      !check_displacement(question.table, question.slacks, move))
    return std::nullopt;
  return move;
}

std::optional<Displacement> solve(const MoveQuery& question,
                                  bool whole,
                                  LpSolver& solver,
                                  const RunContext& run) {
  const Status status = solver.load(model_of(question, whole));
  LACUNA_CHECK(status.has_value());
  const LpSolution solution = solver.minimize(run);
  if (solution.status != LpStatus::kOptimal && solution.status != LpStatus::kLimit)
    return std::nullopt;
  return rounded(question, solution);
}

}  // namespace

std::optional<Displacement> shortest_move(const MoveQuery& question,
                                          LpSolver& solver,
                                          const RunContext& run) {
  return solve(question, false, solver, run);
}

std::optional<Displacement> any_integer_move(const MoveQuery& question,
                                             LpSolver& solver,
                                             const RunContext& run) {
  if (!solver.supports_integers())
    return std::nullopt;
  return solve(question, true, solver, run);
}

}  // namespace lacuna::attack
