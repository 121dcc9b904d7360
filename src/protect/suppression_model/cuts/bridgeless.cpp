// SPDX-License-Identifier: Apache-2.0
#include "protect/suppression_model/cuts/bridgeless.h"

#include <algorithm>
#include <cmath>

#include "lacuna/tolerance.h"

namespace lacuna::suppression_model {
namespace {

using Entries = std::vector<std::pair<std::int32_t, double>>;

// `d`: what z of the column's cell is made of.
void remember(const SuppressModel& model, std::int32_t column, Entries d, Cut& cut) {
  if (!model.keeps_origins())
    return;
  auto origin = std::make_shared<CutOrigin>();
  origin->column = column;
  origin->ends.push_back({1, std::move(d)});
  cut.origin = std::move(origin);
}

Cut closed(std::vector<std::int32_t> others, std::int32_t column) {
  Cut cut;
  cut.family = CutFamily::kBridgeless;
  std::sort(others.begin(), others.end());
  const auto place = std::lower_bound(others.begin(), others.end(), column);
  cut.values.assign(others.size(), 1);
  cut.values.insert(cut.values.begin() + (place - others.begin()), -1);
  others.insert(place, column);
  cut.columns = std::move(others);
  return cut;
}

}  // namespace

std::optional<Cut> bridgeless_row(const SuppressModel& model,
                                  std::int32_t equation,
                                  std::span<const double> x) {
  double sum = 0;
  double largest = 0;
  std::int32_t column = -1;
  for (const simplex::LazyEntry& term : model.attacked().row(equation)) {
    const std::int32_t each = model.column_of(term.index);
    if (each < 0)
      return std::nullopt;
    const double value = x[static_cast<std::size_t>(each)];
    sum += value;
    if (value > largest) {
      largest = value;
      column = each;
    }
  }
  if (column < 0 || 2 * largest - sum < tol::kViolation)
    return std::nullopt;
  std::vector<std::int32_t> others;
  double own = 0;
  for (const simplex::LazyEntry& term : model.attacked().row(equation)) {
    if (model.column_of(term.index) != column)
      others.push_back(model.column_of(term.index));
    else
      own = term.coefficient;
  }
  Cut cut = closed(std::move(others), column);
  Entries d;
  for (const simplex::LazyEntry& term : model.attacked().row(equation)) {
    if (model.keeps_origins() && model.column_of(term.index) != column)
      d.emplace_back(term.index, -term.coefficient / own);
  }
  remember(model, column, std::move(d), cut);
  return cut;
}

std::optional<Cut> bridgeless_cut(const SuppressModel& model,
                                  std::int32_t column,
                                  std::span<const std::pair<std::int32_t, double>> d) {
  if (d.empty())
    return std::nullopt;  // a question that was not answered
  const std::int32_t target = model.cell_of(column);
  double own = 0;
  std::vector<std::int32_t> others;
  for (const auto& [cell, value] : d) {
    if (cell == target) {
      own = value;
      continue;
    }
    if (std::abs(value) <= tol::kDual)
      continue;
    const std::int32_t each = model.column_of(cell);
    if (each < 0)
      return std::nullopt;
    others.push_back(each);
  }
  if (1 - own <= tol::kIntegrality)
    return std::nullopt;
  Cut cut = closed(std::move(others), column);
  remember(model, column, {d.begin(), d.end()}, cut);
  return cut;
}

}  // namespace lacuna::suppression_model
