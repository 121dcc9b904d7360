// SPDX-License-Identifier: Apache-2.0
#include "protect/adjust/vertex.h"

#include <cmath>

#include "lacuna/lp.h"
#include "lacuna/tolerance.h"
#include "protect/adjust/columns.h"

namespace lacuna::adjustment {
namespace {

// Engines have absolute tolerances: deviations are told in multiples of a typical level, a power of
// two so that no digit changes, and the same on every machine.
double scale_of(const Part& cells) {
  double sum = 0;
  for (const std::int32_t i : cells.sensitive) {
    const PartCell& cell = cells.cells[static_cast<std::size_t>(i)];
    sum += std::ilogb(std::max(cell.up, cell.down));
  }
  const auto count = static_cast<double>(std::max<std::size_t>(1, cells.sensitive.size()));
  return std::ldexp(1.0, static_cast<int>(std::lround(sum / count)));
}

LpModel model_of(const Part& part, const Columns& columns, double scale) {
  LpModel lp;
  for (const Column& column : columns.all)
    lp.add_column(column.lower / scale, column.upper / scale, column.cost * scale);
  std::vector<std::int32_t> indices;
  std::vector<double> values;
  for (std::size_t r = 0; r < part.equations.size(); ++r) {
    indices.clear();
    values.clear();
    for (const Entry* e = part.equations.begin(r); e != part.equations.end(r); ++e) {
      const auto c = static_cast<std::size_t>(e->index);
      for (std::size_t k = columns.start[c]; k < columns.start[c + 1]; ++k) {
        indices.push_back(static_cast<std::int32_t>(k));
        values.push_back(e->value);
      }
    }
    lp.add_row(0, 0, indices, values);
  }
  return lp;
}

void certify(const Part& part,
             const Columns& columns,
             const LpSolution& solution,
             double scale,
             Vertex& vertex) {
  vertex.g = Vector::Zero(static_cast<Eigen::Index>(part.cells.size()));
  for (std::size_t r = 0; r < part.equations.size(); ++r) {
    for (const Entry* e = part.equations.begin(r); e != part.equations.end(r); ++e)
      vertex.g[e->index] += e->value * solution.dual[r] / scale;
  }
  double total = columns.constant;
  double magnitude = std::abs(total);
  for (std::size_t c = 0; c < part.cells.size(); ++c) {
    for (std::size_t k = columns.start[c]; k < columns.start[c + 1]; ++k) {
      const double least = column_minimum(columns.all[k], vertex.g[static_cast<Eigen::Index>(c)]);
      total += least;
      magnitude += std::abs(least);
    }
  }
  vertex.bound = total - tol::kRounding * magnitude;
}

// The engine asked for, else all of them in turn.
std::vector<std::string> engines(const std::string& wanted) {
  if (wanted.empty())
    return lp_engines();
  std::vector<std::string> only;
  only.push_back(wanted);
  return only;
}

}  // namespace

Vertex least_absolute(const Part& part,
                      const Part& cells,
                      const Senses& senses,
                      const std::string& engine,
                      const RunContext& run) {
  Vertex vertex;
  const Columns columns = make_columns(cells, AdjustNorm::kL1, senses);
  LpOptions options;
  options.presolve = true;
  const double scale = scale_of(cells);
  LpSolution solution;
  for (const std::string& name : engines(engine)) {
    auto solver = make_lp_solver(name, options);
    if (!solver || !solver.value()->load(model_of(part, columns, scale)))
      return vertex;
    solution = solver.value()->minimize(run);
    if (solution.status != LpStatus::kNumericalTrouble)
      break;
  }
  if (solution.status == LpStatus::kInfeasible)
    vertex.status = VertexStatus::kInfeasible;
  if (solution.status != LpStatus::kOptimal)
    return vertex;
  vertex.status = VertexStatus::kFound;
  vertex.z = Vector::Zero(static_cast<Eigen::Index>(part.cells.size()));
  for (std::size_t c = 0; c < part.cells.size(); ++c) {
    for (std::size_t k = columns.start[c]; k < columns.start[c + 1]; ++k)
      vertex.z[static_cast<Eigen::Index>(c)] += scale * solution.primal[k];
  }
  certify(part, columns, solution, scale, vertex);
  return vertex;
}

}  // namespace lacuna::adjustment
