// SPDX-License-Identifier: Apache-2.0
#include "protect/adjust/vertex.h"

#include <algorithm>

#include "lacuna/lp.h"

namespace lacuna::cta {
namespace {

// z = rise - fall; the bounds of z follow from those of the two.
LpModel model_of(const Part& part, const Senses& senses) {
  LpModel lp;
  std::size_t next = 0;
  for (const PartCell& cell : part.cells) {
    const Sense sense = cell.sensitive ? senses[next++] : Sense::kOpen;
    const double low = sense == Sense::kUp ? cell.up : cell.lower;
    const double high = sense == Sense::kDown ? -cell.down : cell.upper;
    lp.add_column(std::max(0.0, low), std::max(0.0, high), cell.weight);
    lp.add_column(std::max(0.0, -high), std::max(0.0, -low), cell.weight);
  }
  std::vector<std::int32_t> columns;
  std::vector<double> values;
  for (std::size_t r = 0; r < part.equations.size(); ++r) {
    columns.clear();
    values.clear();
    for (const Entry* e = part.equations.begin(r); e != part.equations.end(r); ++e) {
      columns.insert(columns.end(), {2 * e->index, 2 * e->index + 1});
      values.insert(values.end(), {e->value, -e->value});
    }
    lp.add_row(0, 0, columns, values);
  }
  return lp;
}

}  // namespace

Vertex least_absolute(const Part& part,
                      const Senses& senses,
                      const std::string& engine,
                      const RunContext& run) {
  Vertex vertex;
  LpOptions options;
  options.presolve = true;
  auto solver = make_lp_solver(engine, options);
  if (!solver || !solver.value()->load(model_of(part, senses)))
    return vertex;
  const LpSolution solution = solver.value()->minimize(run);
  if (solution.status == LpStatus::kInfeasible)
    vertex.status = VertexStatus::kInfeasible;
  if (solution.status != LpStatus::kOptimal)
    return vertex;
  vertex.status = VertexStatus::kFound;
  vertex.z.resize(static_cast<Eigen::Index>(part.cells.size()));
  for (Eigen::Index c = 0; c < vertex.z.size(); ++c) {
    const auto k = static_cast<std::size_t>(2 * c);
    vertex.z[c] = solution.primal[k] - solution.primal[k + 1];
  }
  return vertex;
}

}  // namespace lacuna::cta
