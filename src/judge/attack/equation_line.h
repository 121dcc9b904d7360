// SPDX-License-Identifier: Apache-2.0
// What one equation says of the end of one of its cells, in whole numbers. From m'z = 0,
//   |m_p| s z_p = sum_{i != p} (-s sgn(m_p) m_i) z_i <= sum_{i != p} |m_i| slack_i,
// where slack_i is that of cell i on the side that this sign takes it to; divided by |m_p| and
// rounded down it is an end of s z_p. Both the search and the check of chains use it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "core/base/index.h"
#include "judge/attack/slack.h"
#include "lacuna/evidence.h"
#include "lacuna/table.h"

namespace lacuna::attack {

// The side of cell i's slack that a line about p looks at.
inline int side_of_other(int side, std::int32_t own, std::int32_t other) {
  return (own > 0) == (other > 0) ? -side : side;
}

inline Wide divided_down(Wide number, Wide divisor) {  // divisor > 0
  const Wide quotient = number / divisor;
  return number % divisor < 0 ? quotient - 1 : quotient;
}

// Nothing if another cell has no end on that side, or the cell is not in the equation.
inline std::optional<Wide> slack_by_equation(const Table& table,
                                             std::span<const Slack> slacks,
                                             EquationId equation,
                                             CellId cell,
                                             Direction side) {
  std::int32_t own = 0;
  for (const Term& term : table.equation(equation))
    own = term.cell == cell ? term.coefficient : own;
  if (own == 0)
    return std::nullopt;
  Wide sum = 0;
  for (const Term& term : table.equation(equation)) {
    if (term.cell == cell || term.coefficient == 0)
      continue;
    const Units slack =
        slacks[base::at(term.cell)].toward(side_of_other(sign(side), own, term.coefficient));
    if (slack == kUnboundedAbove)
      return std::nullopt;
    sum += Wide{term.coefficient > 0 ? term.coefficient : -Wide{term.coefficient}} * slack;
  }
  return divided_down(sum, own > 0 ? own : -Wide{own});
}

}  // namespace lacuna::attack
