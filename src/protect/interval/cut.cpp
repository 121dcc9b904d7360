// SPDX-License-Identifier: Apache-2.0
#include "protect/interval/cut.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "core/base/work.h"
#include "lacuna/tolerance.h"
#include "protect/interval/tuning.h"

namespace lacuna::interval {
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
           const Goal& goal,
           const std::map<std::int32_t, double>& d,
           std::span<const double> z) {
  const Need& need = model.needs[static_cast<std::size_t>(goal.need)];
  Cut cut;
  cut.goal = goal;
  for (const auto& [cell, value] : d) {
    // What is left of a sum that cancels is rounding.
    if (std::abs(value) < tol::kRowResidual)
      continue;
    if (model.keeps_slopes)
      cut.slopes.emplace_back(cell, value);
    const std::size_t end = attacker::end_of(cell, value > 0 ? 1 : -1);
    if (model.role[end] == EndRole::kClosed)
      continue;
    const double limit = limit_at(model, need.attacker, end);
    if (model.role[end] == EndRole::kFree || limit < z[end]) {
      cut.constant += std::abs(value) * limit;
    } else {
      cut.terms.emplace_back(end, std::abs(value));
    }
  }
  std::sort(cut.terms.begin(), cut.terms.end());
  base::count_work(kTuning.work.cut_cell * d.size());
  return cut;
}

}  // namespace

Cut make_cut(const Model& model,
             const Goal& goal,
             std::span<const attacker::Multiplier> multipliers,
             std::span<const double> z) {
  const Table& table = model.problem->table();
  const Need& need = model.needs[static_cast<std::size_t>(goal.need)];
  std::map<std::int32_t, double> d{{need.cell, goal.sign}};
  std::size_t terms = 0;
  for (const auto& [equation, factor] : multipliers) {
    terms += table.equation(equation).size();
    for (const Term& term : table.equation(equation)) {
      if (model.movable[static_cast<std::size_t>(term.cell.value)])
        d[term.cell.value] -= factor * term.coefficient;
    }
  }
  base::count_work(kTuning.work.cut_term * terms);
  Cut cut = cut_of(model, goal, d, z);
  if (model.keeps_slopes)
    cut.multipliers.assign(multipliers.begin(), multipliers.end());
  return cut;
}

Cut make_cut(const Model& model,
             const Goal& goal,
             const attacker::Move& coefficients,
             std::span<const double> z) {
  return cut_of(model, goal, {coefficients.begin(), coefficients.end()}, z);
}

Cut own_cut(const Model& model, const Goal& goal, std::span<const double> z) {
  return make_cut(model, goal, std::span<const attacker::Multiplier>(), z);
}

}  // namespace lacuna::interval
