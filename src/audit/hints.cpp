// SPDX-License-Identifier: Apache-2.0
#include "audit/hints.h"

#include "attack/evidence_check.h"

namespace lacuna::inline audit {

std::uint8_t Hints::check(const Table& table,
                          std::span<const Room> rooms,
                          const Displacement& hint) {
  return check_displacement(table, rooms, hint).has_value() ? 1 : 0;
}

void Hints::list(const Table& table) {
  start_.assign(static_cast<std::size_t>(table.num_cells()) + 1, 0);
  for (std::size_t i = 0; i < hints_.size(); ++i) {
    if (holds_[i] == 0)
      continue;
    for (const CellId cell : hints_[i].cells)
      ++start_[static_cast<std::size_t>(cell.value) + 1];
  }
  for (std::size_t c = 1; c < start_.size(); ++c)
    start_[c] += start_[c - 1];
  through_.resize(start_.back());
  std::vector<std::size_t> next(start_.begin(), start_.end() - 1);
  for (std::size_t i = 0; i < hints_.size(); ++i) {
    if (holds_[i] == 0)
      continue;
    for (const CellId cell : hints_[i].cells)
      through_[next[static_cast<std::size_t>(cell.value)]++] = static_cast<std::int32_t>(i);
  }
}

std::span<const std::int32_t> Hints::through(CellId cell) const {
  if (start_.empty())
    return {};
  const auto c = static_cast<std::size_t>(cell.value);
  return {through_.data() + start_[c], start_[c + 1] - start_[c]};
}

const Displacement* Hints::farthest(CellId cell, Direction direction) const {
  const Displacement* best = nullptr;
  Fraction most;
  for (const std::int32_t i : through(cell)) {
    const Displacement& hint = hints_[static_cast<std::size_t>(i)];
    const Fraction reached = displacement_of(hint, cell, direction);
    if (reached > most) {
      most = reached;
      best = &hint;
    }
  }
  return best;
}

const Displacement* Hints::reaching(CellId cell, Direction direction, Units level) const {
  const Displacement* best = nullptr;
  for (const std::int32_t i : through(cell)) {
    const Displacement& hint = hints_[static_cast<std::size_t>(i)];
    if ((best == nullptr || hint.cells.size() < best->cells.size()) &&
        displacement_of(hint, cell, direction) >= static_cast<long>(level))
      best = &hint;
  }
  return best;
}

}  // namespace lacuna::inline audit
