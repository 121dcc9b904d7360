// SPDX-License-Identifier: Apache-2.0
// The unknowns of the combined problem by their meaning: the width z of an end, the choice x of a
// cell, the share h of a goal with a sliding level; and which columns of the linear program they
// are. interval/ numbers ends and shares alike (end_of of judge/attacker/slacks.h): that of the
// upper side first, then that of the lower one.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "protect/interval/model.h"

namespace lacuna::combined {

inline constexpr std::array<int, 2> kSigns{1, -1};

struct EndId {  // of a cell's interval
  std::size_t index = 0;
  static EndId of(std::size_t cell, int sign) { return {2 * cell + (sign > 0 ? 0U : 1U)}; }
  std::size_t cell() const { return index / 2; }
};

struct ShareId {  // of a goal: one direction of a need
  std::size_t index = 0;
  static ShareId of(std::size_t need, int sign) { return {2 * need + (sign > 0 ? 0U : 1U)}; }
  static ShareId of(const interval::Goal& goal) {
    return of(static_cast<std::size_t>(goal.need), goal.sign);
  }
  std::size_t need() const { return index / 2; }
  int sign() const { return index % 2 == 0 ? 1 : -1; }
};

template <class T>
struct TwoSided {
  T up{}, down{};
  T& of(int sign) { return sign > 0 ? up : down; }
  const T& of(int sign) const { return sign > 0 ? up : down; }
};

struct Point {
  std::vector<double> z;  // by end
  std::vector<double> x;  // by cell
  std::vector<double> h;  // by share

  double width(EndId end) const { return z[end.index]; }
  double share(ShareId share) const { return h[share.index]; }
};

// Columns of the linear program; -1: it is no variable there.
struct Columns {
  std::vector<std::int32_t> widths;   // by end
  std::vector<std::int32_t> choices;  // by cell
  std::vector<std::int32_t> shares;   // by share: of goals with a sliding level

  std::int32_t width(EndId end) const { return widths[end.index]; }
  std::int32_t choice(std::size_t cell) const { return choices[cell]; }
  std::int32_t share(ShareId share) const { return shares[share.index]; }
};

// sum of value * column >= lower
struct Row {
  std::vector<std::pair<std::int32_t, double>> terms;
  double lower = 0;
};

}  // namespace lacuna::combined
