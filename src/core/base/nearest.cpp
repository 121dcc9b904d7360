// SPDX-License-Identifier: Apache-2.0
#include "core/base/nearest.h"

#include <algorithm>
#include <vector>

namespace lacuna::base {
namespace {
constexpr std::size_t kLongestCompared = 200;  // the table of distances is quadratic in this
}  // namespace

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1);  // row i - 2
  std::vector<std::size_t> previous(b.size() + 1);
  std::vector<std::size_t> current(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j)
    previous[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    current[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replace = previous[j - 1] + (a[i - 1] == b[j - 1] ? 0U : 1U);
      current[j] = std::min({previous[j] + 1, current[j - 1] + 1, replace});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped)
        current[j] = std::min(current[j], before[j - 2] + 1);
    }
    std::swap(before, previous);
    std::swap(previous, current);
  }
  return previous[b.size()];
}

std::string_view nearest_name(std::string_view name, std::span<const std::string_view> candidates) {
  std::string_view best;
  std::size_t best_distance = 0;
  if (name.size() > kLongestCompared)
    return best;
  for (const std::string_view candidate : candidates) {
    if (candidate.size() > kLongestCompared)
      continue;
    const std::size_t distance = edit_distance(name, candidate);
    const std::size_t allowed =
        std::max<std::size_t>(1, std::max(name.size(), candidate.size()) / 3);
    const bool plausible = distance <= allowed && distance < candidate.size();
    if (plausible && (best.empty() || distance < best_distance)) {
      best = candidate;
      best_distance = distance;
    }
  }
  return best;
}

std::string did_you_mean(std::string_view name, std::span<const std::string_view> candidates) {
  const std::string_view nearest = nearest_name(name, candidates);
  return nearest.empty() ? "" : "; did you mean '" + std::string(nearest) + "'?";
}

}  // namespace lacuna::base
