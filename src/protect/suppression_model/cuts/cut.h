// SPDX-License-Identifier: Apache-2.0
// A valid inequality  sum_j values_j x_j >= rhs  over the columns of a suppression model.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace lacuna::suppression_model {

enum class CutFamily : std::uint8_t { kCapacity, kBridgeless, kCover, kLimit, kGroup, kRounded };

struct Cut {
  CutFamily family = CutFamily::kCapacity;
  std::vector<std::int32_t> columns;  // strictly increasing
  std::vector<double> values;         // not zero
  double rhs = 0;
  // Local cells whose needs it follows from, ascending; without them (and bridgeless inequalities)
  // it need not hold. Empty: it follows from no need, or nobody knows from which.
  std::vector<std::int32_t> speaks_for{};

  double activity(std::span<const double> x) const {
    double sum = 0;
    for (std::size_t k = 0; k < columns.size(); ++k)
      sum += values[k] * x[static_cast<std::size_t>(columns[k])];
    return sum;
  }
  double violation(std::span<const double> x) const { return rhs - activity(x); }
};

using SharedCut = std::shared_ptr<const Cut>;

}  // namespace lacuna::suppression_model
