// SPDX-License-Identifier: Apache-2.0
#include "judge/attack/holes.h"

#include "core/base/rational.h"

namespace lacuna::attack {

void Holes::add(CellId cell, Units value, std::span<const Units> among) {
  std::vector<Hole> found;
  for (std::size_t i = 1; i < among.size(); ++i) {
    if (among[i] - among[i - 1] > 1)
      found.push_back({among[i - 1] + 1 - value, among[i] - 1 - value});
  }
  add(cell, found);
}

void Holes::add(CellId cell, std::span<const Hole> holes) {
  if (!holes.empty())
    by_cell_[cell].assign(holes.begin(), holes.end());
}

std::span<const Hole> Holes::of(CellId cell) const {
  const auto found = by_cell_.find(cell);
  return found == by_cell_.end() ? std::span<const Hole>() : std::span<const Hole>(found->second);
}

const Hole* Holes::around(CellId cell, const Integer& move) const {
  for (const Hole& hole : of(cell)) {
    if (move >= base::to_integer(hole.from) && move <= base::to_integer(hole.to))
      return &hole;
  }
  return nullptr;
}

Slack Holes::snapped(CellId cell, Slack slack) const {
  for (const Hole& hole : of(cell)) {
    if (slack.up != kUnboundedAbove && hole.from <= slack.up && slack.up <= hole.to)
      slack.up = hole.from - 1;
    if (slack.down != kUnboundedAbove && hole.from <= -slack.down && -slack.down <= hole.to)
      slack.down = -(hole.to + 1);
  }
  return slack;
}

bool Holes::admit(const Displacement& witness) const {
  if (empty())
    return true;
  for (std::size_t i = 0; i < witness.cells.size(); ++i) {
    if (around(witness.cells[i], witness.moves[i]) != nullptr)
      return false;
  }
  return true;
}

Integer Holes::missing(CellId cell, const Integer& down, const Integer& up) const {
  Integer count = 0;
  for (const Hole& hole : of(cell)) {
    const Integer from = std::max<Integer>(base::to_integer(hole.from), -down);
    const Integer to = std::min<Integer>(base::to_integer(hole.to), up);
    if (from <= to)
      count += to - from + 1;
  }
  return count;
}

}  // namespace lacuna::attack
