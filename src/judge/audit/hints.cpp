// SPDX-License-Identifier: Apache-2.0
#include "judge/audit/hints.h"

#include <algorithm>

#include "core/base/rational.h"
#include "judge/attack/evidence_check.h"

namespace lacuna::audit {

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

bool Hints::counts(std::int32_t hint) const {
  return limits_.empty() || attack::keeps_within(limits_, hints_[static_cast<std::size_t>(hint)]);
}

// Without a fraction, which would have to be brought to lowest terms first.
bool Hints::reaches(HintId hint,
                    std::span<const Term> form,
                    Direction direction,
                    Units level) const {
  const Displacement& moved = (*this)[hint];
  Integer along = 0;
  for (const Term& term : form) {
    const auto at = std::lower_bound(moved.cells.begin(), moved.cells.end(), term.cell);
    if (at != moved.cells.end() && *at == term.cell)
      along += moved.moves[static_cast<std::size_t>(at - moved.cells.begin())] *
               (sign(direction) * term.coefficient);
  }
  const Integer far = base::to_integer(level);
  return moved.denominator == 1 ? along >= far : along >= moved.denominator * far;
}

std::optional<HintId> Hints::farthest(std::span<const Term> form, Direction direction) const {
  std::optional<HintId> best;
  Fraction most;
  for (const Term& term : form) {
    for (const std::int32_t i : through(term.cell)) {
      const Fraction reached = attack::displacement_of((*this)[{i}], form, direction);
      if (reached > most && counts(i)) {
        most = reached;
        best = {i};
      }
    }
  }
  return best;
}

std::optional<HintId> Hints::reaching(std::span<const Term> form,
                                      Direction direction,
                                      Units level) const {
  std::optional<HintId> best;
  for (const Term& term : form) {
    for (const std::int32_t i : through(term.cell)) {
      if ((!best || (*this)[{i}].cells.size() < (*this)[*best].cells.size()) &&
          reaches({i}, form, direction, level) && counts(i))
        best = {i};
    }
  }
  return best;
}

}  // namespace lacuna::audit
