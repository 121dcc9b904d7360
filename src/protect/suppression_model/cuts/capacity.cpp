// SPDX-License-Identifier: Apache-2.0
#include "protect/suppression_model/cuts/capacity.h"

#include <algorithm>
#include <cmath>

#include "core/base/work.h"
#include "lacuna/tolerance.h"

namespace lacuna::suppression_model {
namespace {

// Multipliers are mostly small fractions: what is within rounding of a twelfth is meant to be it.
double tidy(double d) {
  constexpr double kTwelve = 12;
  const double nearest = std::round(d * kTwelve) / kTwelve;
  return std::abs(d - nearest) <= tol::kDual ? nearest : d;
}

}  // namespace

CapacityBuilder::CapacityBuilder(const SuppressModel& model, const Need& need)
    : model_(model), need_(need) {}

void CapacityBuilder::add_cell(std::int32_t cell, double d) {
  d = tidy(d);
  if (d == 0)
    return;
  const double slack = model_.slack(cell, need_.attacker).toward(d);
  if (slack <= 0)
    return;
  const double amount = std::abs(d) * slack;
  const std::int32_t column = model_.column_of(cell);
  if (column < 0)
    given_ += amount;
  else
    terms_.emplace_back(column, amount);
}

double CapacityBuilder::add_others(std::span<const double> d) {
  base::count_work(3 * d.size());
  for (std::int32_t i = 0; i < model_.num_cells(); ++i) {
    if (i != need_.cell)
      add_cell(i, d[static_cast<std::size_t>(i)]);
  }
  return tidy(d[static_cast<std::size_t>(need_.cell)]);
}

double CapacityBuilder::add_others(std::span<const Entry> d) {
  double own = 0;
  unknown_ = unknown_ || d.empty();
  base::count_work(15 * d.size());
  for (const auto& [cell, value] : d) {
    if (cell == need_.cell)
      own = tidy(value);
    else
      add_cell(cell, value);
  }
  return own;
}

void CapacityBuilder::remember(int sign, std::vector<Entry> d) {
  if (!origin_) {
    origin_ = std::make_shared<CutOrigin>();
    origin_->need_cell = need_.cell;
    origin_->attacker = need_.attacker;
  }
  origin_->ends.push_back({sign, std::move(d)});
}

void CapacityBuilder::add(std::span<const double> d, int sign, double level) {
  asked_ += (1 - sign * add_others(d)) * level;
}

void CapacityBuilder::add(std::span<const Entry> d, int sign, double level) {
  if (model_.keeps_origins())
    remember(sign, {d.begin(), d.end()});
  asked_ += (1 - sign * add_others(d)) * level;
}

void CapacityBuilder::add_equation(std::int32_t equation, int sign, double level) {
  double own = 0;
  base::count_work(15 * model_.attacked().row(equation).size());
  for (const simplex::LazyEntry& term : model_.attacked().row(equation)) {
    if (term.index == need_.cell)
      own = term.coefficient;
  }
  std::vector<Entry> d;
  for (const simplex::LazyEntry& term : model_.attacked().row(equation)) {
    if (term.index == need_.cell)
      continue;
    add_cell(term.index, -sign * term.coefficient / own);
    if (model_.keeps_origins())
      d.emplace_back(term.index, -sign * term.coefficient / own);
  }
  if (model_.keeps_origins())
    remember(sign, std::move(d));
  asked_ += level;
}

void CapacityBuilder::add_end(std::span<const double> d, int sign) {
  add_own_end(add_others(d), sign);
}

void CapacityBuilder::add_end(std::span<const Entry> d, int sign) {
  if (model_.keeps_origins()) {
    remember(sign, {d.begin(), d.end()});
    origin_->both = true;
  }
  add_own_end(add_others(d), sign);
}

// Of the tables with s z_p >= 0 only the slack on that side counts.
void CapacityBuilder::add_own_end(double own, int sign) {
  if (own * sign > 0)
    given_ += std::abs(own) * model_.slack(need_.cell, need_.attacker).toward(sign);
}

std::optional<Cut> CapacityBuilder::finish() {
  const double missing = asked_ - given_;
  if (unknown_ || !(missing > tol::kDecision * asked_))
    return std::nullopt;
  base::count_work(50 * terms_.size());
  std::sort(terms_.begin(), terms_.end());
  Cut cut;
  cut.rhs = 1;
  cut.speaks_for = {need_.cell};
  cut.origin = origin_;
  for (std::size_t k = 0; k < terms_.size();) {
    const std::int32_t column = terms_[k].first;
    double amount = 0;
    for (; k < terms_.size() && terms_[k].first == column; ++k)
      amount += terms_[k].second;
    // A little more than computed, so that rounding never cuts off a pattern.
    const double value = std::min(amount / missing * (1 + tol::kDecision), 1.0);
    if (value < tol::kNegligible) {
      cut.rhs -= value;  // as if it were withheld
      continue;
    }
    cut.columns.push_back(column);
    cut.values.push_back(value);
  }
  if (need_.column < 0)
    return cut;
  const auto place = std::lower_bound(cut.columns.begin(), cut.columns.end(), need_.column);
  cut.values.insert(cut.values.begin() + (place - cut.columns.begin()), -1);
  cut.columns.insert(place, need_.column);
  cut.rhs = 0;
  return cut;
}

}  // namespace lacuna::suppression_model
