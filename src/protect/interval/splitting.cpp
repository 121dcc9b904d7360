// SPDX-License-Identifier: Apache-2.0
#include "protect/interval/splitting.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/index.h"
#include "core/base/parallel.h"
#include "core/base/work.h"
#include "judge/presolve/exact_kernel.h"
#include "lacuna/lp.h"
#include "protect/interval/tuning.h"
#include "protect/suppression_model/lanes.h"

namespace lacuna::interval {

// Rows of numbers, one after the other. (Not in the namespace without a name: Splitting has them as
// members.)
struct SparseRows {
  std::vector<std::size_t> start{0};
  std::vector<std::int32_t> column;
  std::vector<double> value;

  std::size_t size() const { return start.size() - 1; }
};

namespace {

// A positive definite matrix G = C C'.
class Cholesky {
 public:
  explicit Cholesky(std::size_t order) : order_(order), entries_(order * order, 0) {}
  double& entry(std::size_t row, std::size_t column) { return entries_[row * order_ + column]; }

  bool factor() {
    for (std::size_t j = 0; j < order_; ++j) {
      for (std::size_t i = j; i < order_; ++i) {
        const double* a = &entries_[i * order_];
        const double* b = &entries_[j * order_];
        double sum = a[j];
        for (std::size_t k = 0; k < j; ++k)
          sum -= a[k] * b[k];
        if (i == j && !(sum > 0))
          return false;
        entry(i, j) = i == j ? std::sqrt(sum) : sum / entry(j, j);
      }
    }
    return true;
  }

  // The inverse, for products that run over neighbours.
  std::vector<double> inverse() const {
    std::vector<double> all(order_ * order_, 0);
    std::vector<double> x(order_);
    for (std::size_t j = 0; j < order_; ++j) {
      std::fill(x.begin(), x.end(), 0);
      x[j] = 1;
      solve(x);
      std::copy(x.begin(), x.end(), all.begin() + static_cast<std::ptrdiff_t>(j * order_));
    }
    return all;
  }

 private:
  void solve(std::vector<double>& x) const {
    for (std::size_t i = 0; i < order_; ++i) {
      for (std::size_t k = 0; k < i; ++k)
        x[i] -= entries_[i * order_ + k] * x[k];
      x[i] /= entries_[i * order_ + i];
    }
    for (std::size_t i = order_; i-- > 0;) {
      x[i] /= entries_[i * order_ + i];
      for (std::size_t k = 0; k < i; ++k)
        x[k] -= entries_[i * order_ + k] * x[i];
    }
  }

  std::size_t order_;
  std::vector<double> entries_;
};

}  // namespace

class Splitting::Rounds {
 public:
  Rounds(const Model& model, std::span<const Goal> goals, int threads)
      : model_(model), threads_(threads), goals_(goals.begin(), goals.end()) {}

  bool prepare(const RunContext& run) {
    list_cells();
    const bool all_move = std::all_of(goals_.begin(), goals_.end(), [&](const Goal& goal) {
      return cells_.index_of[base::at(model_.needs[base::at(goal.need)].cell)] >= 0;
    });
    if (!all_move || !find_basis(run) || !factor())
      return false;
    set_goals();
    return true;
  }

  // Touches of a round.
  std::size_t touches() const {
    const std::size_t order = basis_.columns;
    return goals_.size() *
           (2 * basis_.rows.value.size() + order * order / 2 + 12 * cells_.list.size());
  }

  void go(double gap, const RunContext& run) {
    const SplittingTuning& splitting = kTuning.splitting;
    double best = kLpInfinity;
    std::int32_t stalled = 0;
    while (progress_.rounds < splitting.most_rounds && !run.should_stop()) {
      round(run);
      if (++progress_.rounds % splitting.look_every != 0)
        continue;
      estimate();
      const double open = progress_.value - progress_.bound;
      stalled = open < best * (1 - splitting.worth) ? 0 : stalled + 1;
      best = std::min(best, open);
      if (open <= gap * progress_.value || stalled >= splitting.patience)
        return;
    }
  }

  Point point() const {
    Point result;
    result.z.assign(model_.num_ends(), 0);
    for (std::size_t i = 0; i < cells_.list.size(); ++i) {
      for (const std::size_t side : {std::size_t{0}, std::size_t{1}}) {
        const std::size_t e = 2 * base::at(cells_.list[i]) + side;
        result.z[e] = std::max(model_.least[e], model_.tidied(z_[2 * i + side]));
      }
    }
    result.h.assign(2 * model_.needs.size(), 0);
    for (const Place& place : places_)
      result.h[place.share] = place.level;
    return result;
  }

  std::vector<Cut> cuts() const {
    std::vector<Cut> result;
    const std::vector<double> z = point().z;
    for (std::size_t d = 0; d < goals_.size(); ++d) {
      const Place& place = places_[d];
      if (!(place.factor > 0))
        continue;
      result.push_back(make_cut(model_, goals_[d], coefficients(place, goals_[d].sign), z));
    }
    return result;
  }

 private:
  struct Cells {                              // that may move
    std::vector<std::int32_t> list;           // by index: the cell
    std::vector<std::int32_t> index_of;       // by cell; -1 if it may not
    std::vector<double> metric;               // W, by index
    std::vector<double> weight, most, least;  // by end: w, and the limits of z
  };
  struct Basis {
    SparseRows rows;  // B, a row per cell
    std::size_t columns = 0;
    std::vector<std::int32_t> generator;  // by column: the cell whose row has a 1 there alone
    std::vector<double> inverse;          // of G
  };
  struct Place {                           // of a goal
    std::size_t own = 0;                   // its cell p
    std::size_t share = 0;                 // its index in Point::h
    double level = 0;                      // L_d
    double weight = 1;                     // r_d
    double factor = 0;                     // s t r_d of (6)
    std::vector<double> column;            // G^-1 b_p
    std::vector<double> copy, multiplier;  // x and v, by cell
    std::vector<double> move, prices;      // f and c
    std::vector<double> most;              // by end: what the attacker's own limits leave
  };
  struct Progress {
    double value = 0, bound = 0;
    std::int64_t rounds = 0;
  };

  // d with d'B = s B_p to the last digit: small prices are left out, and the cells that generate
  // the displacements, of which each is in one column, make up for it.
  std::vector<std::pair<std::int32_t, double>> coefficients(const Place& place, int sign) const {
    std::vector<double> d(cells_.list.size(), 0);
    std::vector<double> missing(basis_.columns, 0);
    for (std::size_t k = basis_.rows.start[place.own]; k < basis_.rows.start[place.own + 1]; ++k)
      missing[base::at(basis_.rows.column[k])] = sign * basis_.rows.value[k];
    for (std::size_t i = 0; i < cells_.list.size(); ++i) {
      const double price = place.prices[i] / place.factor;
      if (std::abs(price) < kTuning.splitting.negligible)
        continue;
      d[i] = price;
      for (std::size_t k = basis_.rows.start[i]; k < basis_.rows.start[i + 1]; ++k)
        missing[base::at(basis_.rows.column[k])] -= price * basis_.rows.value[k];
    }
    for (std::size_t j = 0; j < basis_.columns; ++j)
      d[base::at(basis_.generator[j])] += missing[j];
    std::vector<std::pair<std::int32_t, double>> result;
    for (std::size_t i = 0; i < cells_.list.size(); ++i) {
      if (d[i] != 0)
        result.emplace_back(cells_.list[i], d[i]);
    }
    base::count_work(4 * basis_.rows.value.size());
    return result;
  }

  void list_cells() {
    cells_.index_of.assign(model_.movable.size(), -1);
    for (std::size_t c = 0; c < model_.movable.size(); ++c) {
      if (!model_.movable[c])
        continue;
      cells_.index_of[c] = static_cast<std::int32_t>(cells_.list.size());
      cells_.list.push_back(static_cast<std::int32_t>(c));
    }
    for (const std::int32_t c : cells_.list) {
      cells_.metric.push_back(
          std::max(model_.weight[attacker::end_of(c, 1)], model_.weight[attacker::end_of(c, -1)]));
      for (const int sign : {1, -1}) {
        cells_.weight.push_back(model_.weight[attacker::end_of(c, sign)]);
        cells_.most.push_back(model_.most[attacker::end_of(c, sign)]);
        cells_.least.push_back(model_.least[attacker::end_of(c, sign)]);
      }
    }
    const double largest =
        cells_.metric.empty()
            ? 1
            : std::max(1.0, *std::max_element(cells_.metric.begin(), cells_.metric.end()));
    for (double& weight : cells_.metric)
      weight = std::max(weight, kTuning.splitting.least_metric * largest);
    z_ = cells_.least;
  }

  bool find_basis(const RunContext& run) {
    std::vector<std::vector<Term>> equations;
    for (const EquationId equation : model_.equations) {
      std::vector<Term> terms;
      for (const Term& term : model_.problem->table().equation(equation)) {
        const std::int32_t index = cells_.index_of[base::at(term.cell)];
        if (index >= 0)
          terms.push_back({CellId{index}, term.coefficient});
      }
      equations.push_back(std::move(terms));
    }
    const auto kernel =
        presolve::ExactKernel::make(static_cast<std::int32_t>(cells_.list.size()), equations, run);
    if (!kernel)
      return false;
    std::vector<std::int32_t> number(cells_.list.size(), -1);  // of a column
    for (std::size_t i = 0; i < cells_.list.size(); ++i) {
      for (const presolve::SmallFraction& entry : kernel->row(static_cast<std::int32_t>(i))) {
        std::int32_t& own = number[base::at(entry.column)];
        if (own < 0) {
          own = static_cast<std::int32_t>(basis_.columns++);
          basis_.generator.push_back(entry.column);
        }
        basis_.rows.column.push_back(own);
        basis_.rows.value.push_back(static_cast<double>(entry.numerator) / entry.denominator);
      }
      basis_.rows.start.push_back(basis_.rows.column.size());
    }
    return basis_.columns > 0 && basis_.columns <= kTuning.splitting.most_columns;
  }

  bool factor() {  // G
    Cholesky matrix(basis_.columns);
    for (std::size_t i = 0; i < cells_.list.size(); ++i) {
      for (std::size_t k = basis_.rows.start[i]; k < basis_.rows.start[i + 1]; ++k) {
        for (std::size_t l = basis_.rows.start[i]; l < basis_.rows.start[i + 1]; ++l)
          matrix.entry(base::at(basis_.rows.column[k]), base::at(basis_.rows.column[l])) +=
              cells_.metric[i] * basis_.rows.value[k] * basis_.rows.value[l];
      }
    }
    base::count_work(basis_.columns * basis_.columns * basis_.columns);
    if (!matrix.factor())
      return false;
    basis_.inverse = matrix.inverse();
    return true;
  }

  void set_goals() {
    for (const Goal& goal : goals_) {
      const Need& need = model_.needs[base::at(goal.need)];
      Place place;
      place.own = base::at(cells_.index_of[base::at(need.cell)]);
      place.share = 2 * base::at(goal.need) + (goal.sign > 0 ? 0 : 1);
      // Of a sliding level each side gets its own part, and half of what is left.
      const double more = std::max(0.0, need.sliding - need.upper - need.lower);
      place.level = need.level(goal.sign) + more / 2;
      place.weight = 1 / place.level;
      place.copy.assign(cells_.list.size(), 0);
      place.multiplier = place.move = place.prices = place.copy;
      const std::vector<double> most = model_.slacks(need.attacker, model_.most);
      for (const std::int32_t c : cells_.list) {
        place.most.push_back(most[attacker::end_of(c, 1)]);
        place.most.push_back(most[attacker::end_of(c, -1)]);
      }
      std::vector<double> row(basis_.columns, 0);
      for (std::size_t k = basis_.rows.start[place.own]; k < basis_.rows.start[place.own + 1]; ++k)
        row[base::at(basis_.rows.column[k])] = basis_.rows.value[k];
      place.column.assign(basis_.columns, 0);
      multiply(row, place.column);
      places_.push_back(std::move(place));
    }
  }

  // y = G^-1 x.
  void multiply(const std::vector<double>& x, std::vector<double>& y) const {
    for (std::size_t j = 0; j < basis_.columns; ++j) {
      if (x[j] == 0)
        continue;
      const double factor = x[j];
      const double* column = &basis_.inverse[j * basis_.columns];
      for (std::size_t i = 0; i < basis_.columns; ++i)
        y[i] += factor * column[i];
    }
  }

  double row_times(std::size_t i, const std::vector<double>& y) const {
    double sum = 0;
    for (std::size_t k = basis_.rows.start[i]; k < basis_.rows.start[i + 1]; ++k)
      sum += basis_.rows.value[k] * y[base::at(basis_.rows.column[k])];
    return sum;
  }

  // (2) goal by goal, then (3) and (4) cell by cell.
  void round(const RunContext& run) {
    base::for_each_lane(run, suppression_model::kLanes, threads_, [&](std::size_t lane) {
      for (std::size_t d = lane; d < places_.size(); d += suppression_model::kLanes)
        project(places_[d], goals_[d].sign);
    });
    base::for_each_lane(run, suppression_model::kLanes, threads_, [&](std::size_t lane) {
      std::vector<std::pair<double, double>> asked;
      const std::size_t end = (lane + 1) * cells_.list.size() / suppression_model::kLanes;
      for (std::size_t i = lane * cells_.list.size() / suppression_model::kLanes; i < end; ++i)
        set_slacks(i, asked);
    });
    base::count_work(touches());
  }

  // (2) by (5), and the prices (6) that show it.
  void project(Place& place, int sign) const {
    std::vector<double> pulled(basis_.columns, 0);
    std::vector<double> y(basis_.columns, 0);
    for (std::size_t i = 0; i < cells_.list.size(); ++i) {
      const double target = cells_.metric[i] * (place.copy[i] - place.multiplier[i]);
      if (target == 0)
        continue;
      for (std::size_t k = basis_.rows.start[i]; k < basis_.rows.start[i + 1]; ++k)
        pulled[base::at(basis_.rows.column[k])] += basis_.rows.value[k] * target;
    }
    multiply(pulled, y);
    const double own = row_times(place.own, place.column);
    const double t = (sign * place.level - row_times(place.own, y)) / own;
    for (std::size_t j = 0; j < basis_.columns; ++j)
      y[j] += t * place.column[j];
    place.factor = sign * t * place.weight;
    const double over = kTuning.splitting.relaxation;
    for (std::size_t i = 0; i < cells_.list.size(); ++i) {
      const double f = row_times(i, y);
      place.move[i] = f;
      place.prices[i] = place.weight * cells_.metric[i] * (f - place.copy[i] + place.multiplier[i]);
      // From here to the end of (4) v holds f + v, over-relaxed.
      place.multiplier[i] += over * f + (1 - over) * place.copy[i];
    }
  }

  // (3) for the two ends of a cell, and (4): what is left of f + v beyond them.
  void set_slacks(std::size_t i, std::vector<std::pair<double, double>>& asked) {
    for (const std::size_t side : {std::size_t{0}, std::size_t{1}}) {
      const std::size_t e = 2 * i + side;
      asked.clear();
      for (const Place& place : places_) {
        const double a = side == 0 ? place.multiplier[i] : -place.multiplier[i];
        if (a > cells_.least[e] && place.most[e] > cells_.least[e])
          asked.emplace_back(a, place.weight * cells_.metric[i]);
      }
      z_[e] = cells_.weight[e] > 0
                  ? std::min(cells_.most[e], cheapest(asked, cells_.weight[e], cells_.least[e]))
                  : cells_.most[e];
    }
    for (Place& place : places_) {
      const double sum = place.multiplier[i];
      const double up = std::min(z_[2 * i], place.most[2 * i]);
      const double down = std::min(z_[2 * i + 1], place.most[2 * i + 1]);
      place.copy[i] = std::clamp(sum, -down, up);
      place.multiplier[i] = sum - place.copy[i];
    }
  }

  // z >= least with (3), sum of r (a - z)+ = price: Newton's method from the left ends in as many
  // steps as there are pieces, mostly two or three.
  static double cheapest(const std::vector<std::pair<double, double>>& asked,
                         double price,
                         double least) {
    double z = least;
    while (true) {
      double sum = -price;
      double slope = 0;
      for (const auto& [a, r] : asked) {
        if (a > z) {
          sum += r * (a - z);
          slope += r;
        }
      }
      if (sum <= 0 || slope == 0)
        return z;
      const double next = z + sum / slope;
      if (!(next > z))
        return z;
      z = next;
    }
  }

  // The hull of the moves; and of the cuts, each taken as often as its factor says, the Lagrangian
  // bound: what is paid beyond the price of an end is lost as far as the end can go. Where that is
  // far, all cuts are taken less often instead.
  void estimate() {
    progress_.value = 0;
    double share = 1;
    std::vector<double> paid(z_.size(), 0);
    double capped = 0;  // paid where an attacker's own limit is narrower than the slack
    for (std::size_t i = 0; i < cells_.list.size(); ++i) {
      double slack[2] = {cells_.least[2 * i], cells_.least[2 * i + 1]};
      for (const Place& place : places_) {
        const double f = place.move[i];
        slack[f > 0 ? 0 : 1] = std::max(slack[f > 0 ? 0 : 1], std::abs(f));
        const double price = std::abs(place.prices[i]);
        const std::size_t e = 2 * i + (place.prices[i] > 0 ? 0 : 1);
        if (place.most[e] < z_[e])
          capped += price * place.most[e];
        else
          paid[e] += price;
      }
      for (const std::size_t e : {2 * i, 2 * i + 1}) {
        progress_.value += cells_.weight[e] > 0 ? cells_.weight[e] * slack[e % 2] : 0;
        if (paid[e] > cells_.weight[e] && z_[e] < cells_.most[e])
          share = std::min(share, cells_.weight[e] / paid[e]);
      }
    }
    progress_.bound = -share * capped;
    for (const Place& place : places_)
      progress_.bound += share * place.factor * place.level;
    for (std::size_t e = 0; e < z_.size(); ++e) {
      const double left = cells_.weight[e] - share * paid[e];
      if (left != 0)
        progress_.bound += left * (left > 0 ? cells_.least[e] : cells_.most[e]);
    }
    base::count_work(4 * goals_.size() * cells_.list.size());
  }

  const Model& model_;
  int threads_;
  std::vector<Goal> goals_;
  Cells cells_;
  Basis basis_;
  std::vector<Place> places_;  // by goal
  std::vector<double> z_;      // by end of the cells
  Progress progress_;
};

Splitting::Splitting(std::unique_ptr<Rounds> rounds) : rounds_(std::move(rounds)) {}
Splitting::~Splitting() = default;

std::unique_ptr<Splitting> Splitting::make(const Model& model,
                                           std::span<const Goal> goals,
                                           int threads,
                                           const RunContext& run) {
  auto rounds = std::make_unique<Rounds>(model, goals, threads);
  if (goals.empty() || !rounds->prepare(run))
    return nullptr;
  const std::size_t few = kTuning.splitting.few_rounds * rounds->touches() / base::kTouchesPerUnit;
  const RunContext part = base::share_of_work(run, kTuning.splitting.share);
  if (few > kTuning.splitting.work_per_cell * model.movable.size() ||
      (part.work_end != kNoWorkLimit &&
       work_done() + static_cast<std::int64_t>(few) > part.work_end))
    return nullptr;
  return std::unique_ptr<Splitting>(new Splitting(std::move(rounds)));
}

void Splitting::run(double gap, const RunContext& run) {
  rounds_->go(gap, base::share_of_work(run, kTuning.splitting.share));
}
Point Splitting::point() const {
  return rounds_->point();
}
std::vector<Cut> Splitting::cuts() const {
  return rounds_->cuts();
}

}  // namespace lacuna::interval
