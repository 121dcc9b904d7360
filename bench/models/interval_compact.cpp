// SPDX-License-Identifier: Apache-2.0
#include "bench/models/interval_compact.h"

#include <algorithm>

namespace lacuna::models {

using interval::EndRole;
using interval::Model;
using interval::Need;

namespace {

class CompactBuilder {
 public:
  explicit CompactBuilder(const Model& model) : model_(model) {}

  CompactModel run() {
    result_.column_of_end.assign(model_.num_ends(), -1);
    for (std::size_t e = 0; e < model_.num_ends(); ++e) {
      if (model_.role[e] == EndRole::kPriced) {
        result_.column_of_end[e] = result_.lp.add_column(
            model_.least[e], std::max(model_.least[e], model_.most[e]), model_.weight[e]);
      }
    }
    for (const Need& need : model_.needs)
      add_goal(need);
    return std::move(result_);
  }

 private:
  void add_goal(const Need& need) {
    const std::int32_t up = add_displacement(need);
    const std::int32_t down = add_displacement(need);
    add_row(need.upper, {{up, 1}});
    add_row(need.lower, {{down, -1}});
    if (need.sliding > 0)
      add_row(need.sliding, {{up, 1}, {down, -1}});
  }

  void add_row(double lower, const std::vector<std::pair<std::int32_t, double>>& terms) {
    std::vector<std::int32_t> columns;
    std::vector<double> values;
    for (const auto& [column, value] : terms) {
      if (column < 0)
        continue;
      columns.push_back(column);
      values.push_back(value);
    }
    result_.lp.add_row(lower, kLpInfinity, columns, values);
  }

  // Returns the column of the need's own cell, -1 if it cannot move.
  std::int32_t add_displacement(const Need& need) {
    const Table& table = model_.problem->table();
    const std::vector<double> most = model_.slacks(need.attacker, model_.most);
    std::vector<std::int32_t> column_of(model_.movable.size(), -1);
    for (std::size_t c = 0; c < model_.movable.size(); ++c) {
      if (!model_.movable[c])
        continue;
      column_of[c] = result_.lp.add_column(-most[2 * c + 1], most[2 * c]);
      for (const std::size_t e : {2 * c, 2 * c + 1}) {
        if (result_.column_of_end[e] >= 0)
          add_row(0, {{result_.column_of_end[e], 1}, {column_of[c], e % 2 == 0 ? -1 : 1}});
      }
    }
    for (std::int32_t j = 0; j < table.num_equations(); ++j) {
      std::vector<std::int32_t> columns;
      std::vector<double> values;
      for (const Term& term : table.equation(EquationId{j})) {
        const std::int32_t column = column_of[static_cast<std::size_t>(term.cell.value)];
        if (column < 0)
          continue;
        columns.push_back(column);
        values.push_back(term.coefficient);
      }
      result_.lp.add_row(0, 0, columns, values);
    }
    return column_of[static_cast<std::size_t>(need.cell)];
  }

  const Model& model_;
  CompactModel result_;
};

}  // namespace

CompactModel compact_model(const Model& model) {
  return CompactBuilder(model).run();
}

Result<CompactResult> solve_compact(const Model& model,
                                    const std::string& engine,
                                    const RunContext& run) {
  LpOptions options;
  options.presolve = true;
  LACUNA_TRY(const std::unique_ptr<LpSolver> solver, make_lp_solver(engine, options));
  const CompactModel compact = compact_model(model);
  LACUNA_RETURN_IF_ERROR(solver->load(compact.lp));
  const LpSolution found = solver->minimize(run);
  CompactResult result;
  result.status = found.status;
  if (found.status != LpStatus::kOptimal)
    return result;
  result.cost = found.objective * model.price_unit + model.forced;
  result.z.assign(model.num_ends(), 0);
  for (std::size_t e = 0; e < model.num_ends(); ++e) {
    if (compact.column_of_end[e] >= 0)
      result.z[e] = found.primal[static_cast<std::size_t>(compact.column_of_end[e])];
  }
  return result;
}

}  // namespace lacuna::models
