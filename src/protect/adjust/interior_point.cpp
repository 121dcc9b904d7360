// SPDX-License-Identifier: Apache-2.0
#include "protect/adjust/interior_point.h"

#include <algorithm>
#include <cmath>

#include "core/base/work.h"
#include "lacuna/tolerance.h"
#include "protect/adjust/tuning.h"

namespace lacuna::adjustment {
namespace {

using Index = Eigen::Index;

bool is_fixed(const Column& column) {
  const double size = std::min(std::abs(column.lower), std::abs(column.upper));
  return !(column.upper - column.lower > tol::kRounding * (size + 1));
}

double natural_size(const PartCell& cell, double typical) {
  return cell.sensitive ? std::max(cell.up, cell.down) : typical;
}

// An interior point of the column near zero, at a distance from the bounds that fits the cell.
double inside(const Column& column, double size) {
  if (is_fixed(column))
    return 0.5 * (column.lower + column.upper);
  const double width = column.upper - column.lower;
  const double margin = std::isinf(width) ? size : std::min(0.5 * width, size);
  double low = column.lower + margin;
  double high = column.upper - margin;
  if (low > high)
    low = high = 0.5 * (column.lower + column.upper);
  return std::clamp(0.0, low, high);
}

// A straight column on its central path: the multiplier of the bound it leans on is its cost.
double on_path(const Column& column, double mu) {
  if (is_fixed(column) || column.cost == 0)
    return 0.5 * (column.lower + column.upper);
  const double away = std::min(0.5 * (column.upper - column.lower), mu / std::abs(column.cost));
  return column.cost > 0 ? column.lower + away : column.upper - away;
}

double typical_size(const Part& part) {
  double sum = 0;
  for (const std::int32_t i : part.sensitive) {
    const PartCell& cell = part.cells[static_cast<std::size_t>(i)];
    sum += std::max(cell.up, cell.down);
  }
  return part.sensitive.empty() ? 1 : sum / static_cast<double>(part.sensitive.size());
}

double typical_cost(const Part& part, AdjustNorm norm) {
  double sum = 0;
  for (const std::int32_t i : part.sensitive) {
    const PartCell& cell = part.cells[static_cast<std::size_t>(i)];
    const double size = std::max(cell.up, cell.down);
    sum += cell.weight * (norm == AdjustNorm::kL2 ? size * size : size);
  }
  const double mean = sum / static_cast<double>(std::max<std::size_t>(1, part.sensitive.size()));
  return mean > 0 ? mean : 1;
}

}  // namespace

InteriorPoint::InteriorPoint(const Part& part, AdjustNorm norm, std::unique_ptr<KktSystem> system)
    : part_(part), norm_(norm), system_(std::move(system)) {}

void InteriorPoint::start(double distance) {
  const auto columns = static_cast<Index>(columns_.all.size());
  const auto cells = static_cast<Index>(part_.cells.size());
  for (Vector* each : {&x_, &zl_, &zu_, &dx_, &dzl_, &dzu_, &theta_, &ax_, &azl_, &azu_})
    each->setZero(columns);
  cell_of_.resize(columns_.all.size());
  const double typical = typical_size(part_);
  size_ = typical;
  const double mu = distance * (norm_ == AdjustNorm::kL2 ? 10 : 0.1) * typical_cost(part_, norm_);
  for (std::size_t c = 0; c < part_.cells.size(); ++c) {
    const double size = natural_size(part_.cells[c], typical);
    for (std::size_t k = columns_.start[c]; k < columns_.start[c + 1]; ++k) {
      const auto i = static_cast<Index>(k);
      const Column& column = columns_.all[k];
      cell_of_[k] = static_cast<std::int32_t>(c);
      x_[i] = norm_ == AdjustNorm::kL1 ? on_path(column, mu) : inside(column, size);
      if (is_fixed(column))
        continue;
      if (!std::isinf(column.lower))
        zl_[i] = mu / (x_[i] - column.lower);
      if (!std::isinf(column.upper))
        zu_[i] = mu / (column.upper - x_[i]);
    }
  }
  v_.setZero(cells);
  g_.setZero(cells);
  cell_theta_.resize(cells);
  b_.resize(cells);
}

void InteriorPoint::update_bound(Point& point) const {
  Vector g = g_;
  system_->project(v_, g);
  double total = columns_.constant;
  double magnitude = std::abs(total);
  for (std::size_t k = 0; k < columns_.all.size(); ++k) {
    const double least = column_minimum(columns_.all[k], g[cell_of_[k]]);
    total += least;
    magnitude += std::abs(least);
  }
  const double form = system_->form(v_);
  total -= form + tol::kRounding * (magnitude + form);
  if (total > point.bound) {
    point.bound = total;
    point.g = std::move(g);
  }
}

double InteriorPoint::bound_if(std::int32_t cell, Sense sense, const Point& point) const {
  const PartCell& numbers = part_.cells[static_cast<std::size_t>(cell)];
  const double g = point.g[cell];
  const auto least = [&](Sense which) {
    std::vector<Column> columns;
    double total = cell_columns(numbers, norm_, which, columns);
    for (const Column& column : columns)
      total += column_minimum(column, g);
    return total;
  };
  const double now = least(Sense::kUndecided);
  const double then = least(sense);
  return point.bound + (then - now) - tol::kRounding * (std::abs(then) + std::abs(now));
}

double InteriorPoint::value() const {
  double total = columns_.constant;
  for (std::size_t k = 0; k < columns_.all.size(); ++k) {
    const double x = x_[static_cast<Index>(k)];
    total += (columns_.all[k].cost + 0.5 * columns_.all[k].curve * x) * x;
  }
  return total + system_->form(v_);
}

// The mean product of a multiplier and its distance from the bound; `x`, `zl` and `zu` by column.
template <class Primal, class Lower, class Upper>
double InteriorPoint::mean_product(Primal&& x, Lower&& zl, Upper&& zu) const {
  double sum = 0;
  std::int64_t count = 0;
  for (std::size_t k = 0; k < columns_.all.size(); ++k) {
    const auto i = static_cast<Index>(k);
    const Column& column = columns_.all[k];
    if (is_fixed(column))
      continue;
    if (!std::isinf(column.lower)) {
      sum += zl(i) * (x(i) - column.lower);
      ++count;
    }
    if (!std::isinf(column.upper)) {
      sum += zu(i) * (column.upper - x(i));
      ++count;
    }
  }
  return count > 0 ? sum / static_cast<double>(count) : 0;
}

double InteriorPoint::complementarity() const {
  return mean_product([&](Index i) { return x_[i]; },
                      [&](Index i) { return zl_[i]; },
                      [&](Index i) { return zu_[i]; });
}

void InteriorPoint::make_theta() {
  cell_theta_.setZero();
  for (std::size_t k = 0; k < columns_.all.size(); ++k) {
    const auto i = static_cast<Index>(k);
    const Column& column = columns_.all[k];
    double curve = column.curve;
    if (is_fixed(column)) {
      curve = (curve + std::abs(column.cost) / size_) / kTuning.point.rigid;
    } else {
      if (!std::isinf(column.lower))
        curve += zl_[i] / (x_[i] - column.lower);
      if (!std::isinf(column.upper))
        curve += zu_[i] / (column.upper - x_[i]);
    }
    theta_[i] = 1 / std::max(curve, tol::kRounding);
    cell_theta_[cell_of_[k]] += theta_[i];
  }
}

// One Newton step toward complementarity `target`, with this share of Mehrotra's second-order term
// from the direction in ax_, azl_, azu_.
void InteriorPoint::directions(double target, double correct) {
  b_ = -v_;
  for (std::size_t k = 0; k < columns_.all.size(); ++k) {
    const auto i = static_cast<Index>(k);
    const Column& column = columns_.all[k];
    double pull = -(column.cost + column.curve * x_[i] - g_[cell_of_[k]]);
    if (is_fixed(column)) {
      pull = 0;
    } else {
      if (!std::isinf(column.lower)) {
        const double slack = x_[i] - column.lower;
        pull += (target - correct * ax_[i] * azl_[i]) / slack;
      }
      if (!std::isinf(column.upper)) {
        const double slack = column.upper - x_[i];
        pull -= (target + correct * ax_[i] * azu_[i]) / slack;
      }
    }
    dx_[i] = theta_[i] * pull;  // without dg yet
    b_[cell_of_[k]] += x_[i] + dx_[i];
  }
  system_->solve(b_, dv_, dg_);
  for (std::size_t k = 0; k < columns_.all.size(); ++k) {
    const auto i = static_cast<Index>(k);
    const Column& column = columns_.all[k];
    if (is_fixed(column)) {
      dx_[i] = dzl_[i] = dzu_[i] = 0;
      continue;
    }
    dx_[i] += theta_[i] * dg_[cell_of_[k]];
    if (!std::isinf(column.lower)) {
      const double slack = x_[i] - column.lower;
      dzl_[i] = (target - correct * ax_[i] * azl_[i] - zl_[i] * dx_[i]) / slack - zl_[i];
    }
    if (!std::isinf(column.upper)) {
      const double slack = column.upper - x_[i];
      dzu_[i] = (target + correct * ax_[i] * azu_[i] + zu_[i] * dx_[i]) / slack - zu_[i];
    }
  }
}

// How far the boundary allows, at most the whole way. Quadratic costs tie the dual residuals to x:
// there both steps are the same.
InteriorPoint::Steps InteriorPoint::longest_steps(double most) const {
  Steps steps{1 / most, 1 / most};
  for (std::size_t k = 0; k < columns_.all.size(); ++k) {
    const auto i = static_cast<Index>(k);
    const Column& column = columns_.all[k];
    if (is_fixed(column))
      continue;
    if (dx_[i] < 0 && !std::isinf(column.lower))
      steps.primal = std::min(steps.primal, (column.lower - x_[i]) / dx_[i]);
    if (dx_[i] > 0 && !std::isinf(column.upper))
      steps.primal = std::min(steps.primal, (column.upper - x_[i]) / dx_[i]);
    if (dzl_[i] < 0)
      steps.dual = std::min(steps.dual, -zl_[i] / dzl_[i]);
    if (dzu_[i] < 0)
      steps.dual = std::min(steps.dual, -zu_[i] / dzu_[i]);
  }
  steps.primal *= most;
  steps.dual *= most;
  if (norm_ == AdjustNorm::kL2)
    steps.primal = steps.dual = std::min(steps.primal, steps.dual);
  return steps;
}

void InteriorPoint::move(Steps steps) {
  x_ += steps.primal * dx_;
  v_ += steps.primal * dv_;
  zl_ += steps.dual * dzl_;
  zu_ += steps.dual * dzu_;
  g_ += steps.dual * dg_;
  restore_centrality();
}

// Products that strayed far from their mean block later steps; their multipliers are reset.
void InteriorPoint::restore_centrality() {
  const double mu = complementarity();
  for (std::size_t k = 0; k < columns_.all.size(); ++k) {
    const auto i = static_cast<Index>(k);
    const Column& column = columns_.all[k];
    if (is_fixed(column))
      continue;
    if (!std::isinf(column.lower)) {
      const double central = mu / (x_[i] - column.lower);
      zl_[i] = std::clamp(zl_[i],
                          central / kTuning.point.spread,
                          central * kTuning.point.spread * kTuning.point.spread);
    }
    if (!std::isinf(column.upper)) {
      const double central = mu / (column.upper - x_[i]);
      zu_[i] = std::clamp(zu_[i],
                          central / kTuning.point.spread,
                          central * kTuning.point.spread * kTuning.point.spread);
    }
  }
}

double InteriorPoint::predicted_complementarity(Steps steps) const {
  return mean_product([&](Index i) { return x_[i] + steps.primal * dx_[i]; },
                      [&](Index i) { return zl_[i] + steps.dual * dzl_[i]; },
                      [&](Index i) { return zu_[i] + steps.dual * dzu_[i]; });
}

// Keeps the step if it is the most precise so far. True once value and bound agree, and what the
// columns and v disagree on does not count.
bool InteriorPoint::keep_best(const PointOptions& options, Point& point) {
  Vector apart = -v_;
  for (std::size_t k = 0; k < columns_.all.size(); ++k)
    apart[cell_of_[k]] += x_[static_cast<Index>(k)];
  const double here = value();
  const double residual = apart.cwiseAbs().maxCoeff() / typical_size(part_);
  const double scale = std::max(std::abs(here), tol::kRounding);
  const double error = std::max(
      {(here - point.bound) / scale, apart.cwiseAbs().dot(g_.cwiseAbs()) / scale, residual});
  if (error < best_error_ || point.v.size() == 0) {
    best_error_ = error;
    point.value = here;
    point.residual = residual;
    point.v = v_;
  }
  return best_error_ <= options.precision;
}

Point InteriorPoint::solve(const Senses& senses,
                           const PointOptions& options,
                           const RunContext& run) {
  base::count_work(kTuning.touches.column_start * part_.cells.size());
  columns_ = make_columns(part_, norm_, senses);
  start(options.start);
  best_error_ = kInfinity;
  Point point;
  while (point.steps < options.max_steps && !run.should_stop()) {
    base::count_work(kTuning.touches.column_step * columns_.all.size());
    const double mu = complementarity();
    make_theta();
    factored_ = system_->factor(cell_theta_);
    if (!factored_)
      break;
    directions(0, 0);  // predictor
    const Steps affine = longest_steps(1);
    const double ahead = predicted_complementarity(affine);
    const double ratio = mu > 0 ? std::clamp(ahead / mu, 0.0, 1.0) : 0;
    ax_ = dx_;
    azl_ = dzl_;
    azu_ = dzu_;
    // The second-order term presumes the whole predictor step: less of it where that is blocked,
    // and none where the point is too near the boundary.
    const double target = ratio * ratio * ratio * mu;
    directions(target, 1);
    Steps steps = longest_steps(options.step_back);
    if (std::min(steps.primal, steps.dual) < kTuning.point.short_step) {
      directions(target, affine.primal * affine.dual);
      steps = longest_steps(options.step_back);
    }
    if (std::min(steps.primal, steps.dual) < kTuning.point.short_step) {
      directions(kTuning.point.recenter * mu, 0);
      steps = longest_steps(options.step_back);
    }
    if (!dx_.allFinite() || !dg_.allFinite())
      break;
    move(steps);
    ++point.steps;
    update_bound(point);
    if (point.bound >= options.cutoff) {
      point.status = PointStatus::kCutOff;
      break;
    }
    if (keep_best(options, point)) {
      point.status = PointStatus::kSolved;
      break;
    }
    if (std::max(steps.primal, steps.dual) < tol::kRowResidual)
      break;
  }
  if (point.g.size() == 0)
    point.g = Vector::Zero(v_.size());
  if (point.v.size() == 0)
    point.v = v_;
  return point;
}

}  // namespace lacuna::adjustment
