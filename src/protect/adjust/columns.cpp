// SPDX-License-Identifier: Apache-2.0
#include "protect/adjust/columns.h"

#include <algorithm>
#include <cmath>

namespace lacuna::adjustment {
namespace {

// One side of a decided or non-sensitive cell.
void add_quadratic(double lower, double upper, double weight, std::vector<Column>& out) {
  out.push_back({lower, upper, 0, 2 * weight});
}

void add_absolute(double lower, double upper, double weight, std::vector<Column>& out) {
  if (lower >= 0) {
    out.push_back({lower, upper, weight, 0});
  } else if (upper <= 0) {
    out.push_back({lower, upper, -weight, 0});
  } else {
    out.push_back({lower, 0, -weight, 0});
    out.push_back({0, upper, weight, 0});
  }
}

void add_range(
    const PartCell& cell, AdjustNorm norm, double lower, double upper, std::vector<Column>& out) {
  if (norm == AdjustNorm::kL2)
    add_quadratic(lower, upper, cell.weight, out);
  else
    add_absolute(lower, upper, cell.weight, out);
}

double add_open_quadratic(const PartCell& cell, std::vector<Column>& out) {
  const double weight = cell.weight;
  out.push_back({-cell.down, cell.up, weight * (cell.up - cell.down), 0});
  if (cell.upper > cell.up)
    out.push_back({0, cell.upper - cell.up, 2 * weight * cell.up, 2 * weight});
  if (cell.lower < -cell.down)
    out.push_back({cell.lower + cell.down, 0, -2 * weight * cell.down, 2 * weight});
  return weight * cell.up * cell.down;
}

double add_open_absolute(const PartCell& cell, std::vector<Column>& out) {
  const double width = cell.up + cell.down;
  const double slope = cell.weight * (cell.up - cell.down) / width;
  out.push_back({-cell.down, cell.up, slope, 0});
  if (cell.upper > cell.up)
    out.push_back({0, cell.upper - cell.up, cell.weight, 0});
  if (cell.lower < -cell.down)
    out.push_back({cell.lower + cell.down, 0, -cell.weight, 0});
  return 2 * cell.weight * cell.up * cell.down / width;
}

}  // namespace

double cell_columns(const PartCell& cell, AdjustNorm norm, Sense sense, std::vector<Column>& out) {
  switch (sense) {
    case Sense::kUp:
      add_range(cell, norm, cell.up, cell.upper, out);
      return 0;
    case Sense::kDown:
      add_range(cell, norm, cell.lower, -cell.down, out);
      return 0;
    case Sense::kUndecided:
      break;
  }
  return norm == AdjustNorm::kL2 ? add_open_quadratic(cell, out) : add_open_absolute(cell, out);
}

Columns make_columns(const Part& part, AdjustNorm norm, const Senses& senses) {
  Columns columns;
  columns.start.push_back(0);
  std::size_t next = 0;
  for (std::size_t c = 0; c < part.cells.size(); ++c) {
    const PartCell& cell = part.cells[c];
    if (cell.sensitive) {
      columns.constant += cell_columns(cell, norm, senses[next++], columns.all);
    } else {
      add_range(cell, norm, cell.lower, cell.upper, columns.all);
    }
    columns.start.push_back(columns.all.size());
  }
  return columns;
}

void plain_columns(const PartCell& cell, AdjustNorm norm, std::vector<Column>& out) {
  add_range(cell, norm, cell.lower, cell.upper, out);
}

double column_minimum(const Column& column, double g) {
  const double slope = column.cost - g;
  const auto value = [&](double x) { return (slope + 0.5 * column.curve * x) * x; };
  if (column.curve > 0)
    return value(std::clamp(-slope / column.curve, column.lower, column.upper));
  if (slope == 0)
    return 0;
  const double end = slope > 0 ? column.lower : column.upper;
  return std::isinf(end) ? -kInfinity : slope * end;
}

double true_cost(const Part& part, AdjustNorm norm, const Vector& z) {
  double cost = 0;
  for (std::size_t c = 0; c < part.cells.size(); ++c) {
    const double move = std::abs(z[static_cast<Eigen::Index>(c)]);
    cost += part.cells[c].weight * (norm == AdjustNorm::kL2 ? move * move : move);
  }
  return cost;
}

}  // namespace lacuna::adjustment
