// SPDX-License-Identifier: Apache-2.0
// The least cost of a part by trying all senses, for tests of bounds and searches.
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "protect/adjust/interior_point.h"
#include "protect/adjust/model.h"

namespace lacuna::testing {

inline double ceiling_of(const adjustment::Part& part, AdjustNorm norm) {
  constexpr double kFar = 1e6;  // stands for no bound
  double most = 1;
  for (const adjustment::PartCell& cell : part.cells) {
    const double reach = std::min(kFar, std::max(std::abs(cell.lower), std::abs(cell.upper)));
    most += cell.weight * (norm == AdjustNorm::kL2 ? reach * reach : reach);
  }
  return most;
}

// The least cost over all senses; infinite if no senses are possible.
inline double enumerate(const adjustment::Part& part, AdjustNorm norm) {
  adjustment::InteriorPoint method(part, norm, adjustment::make_kkt_system(part));
  std::vector<std::size_t> open;
  adjustment::Senses senses = part.start;
  for (std::size_t s = 0; s < senses.size(); ++s) {
    if (senses[s] == adjustment::Sense::kUndecided)
      open.push_back(s);
  }
  double best = adjustment::kInfinity;
  for (std::size_t pattern = 0; pattern < (std::size_t{1} << open.size()); ++pattern) {
    for (std::size_t i = 0; i < open.size(); ++i)
      senses[open[i]] =
          (pattern >> i & 1U) != 0 ? adjustment::Sense::kUp : adjustment::Sense::kDown;
    adjustment::PointOptions options;
    options.precision = 1e-8;
    options.cutoff = std::min(best * (1 + 1e-9), ceiling_of(part, norm));
    const adjustment::Point point = method.solve(senses, options, {});
    if (point.status != adjustment::PointStatus::kCutOff && point.residual < 1e-6)
      best = std::min(best, adjustment::true_cost(part, norm, point.v));
  }
  return best;
}

inline std::shared_ptr<const Problem> weighed(Problem problem) {
  std::vector<double> weights;
  for (const Cell& cell : problem.table().cells()) {
    const double value = std::abs(static_cast<double>(cell.value));
    weights.push_back(value == 0 ? 1 : 1 / value);
  }
  problem.set_weights(weights);
  return std::make_shared<const Problem>(std::move(problem));
}

}  // namespace lacuna::testing
