// SPDX-License-Identifier: Apache-2.0
#include "protect/adjust/part_solver.h"

#include <algorithm>
#include <cmath>

#include "core/base/parallel.h"
#include "lacuna/tolerance.h"
#include "protect/adjust/vertex.h"

namespace lacuna::adjustment {
namespace {

using Index = Eigen::Index;

}  // namespace

PartSolver::PartSolver(const Part& part, AdjustNorm norm, const TreeOptions& options)
    : part_(part), norm_(norm), options_(options) {
  reachable_.cells = part.cells;
  reachable_.sensitive = part.sensitive;
  reachable_.start = part.start;
  if (is_large())
    options_.batch = kTuning.tree.batch_of_large;
  gap_.pruned = options_.pruning_share * options_.gap;
  gap_.gap = gap_.pruned + tol::kRounding;
  gap_.ceiling = farthest();
}

double PartSolver::farthest() const {
  double most = 0;
  for (const PartCell& cell : part_.cells) {
    const double reach = std::max(std::abs(cell.lower), std::abs(cell.upper));
    if (cell.weight > 0)
      most += cell.weight * (norm_ == AdjustNorm::kL2 ? reach * reach : reach);
  }
  return most;
}

Senses PartSolver::mirrored(const Senses& senses) const {
  Senses other = senses;
  for (Sense& sense : other)
    sense = sense == Sense::kUndecided ? Sense::kUndecided : opposite(sense);
  return other;
}

void PartSolver::make_first_worker() {
  workers_.push_back(std::make_unique<InteriorPoint>(reachable_, norm_, make_kkt_system(part_)));
}

void PartSolver::make_workers() {
  while (workers_.size() < options_.batch)
    workers_.push_back(
        std::make_unique<InteriorPoint>(reachable_, norm_, workers_.front()->system().clone()));
}

bool PartSolver::evaluate(const std::vector<Senses>& candidates,
                          double precision,
                          const RunContext& run) {
  const double before = best_.cost;
  std::vector<Senses> fresh;
  for (const Senses& senses : candidates) {
    for (const Senses& each : {senses, symmetric_ ? mirrored(senses) : senses}) {
      if (seen_.insert(each).second)
        fresh.push_back(each);
    }
  }
  const double limit = best_.cost < kInfinity ? best_.cost : gap_.ceiling;
  for (std::size_t first = 0; first < fresh.size(); first += workers_.size()) {
    const std::size_t lanes = std::min(workers_.size(), fresh.size() - first);
    std::vector<Point> points(lanes);
    base::for_each_lane(run, lanes, [&](std::size_t lane) {
      PointOptions exact;
      exact.precision = precision;
      exact.cutoff = limit;
      points[lane] = solve_plain(*workers_[lane], fresh[first + lane], exact, run);
    });
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      const Point& point = points[lane];
      count(point);
      const bool usable =
          point.status == PointStatus::kSolved ||
          (point.status == PointStatus::kStalled && point.residual < tol::kRowResidual);
      if (point.status == PointStatus::kStalled && run.should_stop())
        seen_.erase(fresh[first + lane]);  // it has not been looked at to the end
      const double cost = true_cost(part_, norm_, point.v);
      if (!usable || !(cost < best_.cost))
        continue;
      best_.cost = cost;
      best_.table = point.v;
      best_.senses = fresh[first + lane];
      best_.multipliers = point.g;
    }
  }
  limit_reach();
  return best_.cost < before;
}

// The incumbent with the share of its open cells turned around whose multipliers ask for it most:
// the Lagrangian cost of a side is the least of w |z|^p - g z over it.
Senses PartSolver::turned_by_multipliers(double share) const {
  const auto least = [&](const PartCell& cell, Sense side, double g) {
    std::vector<Column> columns;
    double total = cell_columns(cell, norm_, side, columns);
    for (const Column& column : columns)
      total += column_minimum(column, g);
    return total;
  };
  std::vector<std::pair<double, std::size_t>> wishes;
  for (std::size_t s = 0; s < part_.sensitive.size(); ++s) {
    if (part_.start[s] != Sense::kUndecided)
      continue;
    const PartCell& cell = sensitive_cell(reachable_, s);
    const double g = best_.multipliers[part_.sensitive[s]];
    const Sense now = best_.senses[s];
    const double saved = least(cell, now, g) - least(cell, opposite(now), g);
    if (saved > 0)
      wishes.push_back({-saved, s});
  }
  std::sort(wishes.begin(), wishes.end());
  const auto count = static_cast<std::size_t>(share * static_cast<double>(wishes.size()));
  Senses turned = best_.senses;
  for (std::size_t i = 0; i < std::min(wishes.size(), count + 1); ++i)
    turned[wishes[i].second] = opposite(turned[wishes[i].second]);
  return turned;
}

// Turns of many senses at once, half as many after each pair of turns that did not help.
void PartSolver::improve_large(const RunContext& run) {
  double share = kTuning.tree.first_turned;
  while (best_.found() && share > kTuning.tree.least_turned && !run.should_stop()) {
    if (!evaluate({turned_by_multipliers(share), turned_by_multipliers(share / 2)},
                  options_.start_precision,
                  run))
      share /= 4;
  }
}

// A table that costs less than the incumbent moves no cell so far that this cell alone would cost
// more. Only cells without bounds need to be told: their multipliers would have to be exact.
void PartSolver::limit_reach() {
  if (best_.cost == kInfinity)
    return;
  for (std::size_t c = 0; c < part_.cells.size(); ++c) {
    PartCell& cell = reachable_.cells[c];
    if (!(cell.weight > 0))
      continue;
    const double share = best_.cost / cell.weight;
    const double reach =
        (norm_ == AdjustNorm::kL2 ? std::sqrt(share) : share) + cell.up + cell.down;
    if (std::isinf(part_.cells[c].upper))
      cell.upper = reach;
    if (std::isinf(part_.cells[c].lower))
      cell.lower = -reach;
  }
}

Point PartSolver::solve_plain(InteriorPoint& full,
                              const Senses& senses,
                              const PointOptions& options,
                              const RunContext& run) const {
  Point point = full.solve(senses, options, run);
  const bool precise =
      point.residual < tol::kRowResidual &&
      (norm_ == AdjustNorm::kL2 ||
       point.value - point.bound <= kTuning.tree.imprecise * std::abs(point.value));
  if (point.status != PointStatus::kStalled || precise || is_large() || run.should_stop())
    return point;
  const Vertex vertex = least_absolute(
      part_, reachable_, senses, options_.engine, with_work(run, kTuning.tree.engine_work));
  if (vertex.status == VertexStatus::kInfeasible) {
    point.status = PointStatus::kCutOff;
    point.bound = kInfinity;
  } else if (norm_ == AdjustNorm::kL2) {
    for (const double distance : {0.01, 100.0}) {  // another start often gets through
      PointOptions again = options;
      again.start = distance;
      Point other = full.solve(senses, again, run);
      if (other.bound > point.bound && other.residual < point.residual)
        point = std::move(other);
      if (point.residual < tol::kRowResidual)
        break;
    }
    if (point.residual >= tol::kRowResidual && vertex.status == VertexStatus::kFound) {
      point.residual = 0;  // a table at least, if not the best one
      point.v = vertex.z;
    }
  } else if (vertex.status == VertexStatus::kFound) {
    point.status = PointStatus::kSolved;
    point.residual = 0;
    point.v = vertex.z;
    if (vertex.bound > point.bound) {
      point.bound = vertex.bound;
      point.g = vertex.g;
    }
  }
  return point;
}

Vector PartSolver::keep_margins(const Vector& margins, const RunContext& run) const {
  Part inner;
  inner.cells = part_.cells;
  inner.sensitive = part_.sensitive;
  for (std::size_t c = 0; c < inner.cells.size(); ++c) {
    PartCell& cell = inner.cells[c];
    const double margin = margins[static_cast<Index>(c)];
    if (cell.upper - cell.lower > 4 * margin) {
      cell.lower += margin;
      cell.upper -= margin;
    }
    if (cell.sensitive) {
      cell.up = std::min(cell.up + margin, cell.upper);
      cell.down = std::min(cell.down + margin, -cell.lower);
    }
  }
  InteriorPoint method(inner, norm_, workers_.front()->system().clone());
  PointOptions exact;
  exact.precision = options_.start_precision;
  const Point point = method.solve(best_.senses, exact, run);
  return point.residual < tol::kRowResidual ? point.v : best_.table;
}

Vector PartSolver::vertex(const RunContext& run) const {
  if (norm_ != AdjustNorm::kL1 || is_large() || run.should_stop())
    return best_.table;
  const Vertex found = least_absolute(part_, part_, best_.senses, options_.engine, run);
  const bool better = found.status == VertexStatus::kFound &&
                      true_cost(part_, norm_, found.z) <= best_.cost * (1 + tol::kObjective);
  return better ? found.z : best_.table;
}

}  // namespace lacuna::adjustment
