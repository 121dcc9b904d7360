// SPDX-License-Identifier: Apache-2.0
// Index types that cannot be mixed, and exact table numbers.
#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <limits>

#include "lacuna/export.h"

namespace LACUNA_API lacuna {

template <class Tag>
struct Id {
  std::int32_t value = -1;
  auto operator<=>(const Id&) const = default;
};
using CellId = Id<struct CellTag>;  // CellId == EquationId does not compile
using EquationId = Id<struct EquationTag>;

// A number of the table as a multiple of 10^-decimals of that table, so that additivity is an
// integer identity. Every finite number kept in Units is at most kMaxUnits in absolute value,
// which leaves room for one addition or negation without overflow.
using Units = std::int64_t;
inline constexpr Units kMaxUnits = (Units{1} << 62) - 1;
inline constexpr Units kUnboundedBelow = std::numeric_limits<Units>::min();
inline constexpr Units kUnboundedAbove = std::numeric_limits<Units>::max();

__extension__ using Wide = __int128;  // exact sums and products of Units

struct Bounds {  // closed; either end may be unbounded
  Units lower = kUnboundedBelow;
  Units upper = kUnboundedAbove;
  bool operator==(const Bounds&) const = default;
  bool has_lower() const { return lower != kUnboundedBelow; }
  bool has_upper() const { return upper != kUnboundedAbove; }
  bool is_point() const { return lower == upper; }
  bool contains(Units value) const { return lower <= value && value <= upper; }
};

// The common part of two ranges; empty (lower > upper) if they do not meet.
inline Bounds intersect(Bounds a, Bounds b) {
  return {a.lower > b.lower ? a.lower : b.lower, a.upper < b.upper ? a.upper : b.upper};
}

}  // namespace lacuna

template <class Tag>
struct std::hash<lacuna::Id<Tag>> {
  std::size_t operator()(lacuna::Id<Tag> id) const noexcept {
    return std::hash<std::int32_t>{}(id.value);
  }
};
