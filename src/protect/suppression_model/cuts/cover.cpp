// SPDX-License-Identifier: Apache-2.0
#include "protect/suppression_model/cuts/cover.h"

#include <algorithm>
#include <numeric>

#include "core/base/work.h"
#include "lacuna/tolerance.h"

namespace lacuna::suppression_model {

std::optional<Cut> cover_cut(const Cut& constraint, std::span<const double> x) {
  const auto& a = constraint.values;
  if (a.empty() || constraint.rhs <= 0 || *std::min_element(a.begin(), a.end()) < 0)
    return std::nullopt;
  const auto at = [&](std::size_t k) { return x[static_cast<std::size_t>(constraint.columns[k])]; };
  base::count_work(100 * a.size());
  std::vector<std::size_t> order(a.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  // Small x first, and of those the large coefficients: few cells make a cover.
  std::sort(order.begin(), order.end(), [&](std::size_t j, std::size_t k) {
    return at(j) / a[j] != at(k) / a[k] ? at(j) / a[j] < at(k) / a[k] : j < k;
  });
  const double free = std::accumulate(a.begin(), a.end(), 0.0) - constraint.rhs;
  double sum = 0;
  double publish = 0;  // sum of x over the cover
  std::vector<std::size_t> cover;
  for (const std::size_t k : order) {
    if (sum > free * (1 + tol::kDecision))
      break;
    sum += a[k];
    cover.push_back(k);
  }
  if (sum <= free * (1 + tol::kDecision))
    return std::nullopt;  // cannot be: b > 0
  // A minimal cover: what is not needed leaves, the most withheld first.
  std::sort(cover.begin(), cover.end(), [&](std::size_t j, std::size_t k) {
    return at(j) != at(k) ? at(j) > at(k) : j < k;
  });
  std::vector<std::size_t> minimal;
  for (const std::size_t k : cover) {
    if (sum - a[k] > free * (1 + tol::kDecision))
      sum -= a[k];
    else
      minimal.push_back(k);
  }
  double largest = 0;
  for (const std::size_t k : minimal) {
    largest = std::max(largest, a[k]);
    publish += at(k);
  }
  Cut cut;
  cut.family = CutFamily::kCover;
  cut.speaks_for = constraint.speaks_for;
  for (std::size_t k = 0; k < a.size(); ++k) {
    const bool in = std::find(minimal.begin(), minimal.end(), k) != minimal.end();
    if (!in && a[k] < largest)
      continue;
    cut.columns.push_back(constraint.columns[k]);
    cut.values.push_back(1);
  }
  cut.rhs = static_cast<double>(cut.columns.size() - minimal.size() + 1);
  if (cut.violation(x) < tol::kViolation)
    return std::nullopt;
  return cut;
}

}  // namespace lacuna::suppression_model
