// SPDX-License-Identifier: Apache-2.0
// Numbers that follow from others one after the other: a link in which one cell is unknown tells
// it. Each is kept as a sum of printed numbers, so that nobody has to believe the order.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "app/check/cells.h"
#include "lacuna/integer.h"

namespace lacuna::checking {

struct Derived {
  std::map<std::int32_t, Fraction> form;  // printed cells
  std::set<std::int32_t> links;           // that it took
  Units value = 0;
};

struct Derivation {
  std::vector<std::optional<Derived>> cells;  // by cell: printed ones are themselves
  bool is_known(std::int32_t cell) const;
  Units value(std::int32_t cell) const;
};

// `is_open(cell)`: whether its number is printed where a reader sees it; `uses(link)`: whether the
// link counts.
Derivation derive(const CheckSystem& system,
                  const std::vector<bool>& is_open,
                  const std::vector<bool>& uses);

}  // namespace lacuna::checking
