// SPDX-License-Identifier: Apache-2.0
// The only file of the library that may contain a tolerance. Tolerances route work (which check to
// try next, whether to believe an engine); exact arithmetic decides every verdict.
#pragma once

#include <algorithm>
#include <cmath>

namespace lacuna::tol {

inline constexpr double kRowResidual = 1e-6;  // violation of a row, relative to max(1, |b|)
inline constexpr double kBound = 1e-6;        // violation of a column bound, same scale
inline constexpr double kRounding = 1e-12;    // error of a sum of products, relative to its |terms|
inline constexpr double kObjective = 1e-6;    // |reported - recomputed| objective, relative
inline constexpr double kReducedCost = 1e-6;  // sign error of a reduced cost, relative to costs
inline constexpr double kIntegrality = 1e-6;  // distance of an integer variable from an integer
inline constexpr double kDecision = 1e-7;     // inside this band floating point may not decide

inline constexpr double kDual = 1e-9;        // noise of a multiplier near a small fraction
inline constexpr double kNegligible = 1e-9;  // coefficient of a cut that engines should not see
inline constexpr double kViolation = 1e-4;   // of a cut with right-hand side 1, worth adding
inline constexpr double kLift = 1e-4;        // capacity of a cell at x = 0, so that its dual counts

inline bool is_integer(double x) {
  return std::abs(x - std::round(x)) <= kIntegrality;
}

enum class Order { kSurelyLess, kTooClose, kSurelyGreater };
inline Order compare(double x, double y) {  // NaN lands in kTooClose
  const double band = kDecision * std::max({1.0, std::abs(x), std::abs(y)});
  if (x > y + band)
    return Order::kSurelyGreater;
  if (x < y - band)
    return Order::kSurelyLess;
  return Order::kTooClose;
}

}  // namespace lacuna::tol
