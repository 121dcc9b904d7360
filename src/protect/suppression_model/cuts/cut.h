// SPDX-License-Identifier: Apache-2.0
// A valid inequality  sum_j values_j x_j >= rhs  over the columns of a suppression model.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace lacuna::suppression_model {

enum class CutFamily : std::uint8_t { kCapacity, kBridgeless, kCover, kLimit, kGroup, kRounded };

// What a cut was made of, for a log of the bound: d of capacity.h (local cell and entry) with the
// sign of each direction, or d of bridgeless.h.
struct CutOrigin {
  std::int32_t need_cell = -1;  // local, of a capacity constraint
  std::int32_t attacker = 0;
  bool both = false;         // a sliding level
  std::int32_t column = -1;  // of a bridgeless inequality
  struct End {
    int sign = 1;
    std::vector<std::pair<std::int32_t, double>> d;
  };
  std::vector<End> ends;
  // Of a rounded sum: rows that were added up, each so many times its share of the right-hand side
  // (0: as it is), and columns that count as 1 - x where they are odd.
  std::vector<std::pair<const struct Cut*, int>> sources;
  std::vector<std::int32_t> near_one;
};

struct Cut {
  CutFamily family = CutFamily::kCapacity;
  std::vector<std::int32_t> columns;  // strictly increasing
  std::vector<double> values;         // not zero
  double rhs = 0;
  // Local cells whose needs it follows from, ascending; without them (and bridgeless inequalities)
  // it need not hold. Empty: it follows from no need, or nobody knows from which.
  std::vector<std::int32_t> speaks_for{};
  std::shared_ptr<const CutOrigin> origin{};  // where the model keeps origins

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
