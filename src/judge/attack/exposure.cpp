// SPDX-License-Identifier: Apache-2.0
#include "judge/attack/exposure.h"

#include <cstdlib>

namespace lacuna::attack {
namespace {

// Slacks are added as 128-bit integers times |m_jp|; a missing bound makes the sum unlimited.
struct Sum {
  Wide total = 0;
  bool unlimited = false;
  void add(Units slack, Wide factor) {
    if (slack == kUnboundedAbove) {
      unlimited = true;
    } else {
      total += Wide{slack} * factor;
    }
  }
  bool below(Wide level) const { return !unlimited && total < level; }
};

}  // namespace

bool initially_exposed(const Table& table,
                       std::span<const Slack> slacks,
                       const Question& requirement) {
  for (const Incidence& incidence : table.equations_of(requirement.cell)) {
    Sum up;
    Sum down;
    for (const Term& term : table.equation(incidence.equation)) {
      if (term.cell == requirement.cell)
        continue;
      const Slack& slack = slacks[static_cast<std::size_t>(term.cell.value)];
      const Wide factor = std::abs(term.coefficient);
      const bool against = (term.coefficient > 0) == (incidence.coefficient > 0);
      up.add(against ? slack.down : slack.up, factor);
      down.add(against ? slack.up : slack.down, factor);
    }
    const Wide own = std::abs(incidence.coefficient);
    if (up.below(own * requirement.upper) || down.below(own * requirement.lower))
      return true;
    const Sum both{up.total + down.total, up.unlimited || down.unlimited};
    if (both.below(own * requirement.sliding))
      return true;
  }
  return false;
}

}  // namespace lacuna::attack
