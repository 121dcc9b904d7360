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
    : part_(part), norm_(norm), kkt_(std::move(system)) {}

void InteriorPoint::start(double distance) {
  const auto columns = static_cast<Index>(columns_.all.size());
  const auto cells = static_cast<Index>(part_.cells.size());
  for (Iterate* each : {&now_, &change_, &predictor_}) {
    each->x.setZero(columns);
    each->zl.setZero(columns);
    each->zu.setZero(columns);
  }
  system_.theta.setZero(columns);
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
      now_.x[i] = norm_ == AdjustNorm::kL1 ? on_path(column, mu) : inside(column, size);
      if (is_fixed(column))
        continue;
      if (!std::isinf(column.lower))
        now_.zl[i] = mu / (now_.x[i] - column.lower);
      if (!std::isinf(column.upper))
        now_.zu[i] = mu / (column.upper - now_.x[i]);
    }
  }
  now_.v.setZero(cells);
  now_.g.setZero(cells);
  system_.cell_theta.resize(cells);
  system_.b.resize(cells);
}

// (9) at the multipliers at hand.
void InteriorPoint::update_bound(Point& point) const {
  Vector g = now_.g;
  kkt_->project(now_.v, g);
  double total = columns_.constant;
  double magnitude = std::abs(total);
  for (std::size_t k = 0; k < columns_.all.size(); ++k) {
    const double least = column_minimum(columns_.all[k], g[cell_of_[k]]);
    total += least;
    magnitude += std::abs(least);
  }
  const double form = kkt_->form(now_.v);
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
    const double x = now_.x[static_cast<Index>(k)];
    total += (columns_.all[k].cost + 0.5 * columns_.all[k].curve * x) * x;
  }
  return total + kkt_->form(now_.v);
}

// The mean product of (3); `x`, `zl` and `zu` by column.
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
  return mean_product([&](Index i) { return now_.x[i]; },
                      [&](Index i) { return now_.zl[i]; },
                      [&](Index i) { return now_.zu[i]; });
}

// (4); columns that cannot move get next to none.
void InteriorPoint::make_theta() {
  system_.cell_theta.setZero();
  for (std::size_t k = 0; k < columns_.all.size(); ++k) {
    const auto i = static_cast<Index>(k);
    const Column& column = columns_.all[k];
    double curve = column.curve;
    if (is_fixed(column)) {
      curve = (curve + std::abs(column.cost) / size_) / kTuning.point.rigid;
    } else {
      if (!std::isinf(column.lower))
        curve += now_.zl[i] / (now_.x[i] - column.lower);
      if (!std::isinf(column.upper))
        curve += now_.zu[i] / (column.upper - now_.x[i]);
    }
    system_.theta[i] = 1 / std::max(curve, tol::kRounding);
    system_.cell_theta[cell_of_[k]] += system_.theta[i];
  }
}

// r of (5) and b of (6).
void InteriorPoint::set_right_side(double target, double correct) {
  system_.b = -now_.v;
  for (std::size_t k = 0; k < columns_.all.size(); ++k) {
    const auto i = static_cast<Index>(k);
    const Column& column = columns_.all[k];
    double r = -(column.cost + column.curve * now_.x[i] - now_.g[cell_of_[k]]);
    if (is_fixed(column)) {
      r = 0;
    } else {
      if (!std::isinf(column.lower)) {
        const double slack = now_.x[i] - column.lower;
        r += (target - correct * predictor_.x[i] * predictor_.zl[i]) / slack;
      }
      if (!std::isinf(column.upper)) {
        const double slack = column.upper - now_.x[i];
        r -= (target + correct * predictor_.x[i] * predictor_.zu[i]) / slack;
      }
    }
    change_.x[i] = system_.theta[i] * r;  // without dg yet
    system_.b[cell_of_[k]] += now_.x[i] + change_.x[i];
  }
}

// One Newton step toward products of (3) that are `target`, with this share of Mehrotra's term of
// second order from the predictor.
void InteriorPoint::directions(double target, double correct) {
  set_right_side(target, correct);
  kkt_->solve(system_.b, change_.v, change_.g);
  for (std::size_t k = 0; k < columns_.all.size(); ++k) {
    const auto i = static_cast<Index>(k);
    const Column& column = columns_.all[k];
    if (is_fixed(column)) {
      change_.x[i] = change_.zl[i] = change_.zu[i] = 0;
      continue;
    }
    change_.x[i] += system_.theta[i] * change_.g[cell_of_[k]];  // (5)
    if (!std::isinf(column.lower)) {                            // (7)
      const double slack = now_.x[i] - column.lower;
      change_.zl[i] =
          (target - correct * predictor_.x[i] * predictor_.zl[i] - now_.zl[i] * change_.x[i]) /
              slack -
          now_.zl[i];
    }
    if (!std::isinf(column.upper)) {
      const double slack = column.upper - now_.x[i];
      change_.zu[i] =
          (target + correct * predictor_.x[i] * predictor_.zu[i] + now_.zu[i] * change_.x[i]) /
              slack -
          now_.zu[i];
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
    if (change_.x[i] < 0 && !std::isinf(column.lower))
      steps.primal = std::min(steps.primal, (column.lower - now_.x[i]) / change_.x[i]);
    if (change_.x[i] > 0 && !std::isinf(column.upper))
      steps.primal = std::min(steps.primal, (column.upper - now_.x[i]) / change_.x[i]);
    if (change_.zl[i] < 0)
      steps.dual = std::min(steps.dual, -now_.zl[i] / change_.zl[i]);
    if (change_.zu[i] < 0)
      steps.dual = std::min(steps.dual, -now_.zu[i] / change_.zu[i]);
  }
  steps.primal *= most;
  steps.dual *= most;
  if (norm_ == AdjustNorm::kL2)
    steps.primal = steps.dual = std::min(steps.primal, steps.dual);
  return steps;
}

void InteriorPoint::move(Steps steps) {
  now_.x += steps.primal * change_.x;
  now_.v += steps.primal * change_.v;
  now_.zl += steps.dual * change_.zl;
  now_.zu += steps.dual * change_.zu;
  now_.g += steps.dual * change_.g;
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
      const double central = mu / (now_.x[i] - column.lower);
      now_.zl[i] = std::clamp(now_.zl[i],
                              central / kTuning.point.spread,
                              central * kTuning.point.spread * kTuning.point.spread);
    }
    if (!std::isinf(column.upper)) {
      const double central = mu / (column.upper - now_.x[i]);
      now_.zu[i] = std::clamp(now_.zu[i],
                              central / kTuning.point.spread,
                              central * kTuning.point.spread * kTuning.point.spread);
    }
  }
}

double InteriorPoint::predicted_complementarity(Steps steps) const {
  return mean_product([&](Index i) { return now_.x[i] + steps.primal * change_.x[i]; },
                      [&](Index i) { return now_.zl[i] + steps.dual * change_.zl[i]; },
                      [&](Index i) { return now_.zu[i] + steps.dual * change_.zu[i]; });
}

// Keeps the step if it is the most precise so far. True once value and bound agree, and what the
// columns and v disagree on does not count.
bool InteriorPoint::keep_best(const PointOptions& options, Point& point) {
  Vector apart = -now_.v;
  for (std::size_t k = 0; k < columns_.all.size(); ++k)
    apart[cell_of_[k]] += now_.x[static_cast<Index>(k)];
  const double here = value();
  const double residual = apart.cwiseAbs().maxCoeff() / typical_size(part_);
  const double scale = std::max(std::abs(here), tol::kRounding);
  const double error = std::max(
      {(here - point.bound) / scale, apart.cwiseAbs().dot(now_.g.cwiseAbs()) / scale, residual});
  if (error < best_error_ || point.v.size() == 0) {
    best_error_ = error;
    point.value = here;
    point.residual = residual;
    point.v = now_.v;
  }
  return best_error_ <= options.precision;
}

// The direction of the next step, in change_, and how far it goes.
InteriorPoint::Steps InteriorPoint::predict_and_correct(double mu, const PointOptions& options) {
  directions(0, 0);
  const Steps affine = longest_steps(1);
  const double ahead = predicted_complementarity(affine);
  const double ratio = mu > 0 ? std::clamp(ahead / mu, 0.0, 1.0) : 0;
  predictor_.x = change_.x;
  predictor_.zl = change_.zl;
  predictor_.zu = change_.zu;
  // The second-order term presumes the whole predictor step: less of it where that is blocked, and
  // none where the point is too near the boundary.
  const double target = ratio * ratio * ratio * mu;  // (8)
  directions(target, 1);
  Steps steps = longest_steps(options.step_back);
  if (steps.shortest() < kTuning.point.short_step) {
    directions(target, affine.primal * affine.dual);
    steps = longest_steps(options.step_back);
  }
  if (steps.shortest() < kTuning.point.short_step) {
    directions(kTuning.point.recenter * mu, 0);
    steps = longest_steps(options.step_back);
  }
  return steps;
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
    factored_ = kkt_->factor(system_.cell_theta);
    if (!factored_)
      break;
    const Steps steps = predict_and_correct(mu, options);
    if (!change_.x.allFinite() || !change_.g.allFinite())
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
    if (steps.longest() < tol::kRowResidual)
      break;
  }
  if (point.g.size() == 0)
    point.g = Vector::Zero(now_.v.size());
  if (point.v.size() == 0)
    point.v = now_.v;
  return point;
}

}  // namespace lacuna::adjustment
