// SPDX-License-Identifier: Apache-2.0
#include "protect/round/prices.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/work.h"
#include "lacuna/tolerance.h"
#include "protect/round/soft_exp.h"
#include "protect/round/tuning.h"

namespace lacuna::rounding {

System::System(const pattern::Plan& plan) {
  base::count_work(kTuning.touches.system_cell * plan.cells.size());
  const Table& table = plan.problem->table();
  std::vector<std::int32_t> place(plan.cells.size(), -1);
  double total_price = 0, total_step = 0, steps = 0;
  for (std::int32_t c = 0; c < table.num_cells(); ++c) {
    const auto& choices = plan.cells[static_cast<std::size_t>(c)].choices;
    const Units value = table.value(CellId{c});
    if (choices.size() == 1 && choices.front().value == value) {
      fixed += choices.front().price;
      continue;
    }
    place[static_cast<std::size_t>(c)] = static_cast<std::int32_t>(cell.size());
    cell.push_back(CellId{c});
    for (std::size_t s = 0; s < choices.size(); ++s) {
      deviation.push_back(choices[s].value - value);
      price.push_back(choices[s].price);
      if (s == 0)
        continue;
      total_step += static_cast<double>(choices[s].value - choices[s - 1].value);
      total_price += std::max(choices[s].price, choices[s - 1].price);
      ++steps;
    }
    choice_start.push_back(deviation.size());
  }
  if (steps > 0) {
    step = std::max<Units>(1, std::llround(total_step / steps));
    scale = total_price > 0 ? total_price / steps : 1;
  }
  std::vector<std::size_t> degree(cell.size(), 0);
  for (std::int32_t e = 0; e < table.num_equations(); ++e) {
    for (const Term& term : table.equation(EquationId{e})) {
      const std::int32_t p = place[static_cast<std::size_t>(term.cell.value)];
      if (p < 0)
        continue;
      row_cell.push_back(p);
      row_factor.push_back(term.coefficient);
      ++degree[static_cast<std::size_t>(p)];
    }
    if (row_cell.size() > row_start.back())
      row_start.push_back(row_cell.size());
  }
  for (const std::size_t d : degree)
    column_start.push_back(column_start.back() + d);
  column_row.resize(row_cell.size());
  column_factor.resize(row_cell.size());
  std::vector<std::size_t> next(column_start.begin(), column_start.end() - 1);
  for (std::size_t e = 0; e < num_equations(); ++e) {
    for (std::size_t k = row_start[e]; k < row_start[e + 1]; ++k) {
      const std::size_t to = next[static_cast<std::size_t>(row_cell[k])]++;
      column_row[to] = static_cast<std::int32_t>(e);
      column_factor[to] = row_factor[k];
    }
  }
}

Ascent::Ascent(const System& system)
    : system_(system), lambda_(system.num_cells(), 0), multiplier_(system.num_equations(), 0) {
  const double step = static_cast<double>(system.step);
  for (const Units d : system.deviation)
    deviation_.push_back(static_cast<double>(d) / step);
  for (const double p : system.price)
    price_.push_back(p / system.scale);
  keep();
}

Prices Ascent::quick(const RunContext& run) {
  sweep(kTuning.prices.quick, kTuning.prices.quick_sweeps, run);
  return prices();
}

Prices Ascent::find(const RunContext& run) {
  const PriceTuning& tuning = kTuning.prices;
  for (double temperature = tuning.first; temperature > tuning.last && !run.should_stop();
       temperature *= tuning.cooling) {
    sweep(temperature, tuning.sweeps, run);
    if (run.on_progress)
      run.on_progress({"prices", 1 - temperature / tuning.first, 0, best_ * system_.scale});
  }
  return prices();
}

Ascent::Moments Ascent::moments(std::size_t cell, double temperature) const {
  const std::size_t first = system_.choice_start[cell], last = system_.choice_start[cell + 1];
  const double lambda = lambda_[cell];
  if (last - first == 2) {
    const double gap =
        (price_[first + 1] - price_[first]) - lambda * (deviation_[first + 1] - deviation_[first]);
    const double up = 1 / (1 + soft_exp(gap / temperature));
    const double width = deviation_[first + 1] - deviation_[first];
    return {deviation_[first] + up * width, up * (1 - up) * width * width};
  }
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t s = first; s < last; ++s)
    least = std::min(least, price_[s] - lambda * deviation_[s]);
  double total = 0, mean = 0, square = 0;
  for (std::size_t s = first; s < last; ++s) {
    const double w = soft_exp((least - price_[s] + lambda * deviation_[s]) / temperature);
    total += w;
    mean += w * deviation_[s];
    square += w * deviation_[s] * deviation_[s];
  }
  mean /= total;
  return {mean, std::max(0.0, square / total - mean * mean)};
}

void Ascent::sweep(double temperature, int sweeps, const RunContext& run) {
  for (int sweep = 0; sweep < sweeps && !run.should_stop(); ++sweep) {
    base::count_work(kTuning.touches.priced_entry * system_.row_cell.size());
    for (std::size_t e = 0; e < system_.num_equations(); ++e)
      visit(e, temperature);
  }
  keep();
}

void Ascent::visit(std::size_t equation, double temperature) {
  double residual = 0, slope = 0;
  for (std::size_t k = system_.row_start[equation]; k < system_.row_start[equation + 1]; ++k) {
    const Moments own = moments(static_cast<std::size_t>(system_.row_cell[k]), temperature);
    const double factor = system_.row_factor[k];
    residual += factor * own.mean;
    slope += factor * factor * own.variance;
  }
  // Newton, kept short where the soft minima are nearly hard.
  const double longest = 4 * temperature;
  const double wanted = slope > 0 ? -residual * temperature / slope
                                  : (residual > 0   ? -longest
                                     : residual < 0 ? longest
                                                    : 0);
  const double change = std::clamp(wanted, -longest, longest);
  if (change == 0)
    return;
  multiplier_[equation] += change;
  for (std::size_t k = system_.row_start[equation]; k < system_.row_start[equation + 1]; ++k)
    lambda_[static_cast<std::size_t>(system_.row_cell[k])] += system_.row_factor[k] * change;
}

// L at the multipliers at hand, with l computed from them afresh.
double Ascent::evaluate(std::vector<double>& lambda) const {
  std::fill(lambda.begin(), lambda.end(), 0);
  for (std::size_t e = 0; e < system_.num_equations(); ++e) {
    for (std::size_t k = system_.row_start[e]; k < system_.row_start[e + 1]; ++k)
      lambda[static_cast<std::size_t>(system_.row_cell[k])] +=
          system_.row_factor[k] * multiplier_[e];
  }
  double value = 0, size = 0;
  for (std::size_t c = 0; c < lambda.size(); ++c) {
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t s = system_.choice_start[c]; s < system_.choice_start[c + 1]; ++s) {
      const double part = lambda[c] * deviation_[s];
      least = std::min(least, price_[s] - part);
      size = std::max(size, price_[s] + std::abs(part));
    }
    value += least;
  }
  return value - tol::kRounding * size * static_cast<double>(lambda.size());
}

void Ascent::keep() {
  base::count_work(kTuning.touches.evaluated_entry *
                   (system_.row_cell.size() + system_.price.size()));
  const double value = evaluate(lambda_);
  if (best_lambda_.empty() || value > best_) {
    best_ = value;
    best_lambda_ = lambda_;
  }
}

Prices Ascent::prices() const {
  Prices found;
  found.bound = system_.fixed + best_ * system_.scale;
  found.excess.resize(system_.price.size());
  for (std::size_t c = 0; c < best_lambda_.size(); ++c) {
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t s = system_.choice_start[c]; s < system_.choice_start[c + 1]; ++s) {
      found.excess[s] = price_[s] - best_lambda_[c] * deviation_[s];
      least = std::min(least, found.excess[s]);
    }
    for (std::size_t s = system_.choice_start[c]; s < system_.choice_start[c + 1]; ++s)
      found.excess[s] = (found.excess[s] - least) * system_.scale;
  }
  return found;
}

}  // namespace lacuna::rounding
