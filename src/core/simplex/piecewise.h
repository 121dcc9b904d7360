// SPDX-License-Identifier: Apache-2.0
// A convex piecewise linear function of one number: breakpoints p_0 <= ... <= p_(k-1) and the
// slopes s_0 <= ... <= s_k of the pieces between them; piece i lies between p_(i-1) and p_i. A
// slope of plus or minus infinity is a bound. A point at infinity ends a piece that never ends, and
// nothing ever rests there. Without points: free, with one slope.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>

namespace lacuna::simplex {

struct Piecewise {
  static constexpr int kMostPoints = 5;
  static constexpr double kNever = std::numeric_limits<double>::infinity();

  std::int8_t count = 0;  // of points
  // Where it begins: at this point, with a slope below or at zero before and above or at zero
  // behind it; for a row and a column without points, on this piece, with slope zero.
  std::int8_t start = 0;
  std::array<double, kMostPoints + 1> slope{};
  std::array<double, kMostPoints> point{};

  // Cost |x| times a price by side, within [-down, up].
  static Piecewise around_zero(double down, double up, double price_down, double price_up) {
    Piecewise made;
    made.point = {-down, 0, up};
    made.slope = {-kNever, -price_down, price_up, kNever};
    made.count = 3;
    made.start = 1;
    return made;
  }

  double at(int i) const { return point[static_cast<std::size_t>(i)]; }
  double slope_of(int piece) const { return slope[static_cast<std::size_t>(piece)]; }
  double low(int piece) const { return piece > 0 ? at(piece - 1) : -kNever; }
  double high(int piece) const { return piece < count ? at(piece) : kNever; }
  // The piece on the side of point i that `toward` (1 or -1) looks to, and how long it is.
  static int piece_beside(int i, int toward) { return toward > 0 ? i + 1 : i; }
  double length(int i, int toward) const {
    const int next = i + toward;
    return next < 0 || next >= count ? kNever : std::abs(at(next) - at(i));
  }
  // The step at which what rests at point i, its dual activity growing by `rate`, moves on; maybe
  // never.
  double break_at(int i, double dual_activity, double rate) const {
    const double limit = slope_of(piece_beside(i, rate > 0 ? 1 : -1));
    return std::isfinite(limit) ? std::max(0.0, (limit - dual_activity) / rate) : kNever;
  }
  // The point where the dual activity belongs, from point i on; slopes count as equal within a
  // share.
  int settled(int i, double dual_activity, double share) const {
    const auto band = [&](int piece) { return share * std::abs(slope_of(piece)); };
    while (i + 1 < count && dual_activity > slope_of(i + 1) + band(i + 1) &&
           std::isfinite(at(i + 1)))
      ++i;
    while (i > 0 && dual_activity < slope_of(i) - band(i) && std::isfinite(at(i - 1)))
      --i;
    return i;
  }
};

}  // namespace lacuna::simplex
