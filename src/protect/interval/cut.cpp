// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "base/work.h"
#include "lacuna/lp.h"
#include "lacuna/tolerance.h"
#include "protect/interval/separator.h"
#include "protect/interval/tuning.h"

namespace lacuna::inline interval {
namespace {

double limit_at(const Model& model, std::int32_t attacker, std::size_t end) {
  const auto& limits = model.limits[static_cast<std::size_t>(attacker)];
  const auto at = std::lower_bound(
      limits.begin(), limits.end(), end, [](const Limit& a, std::size_t e) { return a.end < e; });
  return at != limits.end() && at->end == end ? at->most : model.most[end];
}

}  // namespace

double Cut::value(std::span<const double> z) const {
  double sum = constant;
  for (const auto& [end, coefficient] : terms)
    sum += coefficient * z[end];
  return sum;
}

namespace {

Cut cut_of(const Model& model,
           const Demand& demand,
           const std::map<std::int32_t, double>& d,
           std::span<const double> z) {
  const Goal& goal = model.goals[static_cast<std::size_t>(demand.goal)];
  Cut cut;
  cut.demand = demand;
  for (const auto& [cell, value] : d) {
    // What is left of a sum that cancels is rounding.
    if (std::abs(value) < tol::kRowResidual)
      continue;
    const std::size_t end = end_of(cell, value > 0 ? 1 : -1);
    if (model.role[end] == EndRole::kClosed)
      continue;
    const double limit = limit_at(model, goal.attacker, end);
    if (model.role[end] == EndRole::kOpen || limit < z[end]) {
      cut.constant += std::abs(value) * limit;
    } else {
      cut.terms.emplace_back(end, std::abs(value));
    }
  }
  std::sort(cut.terms.begin(), cut.terms.end());
  count_work(kTuning.work.cut_cell * d.size());
  return cut;
}

}  // namespace

Cut make_cut(const Model& model,
             const Demand& demand,
             std::span<const std::pair<EquationId, double>> multipliers,
             std::span<const double> z) {
  const Table& table = model.problem->table();
  const Goal& goal = model.goals[static_cast<std::size_t>(demand.goal)];
  std::map<std::int32_t, double> d{{goal.cell, demand.sign}};
  std::size_t terms = 0;
  for (const auto& [equation, factor] : multipliers) {
    terms += table.equation(equation).size();
    for (const Term& term : table.equation(equation)) {
      if (model.movable[static_cast<std::size_t>(term.cell.value)])
        d[term.cell.value] -= factor * term.coefficient;
    }
  }
  count_work(kTuning.work.cut_term * terms);
  return cut_of(model, demand, d, z);
}

Cut make_cut(const Model& model,
             const Demand& demand,
             const ProbeAnswer& answer,
             std::span<const double> z) {
  if (!answer.has_coefficients)
    return make_cut(model, demand, answer.multipliers, z);
  return cut_of(
      model,
      demand,
      std::map<std::int32_t, double>(answer.coefficients.begin(), answer.coefficients.end()),
      z);
}

double snapped(double value) {
  for (const double denominator : std::array<double, 4>{1, 2, 12, 60}) {
    const double near = std::round(value * denominator) / denominator;
    if (std::abs(near - value) <= tol::kDecision * std::max(1.0, std::abs(value)))
      return near;
  }
  return value;
}

Result<std::unique_ptr<Separator>> make_separator(const Model& model, const std::string& engine) {
  if (model.network)
    return make_flow_separator(model);
  std::int64_t cells = 0;
  for (const bool movable : model.movable)
    cells += movable ? 1 : 0;
  const auto rank = static_cast<std::int64_t>(model.equations.size());
  if ((cells - rank) * 3 < rank * 2)
    return make_leaf_separator(model, engine);
  return make_lp_separator(model, engine);
}

}  // namespace lacuna::inline interval
